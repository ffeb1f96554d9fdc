import { LineDigest, type LineDigestState } from "#shared/contracts/content-hash.ts";
import { wholeAnswerLine } from "#shared/contracts/submissions/whole-answer.ts";
import type { ScoredSample, Suite } from "#shared/contracts/suite.ts";
import {
  type CollectedScores,
  collectScores,
  noScores,
  runScores,
} from "#shared/measures/comparison/collect-scores.ts";
import {
  addJudgeSpend,
  type JudgeCalls,
  type JudgeSpend,
} from "#shared/measures/judging/judge-spend.ts";
import { callOf } from "#shared/measures/performance/call-totals.ts";
import { addPoint, noPoints, type PointsTally } from "#shared/measures/performance/run-points.ts";
import { countServed, type ServedTally } from "#shared/measures/performance/served-models.ts";
import {
  addToTimeline,
  emptyTimeline,
  type TimedSample,
  type TimelineTally,
} from "#shared/measures/performance/timeline.ts";
import type { StoredSample } from "../runs/stored-samples.ts";
import type { RunPlan } from "./run-plan.ts";

/** Sums of a run while its samples are added in order: the suite's state, and all other tallies. */
export interface RunSums {
  state: unknown;
  timeline: TimelineTally | null;
  points: PointsTally;
  served: ServedTally;
  spend: JudgeSpend;
  answers: LineDigest;
  /** Scores of earlier pieces, by sample as JSON. */
  earlier: readonly string[];
  scores: CollectedScores;
}

/** The sums as plain JSON, stored between two pieces of a run. */
export interface WrittenSums extends Pick<RunSums, "state" | "timeline" | "points"> {
  served: [string | null, number][];
  spend: [string, JudgeCalls][];
  answers: LineDigestState;
  scores: string[];
}

/** The parts of a plan that sums need. */
export interface SummedPlan extends Pick<RunPlan, "heads" | "repeats"> {
  suite: Suite;
  /** The suite's own options, parsed. */
  options: unknown;
}

/** Sums without samples; `wallMs`: from the run's start to its last answer, null if no model was called. */
export const noSums = (suite: Suite, options: unknown, wallMs: number | null): RunSums => ({
  state: suite.aggregate.empty(options),
  timeline: wallMs === null ? null : emptyTimeline(wallMs),
  points: noPoints(),
  served: new Map(),
  spend: new Map(),
  answers: new LineDigest(),
  earlier: [],
  scores: noScores(),
});

export function addSample(
  sums: RunSums,
  { suite, options, heads, repeats }: SummedPlan,
  stored: StoredSample,
  row: TimedSample,
): void {
  const { seq, id, score, answer } = stored;
  const repeat = seq % repeats;
  const tags = heads[Math.floor(seq / repeats)]?.tags ?? {};
  const scored: ScoredSample = { seq, id, tags, score, call: callOf(answer) };
  collectScores(sums.scores, scored, suite.sampleValues(score, options));
  sums.answers.add(wholeAnswerLine(stored, repeat));
  countServed(sums.served, answer);
  addJudgeSpend(sums.spend, answer);
  addPoint(sums.points, { ...stored, repeat }, () => featuresOf(suite, stored));
  if (sums.timeline !== null) addToTimeline(sums.timeline, row);
  sums.state = suite.aggregate.add(sums.state, scored);
}

/** Null for a lost unit, which has no details. */
const featuresOf = (
  suite: Suite,
  { score }: StoredSample,
): Readonly<Record<string, number | string>> =>
  score.detail === null ? {} : (suite.features?.(score) ?? {});

/** Scores by sample, one JSON text for each non-empty piece; at least one text. */
export const scoreTexts = ({ earlier, scores }: RunSums): string[] =>
  scores.rows.length === 0 && earlier.length > 0
    ? [...earlier]
    : [...earlier, JSON.stringify(runScores(scores))];

/** Sums as stored. Samples that are added later must have new ids. */
export function writtenSums(sums: RunSums): WrittenSums {
  const { state, timeline, points, served, spend, answers } = sums;
  const scores = sums.scores.rows.length === 0 ? [...sums.earlier] : scoreTexts(sums);
  return {
    state,
    timeline,
    points,
    served: [...served],
    spend: [...spend],
    answers: answers.state(),
    scores,
  };
}

/** Stored sums, ready for more samples. Shares parts of its argument. */
export const readSums = ({ served, spend, answers, scores, ...sums }: WrittenSums): RunSums => ({
  ...sums,
  served: new Map(served),
  spend: new Map(spend),
  answers: new LineDigest(answers),
  earlier: scores,
  scores: noScores(),
});
