import type { Json } from "#shared/contracts/json.ts";
import type { RunPoints } from "#shared/contracts/run-points.ts";
import type { Timeline } from "#shared/contracts/timeline.ts";
import type { RunRecord } from "./schema.ts";

/** What a run keeps in R2: all under one folder, so that it can be removed as one. */
export const runFolder = (runId: string): string => `runs/${runId}/`;

/**
 * A run that is retried is summed up again. Its results have a folder of their own, so that whoever
 * still sums up the answers from before overwrites nothing.
 */
export type SummedRun = Pick<RunRecord, "id" | "retries">;

const sumsFolder = ({ id, retries }: SummedRun): string =>
  `${runFolder(id)}sums-${retries.length}/`;

/** Sample rows of a run that ended a while ago. */
export const archiveKey = (run: SummedRun): string => `${sumsFolder(run)}samples.gz`;

/** Where the sums of a long run are between two pieces of it. */
export const piecesFolder = (runId: string): string => `${runFolder(runId)}pieces/`;

/** What comparisons need, by sample. */
export const scoresKey = (run: SummedRun): string => `${sumsFolder(run)}scores.json`;

/** What reports draw from, too large for the run's row, which every poll reads. */
export interface RunParts {
  /** The suite's named tables. */
  breakdown: Json;
  /** Throughput over the run's time; null for answers made elsewhere. */
  timeline: Timeline | null;
  /** Answers one by one: some for charts, and those worth a look. */
  points: RunPoints | null;
}

/** Its parts, in one object: whoever wants one of them wants all as a rule. */
export const partsKey = (run: SummedRun): string => `${sumsFolder(run)}parts.json`;

/** What a statement needs of answers and rows: the answers' hash outlives them. */
export const statementFactsKey = (run: SummedRun): string =>
  `${sumsFolder(run)}statement-facts.json`;

/** What was published of it, with the signature. */
export const statementKey = (run: SummedRun): string => `${sumsFolder(run)}statement.json`;

/** What answers of its reference are worth today, by sample: what a drift is attributed to. */
export const frozenScoresKey = (run: SummedRun): string => `${sumsFolder(run)}frozen-scores.json`;

/** Where the raw answers are: those that lanes stored, and those that came with the submission. */
export const answerPrefixes = (runId: string): readonly string[] => [
  `${runFolder(runId)}answers/`,
  `${runFolder(runId)}submitted-`,
];

const DAY_MS = 86_400_000;

/** Of the deployment's settings: 0 keeps them for ever. */
interface Retention {
  rawRetentionDays: number;
}

/** Runs that ended no later than this keep no raw answers; null: all keep them. */
export function retentionEnd(settings: Retention, now: number): number | null {
  const { rawRetentionDays } = settings;
  return rawRetentionDays > 0 ? now - rawRetentionDays * DAY_MS : null;
}

/** Whether a run's raw answers are removed, or may be so any moment. */
export function areAnswersGone(
  run: Pick<RunRecord, "answersRemovedAt" | "finishedAt">,
  settings: Retention,
  now: number,
): boolean {
  const end = retentionEnd(settings, now);
  const isPast = end !== null && run.finishedAt !== null && run.finishedAt <= end;
  return run.answersRemovedAt !== null || isPast;
}

/** For every refusal that has this reason. */
export const answersGoneDetail = (run: Pick<RunRecord, "id">): string =>
  `the raw answers of run "${run.id}" were deleted because of their age; its metrics and sample rows are kept`;
