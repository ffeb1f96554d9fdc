import type { Answer } from "../../../contracts/answer.ts";
import { canonicalJson, contentHash } from "../../../contracts/content-hash.ts";
import type { Json } from "../../../contracts/json.ts";
import { ok, type Result } from "../../../contracts/result.ts";
import { NOTHING, type Share } from "../../../contracts/runs/run-scores.ts";
import type { SampleScore } from "../../../contracts/suite.ts";
import { type ReadOutput, readOutput } from "../../../measures/json-output/read-output.ts";
import { withoutOptionalNulls } from "../../../measures/json-schema/optional-nulls.ts";
import type { PreparedSchema } from "../../../measures/json-schema/read-schema.ts";
import { countCodePoints } from "../../../measures/text/code-points.ts";
import { withoutThoughts } from "../../../measures/thoughts/without-thoughts.ts";
import type { ExtractionOptions, Weights } from "../options.ts";
import type { ExtractionSample } from "../sample.ts";
import { diagnose } from "./errors/diagnose.ts";
import { exactMatch } from "./exact-match.ts";
import { type ExpectedSide, expectedSide } from "./expected-side.ts";
import type { DiagnosedField } from "./fields/diagnosed-field.ts";
import { withoutIgnored } from "./fields/field-rules.ts";
import { fieldTree } from "./fields/field-tree.ts";
import { type AlignmentKind, type FieldMatches, matchFields } from "./fields/match-fields.ts";
import type { SchemaComplexity } from "./schema-complexity.ts";
import {
  emptyTally,
  type FieldRates,
  fieldCounts,
  fieldRates,
  type Tally,
  weightedRates,
} from "./tally.ts";

/** How an answer was read, and the lengths on which its latency may depend. */
interface AnswerReading extends Omit<ReadOutput, "value"> {
  /** Unicode code points of the sample's text. */
  inputChars: number;
  /** Unicode code points of the answer's unchanged content; null if there was none. */
  outputChars: number | null;
}

/** The scoring of one answer, as sample pages show it. */
export interface ExtractionDetail extends AnswerReading, FieldScore, RepeatIdentity {
  /** Whether the output is valid against the schema, if necessary without nulls at optional properties. */
  valid: boolean;
  /** Whether the output is valid with those nulls. */
  validAsIs: boolean;
  /** Why the output is not valid against the schema, the first few reasons. */
  schemaErrors: string[];
  /** Complexity of the sample's schema. */
  complexity: SchemaComplexity;
  /** A parsed but invalid output scored as if it were valid, for diagnosis. */
  salvage?: FieldScore;
}

/** Detail of an answer that can't be validated, so that any score would be invented. */
export interface UnscoredDetail extends AnswerReading {
  /** Why it is unscored. */
  unscored: string;
}

/**
 * Scores one answer: EQS = 0.15·validity + 0.50·partial F1 + 0.20·type accuracy + 0.15·(1 − hallucination rate), 0–1.
 * An output that is refused, empty, not JSON or not valid against the schema gets 0 with all expected fields missed; so
 * does a failed request, which is also not covered. An output may be valid unchanged, or without the nulls at
 * properties that no schema of their object requires. An output that takes too many steps to validate is unscored.
 * Never throws.
 * Source: docs/spec/extraction.md, section 5.
 * @example scoreExtraction(sample, { ...emptyAnswer, output: "{}" }, options).score // 0–1
 */
export function scoreExtraction(
  sample: ExtractionSample,
  answer: Answer,
  options: ExtractionOptions,
): SampleScore<ExtractionDetail | UnscoredDetail> {
  const { value, ...read } = readOutput(withoutThoughts(answer));
  const side = expectedSide(sample, options);
  const outputChars = answer.output === null ? null : countCodePoints(answer.output);
  const reading: AnswerReading = { ...read, inputChars: side.inputChars, outputChars };
  const covered = answer.error === null;
  const scored = value === undefined ? null : scoreOutput(side, value, options);
  if (scored?.ok === false) {
    const detail = { ...reading, unscored: `the output can't be validated: ${scored.error}` };
    return { status: "unscored", score: null, covered, detail };
  }
  const { reasons, isAsItCame, score } = scored?.value ?? invalid;
  const valid = score !== null && reasons.length === 0;
  const earned = valid ? score : missedScore(side.missed());
  const { complexity } = side;
  const detail: ExtractionDetail = {
    ...reading,
    valid,
    validAsIs: valid && isAsItCame,
    schemaErrors: reasons,
    complexity,
    ...earned,
  };
  if (!valid && score !== null) detail.salvage = score;
  if (options.repeats > 1) Object.assign(detail, repeatIdentity(value, score?.fields ?? []));
  return { status: "scored", score: earned.eqs, covered, detail };
}

/** Why an output is not valid, empty for a valid one, and whether that applies to the unchanged output. */
interface Validity {
  reasons: string[];
  isAsItCame: boolean;
}

const invalid: Validity & { score: null } = { reasons: [], isAsItCame: true, score: null };

/** Null means absent, so validity is decided by the output without optional nulls. */
function validityOf(
  { validate, place }: PreparedSchema,
  value: Json,
  known: Result<string[], string> = validate(value),
): Result<Validity, string> {
  if (!known.ok) return known;
  const kept = known.value.length === 0 ? value : withoutOptionalNulls(value, place);
  if (kept === value) return ok({ reasons: [...known.value], isAsItCame: true });
  const validated = validate(kept);
  return validated.ok ? ok({ reasons: [...validated.value], isAsItCame: false }) : validated;
}

