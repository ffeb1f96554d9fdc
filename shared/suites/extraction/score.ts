import type { Answer } from "../../contracts/answer.ts";
import { canonicalJson, contentHash } from "../../contracts/content-hash.ts";
import type { Json } from "../../contracts/json.ts";
import type { SampleScore } from "../../contracts/suite.ts";
import type { MatchRules } from "./composite.ts";
import { diagnose } from "./diagnose.ts";
import type { DiagnosedField, SchemaComplexity } from "./diagnosed-field.ts";
import { exactMatch } from "./exact-match.ts";
import { type ExpectedSide, expectedSide } from "./expected-side.ts";
import { fieldTree } from "./flatten.ts";
import { type FieldMatches, matchFields } from "./match-fields.ts";
import type { ExtractionOptions, Weights } from "./options.ts";
import { prepareSchema } from "./prepare-schema.ts";
import { type OutputStatus, type ParseOutcome, readOutput } from "./read-output.ts";
import type { ExtractionSample } from "./sample.ts";
import { schemaComplexity } from "./schema-complexity.ts";
import { emptyTally, type FieldRates, fieldCounts, fieldRates, type Tally } from "./tally.ts";

/** What the fields of one output earned. */
interface FieldScore extends Tally, Omit<FieldRates, "hallucinationRate"> {
  /** Null for an invalid output, of which no field is used. */
  hallucinationRate: number | null;
  exactMatch: boolean;
  eqs: number;
  /** The first 50,000 fields; `fieldsLeftOut` more were counted. */
  fields: DiagnosedField[];
  fieldsLeftOut: number;
}

/** What repeats of a sample are compared by; there only where a run has repeats. */
export interface RepeatIdentity {
  /** Hash of the output's canonical JSON; null where it did not parse. */
  outputHash?: string | null;
  /** By path, the predicted number or the canonical JSON of any other value; of an invalid output too. */
  fieldValues?: Record<string, string | number>;
}

/** The scoring of one answer, as sample pages show it. */
export interface ExtractionDetail extends FieldScore, RepeatIdentity {
  status: OutputStatus;
  parse: ParseOutcome;
  truncated: boolean;
  valid: boolean;
  /** Why the output is not valid against the schema, the first few reasons. */
  schemaErrors: string[];
  /** Of the sample's schema. */
  complexity: SchemaComplexity;
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
  const { status, parse, truncated, value } = readOutput(answer);
  const schema = prepareSchema(sample.schema, options.assertFormats);
  const side = expectedSide(sample, schema, matchRules(options));
  const judged = value === undefined ? null : judge(sample, side, value, options);
  const valid = judged?.schemaErrors.length === 0;
  const scored = valid ? judged.score : allMissed(side);
  const detail: ExtractionDetail = {
    ...{ status, parse, truncated, valid, schemaErrors: judged?.schemaErrors ?? [] },
    complexity: schemaComplexity(sample.schema),
    ...scored,
  };
  if (!valid && judged !== null) detail.salvage = judged.score;
  if (options.repeats > 1) Object.assign(detail, repeatIdentity(value, judged?.score.fields ?? []));
  return { status: "scored", score: scored.eqs, covered: answer.error === null, detail };
}

/** A parsed output: why it is not valid, and what it earns if it is. */
function judge(
  sample: ExtractionSample,
  side: ExpectedSide,
  value: Json,
  options: ExtractionOptions,
): { schemaErrors: string[]; score: FieldScore } {
  if (side.isMetBy(value)) {
    const score = fieldScore(side.met(), true, options.weights);
    return { schemaErrors: [...side.errors()], score };
  }
  const matches = matchFields(side.fields, fieldTree(value), side.root, side.rules);
  diagnose(matches.errors, side.text, side.rules);
  const exact = exactMatch(sample.expected_output, value, options);
  const score = fieldScore(matches, exact, options.weights);
  return { schemaErrors: side.schema.errors(value), score };
}

function fieldScore(matches: FieldMatches, isExact: boolean, weights: Weights): FieldScore {
  const rates = fieldRates(matches.tally);
  const eqs = eqsOf(rates, weights);
  return { ...matches.tally, ...rates, exactMatch: isExact, eqs, ...listed(matches) };
}

/** Nothing of an invalid output counts, so that a model can't gain by breaking the schema. */
function allMissed({ fields, root, text, rules }: ExpectedSide): FieldScore {
  const matches = matchFields(fields, undefined, root, rules);
  diagnose(matches.errors, text, rules);
  return {
    ...matches.tally,
    ...fieldRates({ ...emptyTally(), missed: 1 }),
    omissionRate: matches.tally.missed === 0 ? 0 : 1,
    ...{ hallucinationRate: null, exactMatch: false, eqs: 0 },
    ...listed(matches),
  };
}

function listed({ tally, fields }: FieldMatches) {
  const total = fieldCounts(tally).expected + tally.spurious;
  return { fields: [...fields], fieldsLeftOut: total - fields.length };
}

/** Of a valid output, so validity is 1. */
function eqsOf(rates: FieldRates, weights: Weights): number {
  return (
    weights.validity +
    weights.partialF1 * rates.partialF1 +
    weights.typeAccuracy * rates.typeAccuracy +
    weights.noHallucination * (1 - rates.hallucinationRate)
  );
}

function repeatIdentity(
  value: Json | undefined,
  fields: readonly DiagnosedField[],
): RepeatIdentity {
  const values = fields.flatMap(({ path, predicted }): [string, string | number][] =>
    predicted === undefined
      ? []
      : [[path, typeof predicted === "number" ? predicted : canonicalJson(predicted)]],
  );
  return {
    outputHash: value === undefined ? null : contentHash(value),
    fieldValues: Object.fromEntries(values),
  };
}

function matchRules(options: ExtractionOptions): MatchRules {
  return {
    caseSensitive: options.fieldCaseSensitive,
    normalizeWhitespace: options.fieldNormalizeWhitespace,
    coerceTypes: options.coerceTypes,
    numericTolerance: options.numericTolerance,
  };
}
