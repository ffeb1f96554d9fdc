import { f1, ratio } from "../../measures/f1.ts";
import type { Statistic } from "../../stats/sum-figures.ts";
import { type HeadlineColumn, headlineColumns, type RowNumbers } from "./columns.ts";
import { measures, modes } from "./metrics.ts";

const at = Object.fromEntries(headlineColumns.map((name, i) => [name, i])) as Record<
  HeadlineColumn,
  number
>;

/** Sum over sum; null when the whole is 0. */
function quotient(part: HeadlineColumn, whole: HeadlineColumn): Statistic {
  const [p, w] = [at[part], at[whole]];
  return (sums) => (sums[w] === 0 ? null : sums[p]! / sums[w]!);
}

/** As `quotient` for fields, where nothing expected and nothing predicted is all correct. */
function ofFields(part: HeadlineColumn, whole: "expected" | "predicted"): Statistic {
  const [p, w] = [at[part], at[whole]];
  return (sums) => {
    if (sums[at.samples] === 0) return null;
    const none = sums[at.expected] === 0 && sums[at.predicted] === 0 ? 1 : 0;
    return ratio(sums[p]!, sums[w]!, none);
  };
}

function microF1(correct: HeadlineColumn): Statistic {
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
  typeAccuracyMicro: ofFields("typeCorrect", "predicted"),
  hallucinationRate: complement(mean("noHallucination")),
  hallucinationRateOfValid: (sums) =>
    sums[at.valid] === 0 ? null : ratio(sums[at.spurious]!, sums[at.predicted]!, 0),
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
      [`${id}Precision`, ofFields(id, "predicted")],
      [`${id}Recall`, ofFields(id, "expected")],
      [`${id}F1`, microF1(id)],
    ]),
  ),
};

/**
 * The means of per-sample values that stand beside the headline, by metric id: plain (`…Macro`) and by
 * expected fields (`…Weighted`), all 0–1; null without samples, or without expected fields.
 * Source: specification of the extraction suite, section 6.
 * @example sampleMeans(samples)["strictF1Macro"]
 */
export function sampleMeans(samples: readonly RowNumbers[]): Record<string, number | null> {
  const means: Record<string, number | null> = {
    omissionRateMacro: weightedMean(samples, "omissionRate", "samples"),
  };
  for (const mode of modes) {
    for (const measure of measures) {
      const id = `${mode.id}${measure.id}` as const;
      means[`${id}Macro`] = weightedMean(samples, id, "samples");
      means[`${id}Weighted`] = weightedMean(samples, id, "expected");
    }
  }
  return means;
}

function weightedMean(
  samples: readonly RowNumbers[],
  name: keyof RowNumbers,
  weight: "samples" | "expected",
): number | null {
  let sum = 0;
  let weights = 0;
  for (const sample of samples) {
    sum += sample[name] * sample[weight];
    weights += sample[weight];
  }
  return weights === 0 ? null : sum / weights;
}
