import type { JudgedAnswer, JudgeResult } from "../../contracts/judging/judgment.ts";
import type { ScoredSample } from "../../contracts/suite.ts";
import type { Statistic } from "../../stats/bootstrap/statistics.ts";
import {
  alphaOfSums,
  meanAbsoluteError,
  pairNumbers,
  panelNumbers,
  weightedKappa,
} from "../../stats/correlation/rating-sums.ts";
import type { Families } from "../../stats/sums/families.ts";
import { columnAt, ratioOf } from "../run-sums/named-sums.ts";
import { addPart, type PartSums } from "../run-sums/run-state.ts";

/** Sums over one judge's judgments for one metric. */
const judgeColumns = [
  "asked",
  "judged",
  "cached",
  "fallback",
  "replaced",
  "selfPreference",
  "simulated",
  "requests",
  "unpriced",
  "inputTokens",
  "outputTokens",
  "pairs",
  "ratings",
  "value",
  "costUsd",
  "pairA",
  "pairB",
  "pairAA",
  "pairBB",
  "pairSquared",
  "pairAbsolute",
  "ratingSum",
  "ratingSquares",
  "ratingDisagreement",
] as const;
type JudgeColumn = (typeof judgeColumns)[number];

const none = Object.fromEntries(judgeColumns.map((name) => [name, 0])) as Readonly<
  Record<JudgeColumn, number>
>;

/** Index of each judge number in the sums. */
export const judgeAt = columnAt(judgeColumns);

/** Families of parts: judges by metric, and panels by metric. */
export const judgeFamily = "judge";
export const panelFamily = "panel";

/** Sums of a run's judges, by metric and judge, and of panels by metric. */
export type JudgeParts = Families<PartSums>;

/** Judgments of one item (an answer, or a part of one) for one metric. */
export interface JudgedItem extends Pick<JudgedAnswer, "metric" | "judges"> {
  /** The human rating; missing if there is none. */
  human?: number | undefined;
}

/**
 * Adds the judgments of a sample's answer. Changes `parts`.
 * @example addJudged(parts, scored, [{ metric: "empathy", judges }])
 */
export function addJudged(
  parts: JudgeParts,
  { id, tags }: Pick<ScoredSample, "id" | "tags">,
  things: readonly JudgedItem[],
): void {
  const answer = { id, cluster: tags["cluster"] ?? null };
  const add = (family: string, name: string, numbers: Readonly<Record<JudgeColumn, number>>) =>
    addPart(
      parts,
      family,
      name,
      answer,
      judgeColumns.map((column) => numbers[column]),
    );
  for (const { metric, judges, human } of things) {
    for (const judge of judges) {
      add(judgeFamily, JSON.stringify([metric, judge.judge]), judgeNumbers(judge, human));
    }
    const values = judges.flatMap(({ value }) => (value === null ? [] : [value]));
    if (values.length > 1) add(panelFamily, metric, { ...none, ...panelNumbers(values) });
  }
}

/** A cached judgment has no calls or tokens, and a simulated one no cost. */
function judgeNumbers(
  { value, isCached, isFallback, replaced, isSelfPreference, isSimulated, ...its }: JudgeResult,
  human: number | undefined,
): Record<JudgeColumn, number> {
  const { requests, costUsd, inputTokens, outputTokens } = its;
  return {
    ...none,
    asked: 1,
    judged: Number(value !== null),
    value: value ?? 0,
    cached: Number(isCached),
    fallback: Number(isFallback),
    replaced: Number(replaced !== undefined),
    selfPreference: Number(isSelfPreference),
    simulated: Number(isSimulated),
    ...(!isCached && { requests, inputTokens, outputTokens }),
    ...(!isCached && !isSimulated && costNumbers(requests, costUsd)),
    ...(value !== null && human !== undefined && pairNumbers(value, human)),
  };
}

const costNumbers = (requests: number, costUsd: number | null) => ({
  costUsd: costUsd ?? 0,
  unpriced: Number(requests > 0 && costUsd === null),
});

/** Statistics of a judge's values, and their agreement with human ratings. */
export const judgeStatistics: Readonly<Record<string, Statistic>> = {
  mean: ratioOf(judgeAt)("value", "judged"),
  kappa: weightedKappa(judgeAt),
  meanAbsoluteError: meanAbsoluteError(judgeAt),
};

/** Agreement of a panel's judges. */
export const panelStatistics: Readonly<Record<string, Statistic>> = { alpha: alphaOfSums(judgeAt) };
