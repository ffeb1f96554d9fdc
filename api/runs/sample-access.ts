import type { Comparison } from "#shared/contracts/comparison.ts";
import type { Json } from "#shared/contracts/json.ts";
import type { RunPoints } from "#shared/contracts/run-points.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import type { RunRecord } from "../platform/ports.ts";
import type { Account } from "../security/account.ts";

type Sampled = Pick<RunRecord, "samplesOwner">;

/**
 * Whether somebody may read what a run keeps of single samples: rows, answers, judgments, ids. Those of a private
 * dataset are its owner's and admins' alone, whoever reads the run's figures.
 */
export function readsSamples({ samplesOwner }: Sampled, account: Account | null): boolean {
  if (samplesOwner === null) return true;
  return account !== null && (account.owner === samplesOwner || account.scopes.includes("admin"));
}

/** A run's points without the answers among them: the spread of latencies says nothing of a sample. */
export const pointsWithoutSamples = (points: RunPoints | null): RunPoints | null =>
  points && { ...points, points: [], failures: [], picks: [] };

/** A run's breakdown without the samples that it names. */
export const breakdownWithoutSamples = (suite: Suite | undefined, breakdown: Json): Json =>
  breakdown === null ? null : (suite?.breakdownWithoutSamples?.(breakdown) ?? breakdown);

/** A comparison without the samples that it names, unless all of its runs show theirs. */
export const comparisonFor = (
  account: Account | null,
  runs: readonly Sampled[],
  comparison: Comparison,
): Comparison =>
  runs.every((run) => readsSamples(run, account)) ? comparison : { ...comparison, differing: [] };

/** What a log may say of an error: a parser quotes what it can't read, which may be hidden. */
export function loggedError({ samplesOwner }: Sampled, error: unknown): string {
  if (samplesOwner === null) return String(error);
  return error instanceof Error ? error.name : typeof error;
}
