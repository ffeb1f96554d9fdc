import { f1, ratio } from "../../measures/f1.ts";
import type { Statistic } from "../../stats/sum-figures.ts";
import { columnAt as at, type HeadlineColumn } from "./columns.ts";
import { modes } from "./metrics.ts";

type Sum = (sums: Float64Array) => number;

/** The sum of each mode's correct fields. */
const correctOf: Readonly<Record<(typeof modes)[number]["id"], Sum>> = {
  strict: (sums) => sums[at.strict]!,
  partial: (sums) => sums[at.partialHalves]! / 2,
  lenient: (sums) => sums[at.lenient]!,
};

/** Sum over sum; null when the whole is 0. */
function quotient(part: HeadlineColumn, whole: HeadlineColumn): Statistic {
  const [p, w] = [at[part], at[whole]];
  return (sums) => (sums[w] === 0 ? null : sums[p]! / sums[w]!);
}

/** As `quotient` for fields, where nothing expected and nothing predicted is all correct. */
function ofFields(part: Sum, whole: "expected" | "predicted"): Statistic {
  const w = at[whole];
  return (sums) => {
    if (sums[at.samples] === 0) return null;
    const none = sums[at.expected] === 0 && sums[at.predicted] === 0 ? 1 : 0;
    return ratio(part(sums), sums[w]!, none);
  };
}

function microF1(correct: Sum): Statistic {
  const precision = ofFields(correct, "predicted");
  const recall = ofFields(correct, "expected");
  return (sums) => {
    const [p, r] = [precision(sums), recall(sums)];
    return p === null || r === null ? null : f1(p, r);
  };
}

function complement(statistic: Statistic): Statistic {
  return (sums) => {
    const value = statistic(sums);
    return value === null ? null : 1 - value;
  };
}

const mean = (column: HeadlineColumn) => quotient(column, "samples");

/**
 * The headline figures by metric id, each from the sums of `headlineColumns`; null without samples,
 * or without valid outputs for those that only concern them.
 * Source: specification of the extraction suite, section 6.
 * @example headlineFigures["eqs"]!(sums) // mean EQS
 */
export const headlineFigures: Readonly<Record<string, Statistic>> = {
  eqs: mean("eqs"),
  validity: mean("valid"),
  typeAccuracy: mean("typeAccuracy"),
  typeAccuracyMicro: ofFields((sums) => sums[at.typeCorrect]!, "predicted"),
  hallucinationRate: complement(mean("noHallucination")),
  hallucinationRateOfValid: (sums) =>
    sums[at.valid] === 0 ? null : ratio(sums[at.spurious]!, sums[at.predicted]!, 0),
  criticalHallucinationRate: quotient("critical", "predicted"),
  omissionRate: (sums) =>
    sums[at.samples] === 0 ? null : ratio(sums[at.missed]!, sums[at.expected]!, 0),
  exactMatch: mean("exactMatch"),
  exactMatchOfValid: quotient("exactMatch", "valid"),
  partialF1Macro: mean("partialF1"),
  successRate: mean("covered"),
  parseFailureRate: mean("parseFailed"),
  schemaFailureRate: mean("schemaFailed"),
  ...Object.fromEntries(
    modes.flatMap(({ id }) => [
      [`${id}Precision`, ofFields(correctOf[id], "predicted")],
      [`${id}Recall`, ofFields(correctOf[id], "expected")],
      [`${id}F1`, microF1(correctOf[id])],
    ]),
  ),
};
