import type { JudgmentRecord } from "../../contracts/judgment.ts";
import type { ScoredSample } from "../../contracts/suite.ts";
import {
  crowdOf,
  type Families,
  memberOf,
  mergeFamilies,
  noFamilies,
} from "../../stats/families.ts";
import { hash32 } from "../../stats/hash32.ts";
import {
  alphaOfSums,
  meanAbsoluteError,
  pairNumbers,
  panelNumbers,
  weightedKappa,
} from "../../stats/rating-sums.ts";
import type { Statistic } from "../../stats/statistics.ts";
import { addColumns, type Columns, columnAt, inOrder, noColumnSums } from "../run-sums/columns.ts";
import { type PartSums, partRules, unitName } from "../run-sums/run-state.ts";

/** Groups of samples that parts are resampled in. */
const groupCount = 128;

/** Of what one judge made of a thing by one metric. */
const whole = [
  ...(["asked", "judged", "cached", "fallback", "selfPreference", "simulated"] as const),
  ...(["requests", "unpriced", "inputTokens", "outputTokens", "pairs", "ratings"] as const),
] as const;
const fractions = [
  ...(["value", "costUsd", "pairA", "pairB", "pairAA", "pairBB", "pairSquared"] as const),
  ...(["pairAbsolute", "ratingSum", "ratingSquares", "ratingDisagreement"] as const),
] as const;
type JudgeColumn = (typeof whole)[number] | (typeof fractions)[number];

const judgeColumns: Columns<JudgeColumn> = { whole, fractions };
const none = Object.fromEntries([...whole, ...fractions].map((name) => [name, 0])) as Readonly<
  Record<JudgeColumn, number>
>;

/** Where each number of a judge stands among the sums. */
export const judgeAt = columnAt(judgeColumns);

/** Families of parts: a judge under a metric, the panel of a metric. */
export const judgeFamily = "judge";
export const panelFamily = "panel";

/** What judges of a run did, by metric and judge, and panels by metric. */
export type JudgeParts = Families<PartSums>;

/** What one judge did, and the value it gave on its metric's scale; null: none. */
export interface JudgeDeed
  extends Pick<
    JudgmentRecord,
    | ("judge" | "isCached" | "isFallback" | "isSelfPreference" | "isSimulated")
    | ("requests" | "inputTokens" | "outputTokens" | "costUsd")
  > {
  value: number | null;
}

/** What the judges of one thing made of it by one metric: of an answer, or of a part of one. */
export interface JudgedThing {
  metric: string;
  judges: readonly JudgeDeed[];
  /** What people gave it; left out where they gave nothing. */
  human?: number | undefined;
}

/**
 * What judges of no answers did.
 * @example partSums({ ...state, parts: noJudges() }, judgeFamily) // []
 */
export const noJudges = (): JudgeParts => noFamilies(partRules);

/**
 * Adds what judges of other answers did. Changes `parts`.
 * @example mergeJudges(parts, other)
 */
export const mergeJudges = (parts: JudgeParts, other: JudgeParts): void =>
  mergeFamilies(parts, other, partRules);

/**
 * Adds what judges made of a sample's answer. Changes `parts`.
 * @example addJudged(parts, scored, [{ metric: "empathy", judges }])
 */
export function addJudged(
  parts: JudgeParts,
  { id, tags }: Pick<ScoredSample, "id" | "tags">,
  things: readonly JudgedThing[],
): void {
  const unit = unitName({ id, cluster: tags["cluster"] ?? null });
  const group = hash32(unit) % groupCount;
  for (const { metric, judges, human } of things) {
    for (const judge of judges) {
      const name = JSON.stringify([metric, judge.judge]);
      addPart(parts, judgeFamily, name, group, judgeNumbers(judge, human));
    }
    const values = judges.flatMap(({ value }) => (value === null ? [] : [value]));
    if (values.length < 2) continue;
    addPart(parts, panelFamily, metric, group, { ...none, ...panelNumbers(values) });
  }
}

function addPart(
  parts: JudgeParts,
  family: string,
  name: string,
  group: number,
  numbers: Readonly<Record<JudgeColumn, number>>,
): void {
  const part = memberOf(parts, family, name, partRules);
  if (part === null) {
    crowdOf(parts, family, partRules).answers++;
    return;
  }
  part.answers++;
  part.columns[group] ??= noColumnSums(judgeColumns);
  addColumns(part.columns[group], inOrder(judgeColumns, numbers));
}

/** A judgment that was kept from before took nothing. */
function judgeNumbers(
  { value, isCached, isFallback, isSelfPreference, isSimulated, ...its }: JudgeDeed,
  human: number | undefined,
): Record<JudgeColumn, number> {
  const { requests, costUsd, inputTokens, outputTokens } = its;
  return {
    ...none,
    ...{ asked: 1, judged: Number(value !== null), value: value ?? 0 },
    ...{ cached: Number(isCached), fallback: Number(isFallback) },
    ...{ selfPreference: Number(isSelfPreference), simulated: Number(isSimulated) },
    ...(!isCached && { requests, inputTokens, outputTokens }),
    ...(!isCached && { costUsd: costUsd ?? 0, unpriced: Number(requests > 0 && costUsd === null) }),
    ...(value !== null && human !== undefined && pairNumbers(value, human)),
  };
}

/** What a judge's values come to, and how they go with people's. */
export const judgeStatistics: Readonly<Record<string, Statistic>> = {
  mean: (sums) =>
    sums[judgeAt.judged] === 0 ? null : sums[judgeAt.value]! / sums[judgeAt.judged]!,
  kappa: weightedKappa(judgeAt),
  meanAbsoluteError: meanAbsoluteError(judgeAt),
};

/** How the judges of a panel agree. */
export const panelStatistics: Readonly<Record<string, Statistic>> = { alpha: alphaOfSums(judgeAt) };