/** Scores a parsed output, or says why it is not valid. */
function scoreOutput(
  side: ExpectedSide,
  value: Json,
  options: ExtractionOptions,
): Result<Validity & { score: FieldScore }, string> {
  const tree = fieldTree(withoutIgnored(value, side.ignored), side.fields);
  const isMet = tree === side.fields;
  const validity = validityOf(side.schema, value, isMet ? side.validity() : undefined);
  if (!validity.ok) return validity;
  const scored = (score: FieldScore) => ok({ ...validity.value, score });
  if (isMet) return scored(fieldScore(side.met(), true, options.weights));
  const matches = matchFields(side.fields, tree, side.root, side.rules);
  diagnose(matches.errors, side.text, side.rules);
  const exact = exactMatch(side.fields, tree, options);
  return scored(fieldScore(matches, exact, options.weights));
}

/**
 * Whether an answer was scored, so that its detail is complete.
 * @example isScored(score) // false if the output is too costly to score
 */
export function isScored(
  score: SampleScore<ExtractionDetail | UnscoredDetail>,
): score is SampleScore<ExtractionDetail> {
  return score.status === "scored";
}

/** Metrics by which runs are compared, the headline first. */
const compared = [
  "eqs",
  "validity",
  "strictF1",
  "partialF1",
  "typeAccuracy",
  "hallucinationRate",
  "exactMatch",
  "validAsIs",
] as const;
type Values = Record<(typeof compared)[number], number | Share | null>;

const unscored = Object.fromEntries(compared.map((metric) => [metric, null])) as Values;

/**
 * An answer's contribution to each metric by which runs are compared; F1 as 2 · correct fields over expected and
 * predicted fields, which are summed over samples as in the summary. All null for an unscored answer.
 * Source: docs/spec/extraction.md, sections 5 and 6.
 * @example sampleValues(score).eqs // 0–1
 */
export function sampleValues(score: SampleScore<ExtractionDetail | UnscoredDetail>): Values {
  if (!isScored(score)) return unscored;
  const { detail } = score;
  const { expected, predicted } = fieldCounts(detail);
  // Without fields a valid answer does not change the sums, and an invalid one counts as 0.
  const over = expected + predicted || (detail.valid ? 0 : NOTHING);
  return {
    eqs: detail.eqs,
    validity: Number(detail.valid),
    strictF1: { of: 2 * detail.identical, over },
    partialF1: { of: 2 * detail.exact + detail.partial, over },
    typeAccuracy: detail.valid ? detail.typeAccuracy : 0,
    hallucinationRate: detail.hallucinationRate ?? 1,
    exactMatch: Number(detail.exactMatch),
    validAsIs: Number(detail.validAsIs),
  };
}

/** Data by which repeats of a sample are compared; only present in runs with repeats. */
export interface RepeatIdentity {
  /** Hash of the output's canonical JSON; null if it did not parse. */
  outputHash?: string | null;
  /** By path, the predicted number or the canonical JSON of any other value; also for an invalid output. */
  fieldValues?: Record<string, string | number>;
}

/**
 * The data by which repeats of an output are compared; `value` is undefined if it did not parse.
 * Source: docs/spec/extraction.md, section 11.
 * @example repeatIdentity({ a: 1 }, fields).fieldValues // { a: 1 }
 */
function repeatIdentity(
  value: Json | undefined,
  fields: readonly DiagnosedField[],
): Required<RepeatIdentity> {
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

/** The score of the fields of one output. */
export interface FieldScore extends Tally, Omit<FieldRates, "hallucinationRate"> {
  /** Null for an invalid output, whose fields are not used. */
  hallucinationRate: number | null;
  exactMatch: boolean;
  eqs: number;
  /** Whether all arrays of objects were aligned optimally, or some were too long. */
  alignment: AlignmentKind;
  /** The first 50,000 fields; `fieldsLeftOut` more were counted. */
  fields: DiagnosedField[];
  fieldsLeftOut: number;
}

/**
 * The score of an output's fields if it is valid: EQS = validity + partial F1 + type accuracy +
 * (1 − hallucination rate), weighted, 0–1.
 * Source: docs/spec/extraction.md, section 5.
 * @example fieldScore(matches, true, options.weights).eqs // 1 if all fields are exact
 */
function fieldScore(matches: FieldMatches, exactMatch: boolean, weights: Weights): FieldScore {
  const rates = { ...fieldRates(matches.tally), ...weightedRates(matches.weighted) };
  const eqs =
    weights.validity +
    weights.partialF1 * rates.partialF1 +
    weights.typeAccuracy * rates.typeAccuracy +
    weights.noHallucination * (1 - rates.hallucinationRate);
  return { ...matches.tally, ...rates, exactMatch, eqs, ...listed(matches) };
}

/** Rates of every invalid output: no field predicted and one missed. */
const nothing: FieldRates = fieldRates({ ...emptyTally(), missed: 1 });

/**
 * The score of an invalid output: nothing counts, so that a model can't gain by breaking the schema.
 * `matches` are the expected fields, all missed.
 * Source: docs/spec/extraction.md, section 5.
 * @example missedScore(side.missed()).eqs // 0
 */
function missedScore(matches: FieldMatches): FieldScore {
  return {
    ...matches.tally,
    ...nothing,
    omissionRate: matches.tally.missed === 0 ? 0 : 1,
    hallucinationRate: null,
    exactMatch: false,
    eqs: 0,
    ...listed(matches),
  };
}

/** Copies the list for the answer; the fields in it may be shared. */
function listed({
  tally,
  fields,
  alignment,
}: FieldMatches): Pick<FieldScore, "alignment" | "fields" | "fieldsLeftOut"> {
  const total = fieldCounts(tally).expected + tally.spurious;
  return { alignment, fields: [...fields], fieldsLeftOut: total - fields.length };
}
