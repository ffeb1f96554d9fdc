import type { ScoredSample } from "../../../contracts/suite.ts";
import { columnAt, ratioOf } from "../../../measures/run-sums/named-sums.ts";
import type { PartNumbers, RunRules } from "../../../measures/run-sums/run-state.ts";
import type { Statistic } from "../../../stats/bootstrap/statistics.ts";
import { firstShown, orders } from "../ask.ts";
import type { Verdict } from "../sample.ts";
import { isConsistent, type PairsDetail, rightShare } from "../score.ts";

/** The columns that parts of a run store by group of samples. */
const partColumns = ["pairs", "labelled", "right", "consistent", "won"] as const;

const pairColumns = [
  ...partColumns,
  "bothRight",
  "judged",
  "decided",
  "first",
  "firstTwice",
  "secondTwice",
  "ties",
  "unequal",
  "longer",
  "labelUnequal",
  "labelLonger",
] as const;
type PairColumn = (typeof pairColumns)[number];

/** The family of parts with the two models of each pair. */
export const pairingFamily = "models";

const nothing = Object.fromEntries(pairColumns.map((name) => [name, 0])) as Record<
  PairColumn,
  number
>;

/** How pairs become numbers. */
export const rules: RunRules<PairColumn, PairsDetail> = {
  columns: pairColumns,
  partColumns: partColumns.length,
  spreads: [],
  read: ({ score: { detail } }: ScoredSample<PairsDetail>) => ({
    numbers: numbersOf(detail),
    parts: pairingOf(detail),
    counts: {
      [`status ${detail.status}`]: 1,
      [`orders ${bothOrders(detail)}`]: 1,
      [`label ${detail.label ?? "none"}`]: 1,
      ...(detail.truncated && { truncated: 1 }),
    },
  }),
};

const isSide = (verdict: Verdict | null): boolean => verdict === "A" || verdict === "B";

function numbersOf(detail: PairsDetail): Record<PairColumn, number> {
  const { label, verdict, longer } = detail;
  const right = rightShare(detail);
  const numbers = {
    ...nothing,
    pairs: 1,
    labelled: Number(label !== null),
    right: right ?? 0,
    bothRight: Number(right === 1),
    consistent: Number(isConsistent(detail)),
    labelUnequal: Number(isSide(label) && longer !== null),
    labelLonger: Number(isSide(label) && label === longer),
  };
  if (verdict === null) return numbers;
  const decided = orders.filter((order) => isSide(detail[order].verdict));
  const first = decided.filter((order) => detail[order].verdict === firstShown[order]);
  return {
    ...numbers,
    judged: 1,
    decided: decided.length,
    first: first.length,
    firstTwice: Number(first.length === 2),
    secondTwice: Number(decided.length === 2 && first.length === 0),
    ties: Number(decided.length === 0),
    unequal: Number(isSide(verdict) && longer !== null),
    longer: Number(isSide(verdict) && verdict === longer),
  };
}

/** Name of the combined verdicts of both orders, for counts. */
function bothOrders(detail: PairsDetail): string {
  const { verdict } = detail;
  if (verdict === null) return "unjudged";
  const { consistent, firstTwice, secondTwice } = numbersOf(detail);
  if (consistent === 1) return verdict === "tie" ? "tie" : "same";
  if (firstTwice === 1) return "first";
  return secondTwice === 1 ? "second" : "half";
}

/** The models of a judged pair, sorted by name, and the wins of the first: 1 or 0, or 0.5 for a tie. */
function pairingOf({ verdict, models }: PairsDetail): PartNumbers<PairColumn>[] {
  if (verdict === null || models === null) return [];
  const [first, second] = [models.A, models.B].sort();
  const won = verdict === "tie" ? 0.5 : Number(models[verdict] === first);
  const name = JSON.stringify([first, second]);
  return [{ family: pairingFamily, name, numbers: { ...nothing, pairs: 1, won } }];
}

/** Index of each number among the sums. */
export const at = columnAt(pairColumns);

const share = ratioOf(at);

/** Figures of any part of a run, by metric id. */
export const partStatistics: Readonly<Record<string, Statistic>> = {
  accuracy: share("right", "labelled"),
  consistency: share("consistent", "pairs"),
};

/** Every figure computed from sums, by metric id. */
export const runStatistics: Readonly<Record<string, Statistic>> = {
  ...partStatistics,
  bothRight: share("bothRight", "labelled"),
  firstShare: share("first", "decided"),
  firstTwice: share("firstTwice", "judged"),
  secondTwice: share("secondTwice", "judged"),
  longerWins: share("longer", "unequal"),
  longerLabelled: share("labelLonger", "labelUnequal"),
  tieRate: share("ties", "judged"),
  unjudgedRate: (sums) => (sums[at.pairs] === 0 ? null : 1 - sums[at.judged]! / sums[at.pairs]!),
};

const counted =
  (column: PairColumn): Statistic =>
  (sums) =>
    sums[at[column]]!;

/** Pairs behind a metric, if these are not all pairs of the run, by metric id. */
export const sampleCounts: Readonly<Record<string, Statistic>> = {
  accuracy: counted("labelled"),
  bothRight: counted("labelled"),
  firstShare: counted("judged"),
  firstTwice: counted("judged"),
  secondTwice: counted("judged"),
  longerWins: counted("unequal"),
  longerLabelled: counted("labelUnequal"),
  tieRate: counted("judged"),
};
