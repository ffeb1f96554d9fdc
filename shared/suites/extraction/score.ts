import type { Answer } from "../../contracts/answer.ts";
import type { Json } from "../../contracts/json.ts";
import type { SampleScore } from "../../contracts/suite.ts";
import type { MatchRules } from "./composite.ts";
import { exactMatch } from "./exact-match.ts";
import { type FieldTree, fieldTree } from "./flatten.ts";
import { type FieldMatch, matchFields } from "./match-fields.ts";
import type { ExtractionOptions, Weights } from "./options.ts";
import { type PreparedSchema, prepareSchema } from "./prepare-schema.ts";
import { type OutputStatus, type ParseOutcome, readOutput } from "./read-output.ts";
import type { ExtractionSample } from "./sample.ts";
import { emptyTally, type FieldRates, fieldCounts, fieldRates, type Tally } from "./tally.ts";

/** What the fields of one output earned. */
interface FieldScore extends Tally, Omit<FieldRates, "hallucinationRate"> {
  /** Null for an invalid output, of which no field is used. */
  hallucinationRate: number | null;
  exactMatch: boolean;
  eqs: number;
  /** The first 2,000 fields; `fieldsLeftOut` more were counted. */
  fields: FieldMatch[];
  fieldsLeftOut: number;
}

/** The scoring of one answer, as sample pages show it. */
export interface ExtractionDetail extends FieldScore {
  status: OutputStatus;
  parse: ParseOutcome;
  truncated: boolean;
  valid: boolean;
  /** Why the output is not valid against the schema, the first few reasons. */
  schemaErrors: string[];
  /** A parsed but invalid output scored as if it were valid, for diagnosis. */
  salvage?: FieldScore;
}

/**
 * Scores one answer: EQS = 0.15·validity + 0.50·partial F1 + 0.20·type accuracy +
 * 0.15·(1 − hallucination rate), 0–1. An output that is refused, empty, not JSON or not valid against
 * the schema gets 0 with all expected fields missed; a request that failed the same, and is not
 * covered. Never throws.
 * Source: specification of the extraction suite, section 5.
 * @example scoreExtraction(sample, { ...emptyAnswer, output: "{}" }, options).score // 0–1
 */
export function scoreExtraction(
  sample: ExtractionSample,
  answer: Answer,
  options: ExtractionOptions,
): SampleScore<ExtractionDetail> {
  const { value, ...reading } = readOutput(answer);
  const schema = prepareSchema(sample.schema, options.assertFormats);
  const schemaErrors = value === undefined ? [] : schema.errors(value);
  const valid = value !== undefined && schemaErrors.length === 0;
  const expected = fieldTree(sample.expected_output);
  const asIfValid =
    value === undefined ? undefined : scoreFields(sample, expected, value, schema, options);
  const scored = valid && asIfValid ? asIfValid : allMissed(expected, schema, options);
  const detail = { ...reading, valid, schemaErrors, ...scored };
  return {
    status: "scored",
    score: scored.eqs,
    covered: answer.error === null,
    detail: valid || asIfValid === undefined ? detail : { ...detail, salvage: asIfValid },
  };
}

function scoreFields(
  sample: ExtractionSample,
  expected: FieldTree | null,
  value: Json,
  schema: PreparedSchema,
  options: ExtractionOptions,
): FieldScore {
  const matches = matchFields(expected, fieldTree(value), schema.types, matchRules(options));
  const rates = fieldRates(matches.tally);
  return {
    ...matches.tally,
    ...rates,
    exactMatch: exactMatch(sample.expected_output, value, options),
    eqs: eqs(rates, options.weights),
    ...listed(matches),
  };
}

/** Nothing of an invalid output counts, so that a model can't gain by breaking the schema. */
function allMissed(
  expected: FieldTree | null,
  schema: PreparedSchema,
  options: ExtractionOptions,
): FieldScore {
  const matches = matchFields(expected, null, schema.types, matchRules(options));
  return {
    ...matches.tally,
    ...fieldRates({ ...emptyTally(), missed: 1 }),
    omissionRate: matches.tally.missed === 0 ? 0 : 1,
    ...{ hallucinationRate: null, exactMatch: false, eqs: 0 },
    ...listed(matches),
  };
}

function listed(matches: { tally: Tally; fields: FieldMatch[] }) {
  const total = fieldCounts(matches.tally).expected + matches.tally.spurious;
  return { fields: matches.fields, fieldsLeftOut: total - matches.fields.length };
}

/** Of a valid output, so validity is 1. */
function eqs(rates: FieldRates, weights: Weights): number {
  return (
    weights.validity +
    weights.partialF1 * rates.partialF1 +
    weights.typeAccuracy * rates.typeAccuracy +
    weights.noHallucination * (1 - rates.hallucinationRate)
  );
}

function matchRules(options: ExtractionOptions): MatchRules {
  return {
    caseSensitive: options.fieldCaseSensitive,
    normalizeWhitespace: options.fieldNormalizeWhitespace,
    coerceTypes: options.coerceTypes,
    numericTolerance: options.numericTolerance,
  };
}
