import type { Comparison } from "#shared/contracts/boards/comparison.ts";
import type { Json } from "#shared/contracts/json.ts";
import type { FieldError } from "#shared/contracts/problem.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { RunPoints } from "#shared/contracts/run-points.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import type { Account } from "../keys/account.ts";
import type { OverQuota } from "../keys/quota.ts";
import type { Platform } from "../platform/platform.ts";
import type { NewSubmission, RunRecord } from "./schema.ts";

type NotFound = { type: "not-found"; detail: string };
type Refusal = NotFound | { type: "forbidden"; detail: string };

/**
 * A run as far as somebody may read it: the one place that decides so. A deleted run is gone, a
 * hidden one is there for its owner and admins alone; which of the two it is, nobody else learns.
 */
export async function readableRun(
  platform: Platform,
  account: Account | null,
  id: string,
): Promise<Result<RunRecord, NotFound>> {
  const run = await platform.runs.get(id);
  if (run !== null && isReadable(run, account)) return ok(run);
  return err({ type: "not-found", detail: `there is no run "${id}"` });
}

/** A run whose samples somebody may read as well: every route that gives of them goes through here. */
export async function readableSamples(
  platform: Platform,
  account: Account | null,
  id: string,
): Promise<Result<RunRecord, Refusal>> {
  const run = await readableRun(platform, account, id);
  if (!run.ok || readsSamples(run.value, account)) return run;
  const detail = `run "${id}" is on the private dataset "${run.value.datasetName}", whose samples and answers only its owner can read: use a key of its owner's account, or read the figures at /v1/runs/${id}/report`;
  return err({ type: "forbidden", detail });
}

/** A run that the account may change: its own; admins own all. */
export async function ownedRun(
  platform: Platform,
  account: Account,
  id: string,
): Promise<Result<RunRecord, Refusal>> {
  const run = await readableRun(platform, account, id);
  if (!run.ok || isOwner(account, run.value)) return run;
  const detail = `run "${id}" belongs to another account: use a key of its owner's account, or ask its owner to do it`;
  return err({ type: "forbidden", detail });
}

/** A submission with those of its runs that may be read; null where none is left. */
export async function readableSubmission(
  platform: Platform,
  account: Account | null,
  id: string,
): Promise<{ submission: NewSubmission; runs: RunRecord[] } | null> {
  const stored = await platform.runs.submission(id);
  const runs = stored?.runs.filter((run) => isReadable(run, account)) ?? [];
  return stored === null || runs.length === 0 ? null : { ...stored, runs };
}

function isReadable(run: RunRecord, account: Account | null): boolean {
  if (run.deletedAt !== null) return false;
  return run.hiddenReason === null || (account !== null && isOwner(account, run));
}

const isOwner = (account: Account, run: RunRecord): boolean =>
  run.owner === account.owner || account.scopes.includes("admin");

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

/** Why an action on a run was refused, in words for its caller. */
export type RunRefusal =
  | { type: "not-found" | "forbidden" | "conflict"; detail: string }
  | { type: "invalid-request"; detail: string; errors: FieldError[] }
  | ({ type: "quota-exceeded" } & OverQuota);
