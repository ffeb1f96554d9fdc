import type { Answer } from "../../contracts/answer.ts";
import type { RunPoints } from "../../contracts/runs/run-points.ts";
import type { SampleScore } from "../../contracts/suite.ts";
import { keepSmallest } from "../../stats/sums/keep-smallest.ts";

const mostWorst = 3;
const mostOdd = 4;

/** If all scores are equal, answers with at least this score are called the best, else the worst. */
const goodScore = 0.5;

/** An answer of a run with its score. */
export interface PickableAnswer {
  /** Index in the run. */
  seq: number;
  id: string;
  /** Index of the repeat, from 0. */
  repeat: number;
  answer: Pick<
    Answer,
    | ("latencyMs" | "inputTokens" | "outputTokens" | "finishReason" | "refusal" | "error")
    | "reused"
    | "judgments"
  >;
  score: Pick<SampleScore, "status" | "score" | "covered">;
}

/** A candidate. */
type Candidate = Omit<PickedAnswer, "kind"> & { value: number };

/** Kinds of odd answers, the most important first. */
const oddities = ["failed", "unscored", "refused", "truncated", "slowest", "longest"] as const;
type Oddity = (typeof oddities)[number];

/** Candidates so far, and the smallest latency and length, to detect whether all are equal. */
export interface PickTally {
  worst: Candidate[];
  best: Candidate[];
  odd: Record<Oddity, Candidate[]>;
  least: Partial<Record<Oddity, number>>;
}

type PickedAnswer = RunPoints["picks"][number];

/**
 * An empty tally.
 * @example picksOf(noPicks()) // []
 */
export function noPicks(): PickTally {
  const odd = { failed: [], unscored: [], refused: [], truncated: [], slowest: [], longest: [] };
  return { worst: [], best: [], odd, least: {} };
}

/**
 * Adds an answer as a candidate for every kind it qualifies for. Equal answers are in the order of the run. Changes
 * `tally`; constant time.
 * @example pickFrom(tally, { ...stored, repeat: 0 })
 */
export function pickFrom(tally: PickTally, answer: PickableAnswer): void {
  const { seq, id, repeat, score } = answer;
  const candidate = (value: number, reason = "") => ({ seq, id, repeat, value, reason });
  // A failed request has a score of 0 but no answer to show.
  if (score.status === "scored" && score.covered && score.score !== null) {
    keepSmallest(tally.worst, candidate(score.score), mostWorst, byValue);
    keepSmallest(tally.best, candidate(-score.score), 1, byValue);
  }
  for (const [oddity, value, reason] of odditiesOf(answer)) {
    keepSmallest(tally.odd[oddity], candidate(-value, reason), 1, byValue);
    tally.least[oddity] = Math.min(tally.least[oddity] ?? value, value);
  }
}

const byValue = (a: Candidate, b: Candidate): number => a.value - b.value || a.seq - b.seq;

/** Why an answer is odd: kind, degree and text. */
function odditiesOf({ answer, score }: PickableAnswer): [Oddity, number, string][] {
  const { error, refusal, finishReason, latencyMs, outputTokens } = answer;
  if (error !== null) return [["failed", 1, failureText(error.class)]];
  const found: [Oddity, number | null, string][] = [
    ["unscored", score.status === "unscored" ? 1 : null, "a judge failed"],
    ["refused", refusal ? 1 : null, "refused to answer"],
    ["truncated", finishReason === "length" ? 1 : null, "cut off at the token limit"],
    ["slowest", latencyMs, "slowest answer"],
    ["longest", outputTokens, "longest answer"],
  ];
  return found.filter((one): one is [Oddity, number, string] => one[1] !== null);
}

const failureText = (errorClass: NonNullable<Answer["error"]>["class"]): string =>
  errorClass === "not_submitted"
    ? "no answer was submitted"
    : `failed request (${errorClass.replaceAll("_", " ")})`;

/**
 * The notable answers, each once: up to three with the lowest scores and one with the highest, or up to three if all
 * scores are equal; and up to four odd ones, if any: failed, unscored, refused, truncated, slowest, longest. If an
 * odd answer is already picked, its reason is extended.
 * @example picksOf(tally) // [{ kind: "worst", reason: "lowest score; slowest answer", … }]
 */
export function picksOf(tally: PickTally): PickedAnswer[] {
  const picks = scoredPicks(tally);
  const placed = new Map(picks.map((pick) => [pick.seq, pick]));
  for (const candidate of oddities.flatMap((name) => oddCandidates(tally, name))) {
    const pick = placed.get(candidate.seq);
    if (pick !== undefined) pick.reason += `; ${candidate.reason}`;
    else if (picks.filter(({ kind }) => kind === "odd").length < mostOdd) {
      const odd = picked("odd", candidate.reason, candidate);
      picks.push(odd);
      placed.set(odd.seq, odd);
    }
  }
  return picks;
}

/** If all values are equal, none is the slowest or longest. */
function oddCandidates({ odd, least }: PickTally, name: Oddity): Candidate[] {
  const isMeasured = name === "slowest" || name === "longest";
  return odd[name].filter(({ value }) => !isMeasured || -value > (least[name] ?? 0));
}

function scoredPicks({ worst, best: [best] }: PickTally): PickedAnswer[] {
  const [lowest] = worst;
  if (lowest === undefined || best === undefined) return [];
  const [least, most] = [lowest.value, -best.value];
  if (least === most) {
    const kind = most >= goodScore ? "best" : "worst";
    const reason =
      worst.length === 1 ? "the only score" : "one of several answers with equal scores";
    return worst.map((one) => picked(kind, reason, one));
  }
  const low = worst.filter(({ value }) => value < most);
  return [
    ...low.map((one) =>
      picked("worst", one.value === least ? "lowest score" : "among the lowest scores", one),
    ),
    picked("best", "highest score", best),
  ];
}

const picked = (
  kind: PickedAnswer["kind"],
  reason: string,
  { seq, id, repeat }: Candidate,
): PickedAnswer => ({ kind, reason, seq, id, repeat });
