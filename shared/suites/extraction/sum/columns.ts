import type { ScoredSample } from "../../../contracts/suite.ts";
import { timesOf } from "../../../measures/performance/call-totals.ts";
import type { CallTimes } from "../../../measures/performance/durations.ts";
import { lostOutput } from "../score/lost-output.ts";
import type { SchemaComplexity } from "../score/schema-complexity.ts";
import type { ExtractionDetail } from "../score/score.ts";
import { type FieldRates, fieldCounts, fieldRates, type Tally } from "../score/tally.ts";

/** What each figure with an interval is worked out from: sums of these over samples. */
export const headlineColumns = [
  ...(["samples", "valid", "exactMatch", "covered"] as const),
  ...(["parseFailed", "schemaFailed", "validAsIs"] as const),
  ...(["expected", "predicted", "strict", "partialHalves", "lenient"] as const),
  ...(["typeCorrect", "missed", "spurious", "critical"] as const),
  ...(["eqs", "noHallucination", "partialF1", "typeAccuracy"] as const),
] as const;
export type HeadlineColumn = (typeof headlineColumns)[number];

/** Index of each column. */
export const columnAt = Object.fromEntries(headlineColumns.map((name, i) => [name, i])) as Readonly<
  Record<HeadlineColumn, number>
>;

/** A row as numbers: those of the headline, and rates for further means. */
export type RowNumbers = Record<HeadlineColumn, number> & FieldRates;

/** An invalid output has earned nothing; its missed fields are counted, its rates are 0. */
const nothing: FieldRates = {
  strictPrecision: 0,
  strictRecall: 0,
  strictF1: 0,
  partialPrecision: 0,
  partialRecall: 0,
  partialF1: 0,
  lenientPrecision: 0,
  lenientRecall: 0,
  lenientF1: 0,
  typeAccuracy: 0,
  hallucinationRate: 0,
  omissionRate: 0,
};

/**
 * The numbers of one row. Rates are 0–1, counts are fields; `partialHalves` is 2 · exact + partial.
 * Source: docs/spec/extraction.md, sections 5 and 6.
 * @example rowNumbers(row).noHallucination // 1 − spurious / predicted, 0 when invalid
 */
export function rowNumbers(row: ScoreRow): RowNumbers {
  const rates = row.valid ? fieldRates(row) : { ...nothing, omissionRate: row.missed > 0 ? 1 : 0 };
  return {
    ...rates,
    ...fieldCounts(row),
    samples: 1,
    eqs: row.eqs,
    valid: Number(row.valid),
    exactMatch: Number(row.exactMatch),
    validAsIs: Number(row.validAsIs),
    covered: Number(row.covered),
    parseFailed: Number(row.unparsed),
    schemaFailed: Number(row.unfit),
    noHallucination: row.valid ? 1 - rates.hallucinationRate : 0,
    strict: row.identical,
    partialHalves: 2 * row.exact + row.partial,
    lenient: row.lenient,
    typeCorrect: row.typeCorrect,
    missed: row.missed,
    spurious: row.spurious,
    critical: row.critical,
  };
}

/**
 * The headline's numbers of a row, in the order of `headlineColumns`.
 * @example headlineValues(numbers)[columnAt.eqs] // 0–1
 */
export const headlineValues = (numbers: RowNumbers): number[] =>
  headlineColumns.map((name) => numbers[name]);

/** What is kept of one scored answer for intervals, correlations and paired comparisons. */
export interface ScoreRow extends Tally, CallTimes {
  id: string;
  cluster: string | null;
  /** What it belongs to as a whole: values of tags, and the complexity of its schema. */
  tags: Readonly<Record<string, string>>;
  bin: SchemaComplexity["bin"];
  eqs: number;
  valid: boolean;
  /** Valid with the nulls at properties that the schema does not require left in. */
  validAsIs: boolean;
  exactMatch: boolean;
  covered: boolean;
  /** An answer with a text that is no JSON. */
  unparsed: boolean;
  /** Parsed, and not valid against the schema. */
  unfit: boolean;
  /** Predicted values that are fabricated, or wrong and not in the text; none of an output that is not used. */
  critical: number;
  inputChars: number;
  outputChars: number | null;
  totalFields: number;
  maxDepth: number;
  requiredFields: number;
}

/**
 * What the aggregate keeps of a scored sample: some two dozen numbers, and no text but its id and tags.
 * @example scoreRow(scored).eqs // scored.score.score
 */
export function scoreRow({ id, tags, score, call }: ScoredSample<ExtractionDetail>): ScoreRow {
  const { detail, covered } = score;
  const { exact, partial, incorrect, missed, spurious, identical, lenient, typeCorrect } = detail;
  const { eqs, valid, validAsIs, exactMatch, status, parse, complexity, inputChars, outputChars } =
    detail;
  const { latencyMs, firstByteMs } = timesOf(call);
  return {
    id,
    cluster: tags["cluster"] ?? null,
    tags,
    bin: complexity.bin,
    eqs,
    valid,
    validAsIs,
    exactMatch,
    covered,
    unparsed: status === "answered" && parse === "failed",
    unfit: !valid && parse !== "failed",
    critical: lostOutput(score) === null ? detail.fields.filter(isCritical).length : 0,
    exact,
    partial,
    incorrect,
    missed,
    spurious,
    identical,
    lenient,
    typeCorrect,
    latencyMs,
    firstByteMs,
    inputChars,
    outputChars,
    totalFields: complexity.totalFields,
    maxDepth: complexity.maxDepth,
    requiredFields: complexity.requiredFields,
  };
}

const isCritical = ({ hallucination }: ExtractionDetail["fields"][number]): boolean =>
  hallucination === "fabricated" || hallucination === "wrongValue";

/** The measures whose correlation is reported, and how a row gives a pair of them. */
export const correlationPairs = [
  pair("partialF1ByFields", "Partial F1", "total fields", (row, { partialF1 }) => [
    partialF1,
    row.totalFields,
  ]),
  pair("partialF1ByDepth", "Partial F1", "schema depth", (row, { partialF1 }) => [
    partialF1,
    row.maxDepth,
  ]),
  pair("partialF1ByRequired", "Partial F1", "required fields", (row, { partialF1 }) => [
    partialF1,
    row.requiredFields,
  ]),
  pair("latencyByFields", "Latency", "total fields", (row) => [row.latencyMs, row.totalFields]),
  pair("latencyByDepth", "Latency", "schema depth", (row) => [row.latencyMs, row.maxDepth]),
  pair("latencyByRequired", "Latency", "required fields", (row) => [
    row.latencyMs,
    row.requiredFields,
  ]),
  pair("latencyByInput", "Latency", "characters of the text", (row) => [
    row.latencyMs,
    row.inputChars,
  ]),
  pair("latencyByOutput", "Latency", "characters of the output", (row) => [
    row.latencyMs,
    row.outputChars,
  ]),
] as const;
export type CorrelationId = (typeof correlationPairs)[number]["id"];

function pair<Id extends string>(
  id: Id,
  measure: string,
  by: string,
  of: (row: ScoreRow, numbers: RowNumbers) => [number | null, number | null],
) {
  return { id, measure, by, of };
}
