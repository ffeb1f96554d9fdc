import type { RunPoints } from "../../contracts/runs/run-points.ts";
import { hash32 } from "../../stats/hash32.ts";
import { binnedHistogram } from "../../stats/sums/binned-histogram.ts";
import { keepSmallest } from "../../stats/sums/keep-smallest.ts";
import { addBinned, type LogBins, noBins } from "../../stats/sums/log-bins.ts";
import {
  noPicks,
  type PickableAnswer,
  type PickTally,
  pickFrom,
  picksOf,
} from "./picked-answers.ts";
import {
  countFailure,
  countJudgeFailures,
  type FailureTally,
  failuresOf,
  type JudgeFailureTally,
} from "./request-failures.ts";

/** Maximum number of points: as many as a chart can show separately and a page can contain. */
const mostPoints = 300;

type Point = RunPoints["points"][number];

/** A point with the hash that decides whether it is kept. */
interface KeptPoint {
  hash: number;
  seq: number;
  point: Point;
}

/** Intermediate state of bounded size. */
export interface PointsTally {
  answers: number;
  reused?: number;
  points: KeptPoint[];
  latency: LogBins;
  failures: FailureTally;
  judgeFailures?: JudgeFailureTally;
  picks: PickTally;
}

/**
 * A tally without answers.
 * @example pointsOf(noPoints()).picks // []
 */
export function noPoints(): PointsTally {
  return { answers: 0, points: [], latency: noBins(), failures: {}, picks: noPicks() };
}

/**
 * Adds an answer; `features` is called only if its point is kept. Ignores latency and tokens of a failed request.
 * Changes `tally`; constant time for an answer that is not kept.
 * @example addPoint(tally, { ...stored, repeat: 0 }, () => suite.features?.(stored.score) ?? {})
 */
export function addPoint(
  tally: PointsTally,
  answer: PickableAnswer,
  features: () => Point["features"],
): void {
  tally.answers++;
  if (answer.answer.reused) tally.reused = (tally.reused ?? 0) + 1;
  const point = pointOf(answer);
  if (point.latencyMs !== null) addBinned(tally.latency, point.latencyMs);
  const kept = { hash: hash32(`${answer.repeat} ${answer.id}`), seq: answer.seq, point };
  const isKept = keepSmallest(tally.points, kept, mostPoints, byHash);
  if (isKept) point.features = features();
  countFailure(tally.failures, answer);
  tally.judgeFailures ??= {};
  countJudgeFailures(tally.judgeFailures, answer.answer);
  pickFrom(tally.picks, answer);
}

const byHash = (a: KeptPoint, b: KeptPoint): number => a.hash - b.hash || a.seq - b.seq;

function pointOf({ id, answer, score }: PickableAnswer): Point {
  const { latencyMs, inputTokens, outputTokens, error } = answer;
  const call = error === null ? { latencyMs, inputTokens, outputTokens } : noCall;
  return { id, score: score.score, ...call, features: {} };
}

const noCall = { latencyMs: null, inputTokens: null, outputTokens: null };

/**
 * The points of all added answers: up to 300 in the order of the run, chosen by a hash of sample and repeat, so the
 * same ones in every run of a dataset; a histogram of all latencies in ms; why requests failed; and notable answers,
 * each once.
 * @example pointsOf(tally).points.length // 300
 */
export function pointsOf(tally: PointsTally): RunPoints {
  const { answers, reused, points, latency, failures, picks } = tally;
  const judgeFailures = Object.values(tally.judgeFailures ?? {}).sort((a, b) => b.count - a.count);
  return {
    answers,
    ...(reused !== undefined && { reused }),
    points: points.toSorted((a, b) => a.seq - b.seq).map(({ point }) => point),
    latency: binnedHistogram(latency),
    failures: failuresOf(failures),
    ...(judgeFailures.length > 0 && { judgeFailures }),
    picks: picksOf(picks),
  };
}
