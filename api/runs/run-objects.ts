import { textHash } from "#shared/contracts/content-hash.ts";
import type { Json } from "#shared/contracts/json.ts";
import type { RunPoints } from "#shared/contracts/runs/run-points.ts";
import type { Timeline } from "#shared/contracts/runs/timeline.ts";
import { eachAtOnce, type ObjectStore } from "../platform/object-store.ts";
import type { RunRecord } from "./schema.ts";

/** Folder of everything a run stores in R2, so that it can be deleted as a whole. */
export const runFolder = (runId: string): string => `runs/${runId}/`;

/**
 * The columns that determine the folder of a run's results. Each retry has its own folder, so that a late process for
 * the old answers overwrites nothing.
 */
export type SummedRun = Pick<RunRecord, "id" | "retries">;

/** Folder of an account's data stored by content: judgments and findings, which its runs share. */
export const accountFolder = (owner: string): string => `accounts/${textHash(`account ${owner}`)}/`;

/** Folder in which a run notes the keys of results about it and other runs, so that they are deleted with it. */
export const notesFolder = (runId: string): string => `${runFolder(runId)}notes/`;

/**
 * Stores a result about some runs until one of them is deleted. The notes are written first, so that a crash leaves no
 * result behind.
 */
export async function keepAbout(
  objects: Pick<ObjectStore, "put">,
  runs: readonly Pick<RunRecord, "id">[],
  key: string,
  value: unknown,
): Promise<void> {
  await eachAtOnce(runs, ({ id }) => objects.put(`${notesFolder(id)}${key}`, null));
  await objects.put(key, value);
}

const sumsFolder = ({ id, retries }: SummedRun): string =>
  `${runFolder(id)}sums-${retries.length}/`;

export const archiveKey = (run: SummedRun): string => `${sumsFolder(run)}samples.gz`;

/** Sums of a long run between its pieces. */
export const piecesFolder = (runId: string): string => `${runFolder(runId)}pieces/`;

/** Scores by sample, for comparisons. */
export const scoresKey = (run: SummedRun): string => `${sumsFolder(run)}scores.json`;

/** Data for reports. Not in the run's row, because every poll reads that. */
export interface RunParts {
  /** The suite's named tables. */
  breakdown: Json;
  /** Throughput over time; null for submitted answers. */
  timeline: Timeline | null;
  /** Single answers: some for charts, and the picked ones. */
  points: RunPoints | null;
}

/** All parts in one object, because most readers need all of them. */
export const partsKey = (run: SummedRun): string => `${sumsFolder(run)}parts.json`;

/** Facts for a statement. The hash of the answers outlives the answers. */
export const statementFactsKey = (run: SummedRun): string =>
  `${sumsFolder(run)}statement-facts.json`;

/** The published statement, with its signature. */
export const statementKey = (run: SummedRun): string => `${sumsFolder(run)}statement.json`;

/** Current scores of the reference's answers by sample, for the attribution of drift. */
export const frozenScoresKey = (run: SummedRun): string => `${sumsFolder(run)}frozen-scores.json`;

/** Requests and replies of batches; deleted when their lane has nothing left to do. */
export const batchesFolder = (runId: string): string => `${runFolder(runId)}batches/`;

/** Long requests for runners, and long replies; deleted when their samples are saved. */
export const runnerFolder = (runId: string): string => `${runFolder(runId)}runner/`;

/** Replies of postponed units to their first requests; deleted when their answers are saved. */
export const repliesFolder = (runId: string): string => `${runFolder(runId)}replies/`;

/** Folders of raw answers: stored by lanes, of postponed units, in batches, by runners, and submitted. */
export const answerPrefixes = (runId: string): readonly string[] => [
  `${runFolder(runId)}answers/`,
  repliesFolder(runId),
  batchesFolder(runId),
  runnerFolder(runId),
  `${runFolder(runId)}submitted-`,
];

const DAY_MS = 86_400_000;

/** Retention from the deployment's settings; 0: unlimited. */
interface Retention {
  rawRetentionDays: number;
}

/** Runs that ended at or before this time have no raw answers; null: all have them. */
export function retentionEnd(settings: Retention, now: number): number | null {
  const { rawRetentionDays } = settings;
  return rawRetentionDays > 0 ? now - rawRetentionDays * DAY_MS : null;
}

/** Whether a run's raw answers were deleted, or may be at any moment. */
export function areAnswersGone(
  run: Pick<RunRecord, "answersRemovedAt" | "finishedAt" | "answerDays">,
  settings: Retention,
  now: number,
): boolean {
  const ends = [retentionEnd(settings, now), run.answerDays && now - run.answerDays * DAY_MS];
  const end = ends.reduce((latest, one) => Math.max(latest ?? 0, one ?? 0) || null, null);
  const isPast = end !== null && run.finishedAt !== null && run.finishedAt <= end;
  return run.answersRemovedAt !== null || isPast;
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Notes for readers on how long a run is kept. */
export function retentionNotes({
  answersRemovedAt,
  answerDays,
  runDays,
}: Pick<RunRecord, "answersRemovedAt" | "answerDays" | "runDays">): string[] {
  const gone = answersRemovedAt && `the raw answers were deleted on ${dayOf(answersRemovedAt)}`;
  const going = answerDays && `the raw answers are deleted ${answerDays} days after its end`;
  const end =
    runDays && `the run is deleted ${runDays} days after its end, as its account wants it`;
  return [gone || going, end].filter((note) => typeof note === "string");
}

/** The message of every refusal because the raw answers were deleted. */
export const answersGoneDetail = (run: Pick<RunRecord, "id">): string =>
  `the raw answers of run "${run.id}" were deleted because of their age; its metrics and sample rows are kept`;
