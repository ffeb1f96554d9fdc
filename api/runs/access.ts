import type { Comparison } from "#shared/contracts/boards/comparison.ts";
import type { Json } from "#shared/contracts/json.ts";
import type { FieldError } from "#shared/contracts/problem.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { RunPoints } from "#shared/contracts/runs/run-points.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { differingSettings } from "#shared/measures/comparison/differing-settings.ts";
import { type Account, mayRead, type Reader, readerOf } from "../keys/account.ts";
import type { OverQuota } from "../keys/quota.ts";
import type { Platform } from "../platform/platform.ts";
import type { NewSubmission, RunRecord } from "./schema.ts";

type NotFound = { type: "not-found"; detail: string };
type Refusal = NotFound | { type: "forbidden"; detail: string };

/**
 * A run that the account may read; the only place that decides this. A deleted run is invisible. A hidden or private
 * run is visible only to its owner and admins, a private one also by a share link. Others can't distinguish these
 * cases.
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

/** A run whose samples the account may read as well; all routes with sample data use this. */
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

/** A run that the account may change: its own; admins may change all. */
export const ownedRun = async (platform: Platform, account: Account, id: string) =>
  ifOwned(account, await readableRun(platform, account, id));

/** Like `ownedRun`, for a run whose samples the account may also read. */
export const ownedSamples = async (platform: Platform, account: Account, id: string) =>
  ifOwned(account, await readableSamples(platform, account, id));

const ifOwned = (account: Account, run: Result<RunRecord, Refusal>): Result<RunRecord, Refusal> =>
  !run.ok || isOwner(account, run.value) ? run : err(foreignRun(run.value.id));

/** The refusal for an account that can read a run but not change it. */
export const foreignRun = (id: string) => ({
  type: "forbidden" as const,
  detail: `run "${id}" belongs to another account: use a key of its owner's account, or ask its owner to do it`,
});

/** A submission with its readable runs; null if there are none. */
export async function readableSubmission(
  platform: Platform,
  account: Account | null,
  id: string,
): Promise<{ submission: NewSubmission; runs: RunRecord[] } | null> {
  const stored = await platform.runs.submission(id);
  const runs = stored?.runs.filter((run) => isReadable(run, account)) ?? [];
  return stored === null || runs.length === 0 ? null : { ...stored, runs };
}

/** Whether the account may read a run that was read together with others. */
export const isReadable = (run: RunRecord, account: Account | null): boolean =>
  isReadableBy(run, readerOf(account));

/** The same for a reader. */
export function isReadableBy(
  run: Pick<RunRecord, "id" | "owner" | "visibility" | "deletedAt" | "hiddenReason">,
  reader: Reader,
): boolean {
  if (run.deletedAt !== null) return false;
  if (run.hiddenReason === null && run.visibility !== "private") return true;
  return mayRead(reader, run.owner) || (run.hiddenReason === null && isShared(reader, run));
}

/** Whether the reader's share link opens the run. */
const isShared = ({ shared = [] }: Reader, { id }: Pick<RunRecord, "id">): boolean =>
  shared.includes(id);

export const isOwner = (account: Account, run: Pick<RunRecord, "owner">): boolean =>
  run.owner === account.owner || account.scopes.includes("admin");

type Sampled = Pick<RunRecord, "id" | "owner" | "samplesOwner">;

/**
 * Whether the account may read a run's single samples: rows, answers, judgments, ids. For a private dataset only its
 * owner and admins may, even if others read the run's metrics; a share link opens samples only of its maker's datasets.
 */
export function readsSamples(run: Sampled, account: Account | null): boolean {
  const { samplesOwner } = run;
  const reader = readerOf(account);
  return (
    samplesOwner === null ||
    mayRead(reader, samplesOwner) ||
    (samplesOwner === run.owner && isShared(reader, run))
  );
}

/** A run's points without answers. Latency distributions and kinds of failures stay: they reveal nothing about samples. */
export const pointsWithoutSamples = (points: RunPoints | null): RunPoints | null =>
  points && { ...points, points: [], failures: [], picks: [] };

/** A run's breakdown without the samples that it names. */
export const breakdownWithoutSamples = (suite: Suite | undefined, breakdown: Json): Json =>
  breakdown === null ? null : (suite?.breakdownWithoutSamples?.(breakdown) ?? breakdown);

/** A comparison, with the settings that differ; without sample names unless all its runs show their samples. */
export const comparisonFor = (
  account: Account | null,
  runs: readonly Sampled[],
  comparison: Comparison,
): Comparison => ({
  ...comparison,
  differingSettings: differingSettings(comparison.runs),
  ...(!runs.every((run) => readsSamples(run, account)) && { differing: [] }),
});

export type RunRefusal =
  | { type: "not-found" | "forbidden" | "conflict"; detail: string }
  | { type: "invalid-request"; detail: string; errors: FieldError[] }
  | ({ type: "quota-exceeded" } & OverQuota);
