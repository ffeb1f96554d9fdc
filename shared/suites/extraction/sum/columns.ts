import type { ScoredSample } from "../../../contracts/suite.ts";
import { columnAt } from "../../../measures/run-sums/named-sums.ts";
import { measures, modes } from "../metrics.ts";
import { lostOutput } from "../score/lost-output.ts";
import type { ExtractionDetail } from "../score/score.ts";
import { type FieldRates, fieldCounts } from "../score/tally.ts";

/** Figures of a run and of its groups, and their intervals, are computed from sums of these columns over samples. */
const headlineColumns = [
  "samples",
  "valid",
  "exactMatch",
  "covered",
  "parseFailed",
  "schemaFailed",
  "validAsIs",
  "expected",
  "predicted",
  "strict",
  "partialHalves",
  "lenient",
  "typeCorrect",
  "missed",
  "spurious",
  "critical",
  "eqs",
  "noHallucination",
  "partialF1",
  "typeAccuracy",
] as const;

/** Number of leading columns with which groups of answers are resampled. */
export const headlineCount = headlineColumns.length;

/** Rates that every output has. */
type MeanRate = Exclude<keyof FieldRates, "hallucinationRate">;

/** A rate that is averaged over samples: unweighted, or weighted by expected fields. */
interface MeanColumn {
  /** Id of both the metric and the column. */
  id: `${MeanRate}${"Macro" | "Weighted"}`;
  rate: MeanRate;
  isWeighted: boolean;
}

/**
 * The means over samples that can't be computed from other columns. Left out are recall weighted by expected fields,
 * which equals the recall over all fields, and partial F1, which is part of EQS.
 */
export const meanColumns: readonly MeanColumn[] = [
  mean("omissionRate", "Macro"),
  ...modes.flatMap(({ id }) =>
    measures.flatMap((measure) => [
      ...(id === "partial" && measure.id === "F1" ? [] : [mean(`${id}${measure.id}`, "Macro")]),
      ...(measure.id === "Recall" ? [] : [mean(`${id}${measure.id}`, "Weighted")]),
    ]),
  ),
];

function mean(rate: MeanRate, kind: "Macro" | "Weighted"): MeanColumn {
  return { id: `${rate}${kind}`, rate, isWeighted: kind === "Weighted" };
}

type HeadlineColumn = (typeof headlineColumns)[number];
export type ExtractionColumn = HeadlineColumn | MeanColumn["id"];

/** The summed columns of each answer, in order. */
export const columns: readonly ExtractionColumn[] = [
  ...headlineColumns,
  ...meanColumns.map(({ id }) => id),
];

export const at = columnAt(columns);

/**
 * The numbers of one answer. Rates are 0–1, counts are fields; `partialHalves` is 2 · exact + partial.
 * Source: docs/spec/extraction.md, sections 5 and 6.
 * @example numbersOf(scored).noHallucination // 1 − spurious / predicted, 0 if invalid
 */
export function numbersOf({
  score,
}: Pick<ScoredSample<ExtractionDetail>, "score">): Record<ExtractionColumn, number> {
  const { detail, covered } = score;
  const { valid, missed, spurious, status, parse, hallucinationRate } = detail;
  const { expected, predicted } = fieldCounts(detail);
  const means = meanColumns.map(({ id, rate, isWeighted }) => [
    id,
    detail[rate] * (isWeighted ? expected : 1),
  ]);
  return {
    ...(Object.fromEntries(means) as Record<MeanColumn["id"], number>),
    samples: 1,
    expected,
    predicted,
    missed,
    spurious,
    eqs: detail.eqs,
    valid: Number(valid),
    exactMatch: Number(detail.exactMatch),
    validAsIs: Number(detail.validAsIs),
    covered: Number(covered),
    // An answer with a text that is not JSON; one that is JSON but not valid against the schema.
    parseFailed: Number(status === "answered" && parse === "failed"),
    schemaFailed: Number(!valid && parse !== "failed"),
    noHallucination: valid ? 1 - (hallucinationRate ?? 0) : 0,
    partialF1: detail.partialF1,
    typeAccuracy: detail.typeAccuracy,
    strict: detail.identical,
    partialHalves: 2 * detail.exact + detail.partial,
    lenient: detail.lenient,
    typeCorrect: detail.typeCorrect,
    critical: lostOutput(score) === null ? detail.fields.filter(isCritical).length : 0,
  };
}

/** A predicted value that is fabricated, or wrong and not in the text. */
const isCritical = ({ hallucination }: ExtractionDetail["fields"][number]): boolean =>
  hallucination === "fabricated" || hallucination === "wrongValue";
