import type { Answer } from "../../../contracts/answer.ts";
import type { Json } from "../../../contracts/json.ts";
import { ok, type Result } from "../../../contracts/result.ts";
import type { SampleScore } from "../../../contracts/suite.ts";
import { countCodePoints } from "../../../measures/code-points.ts";
import { type ReadOutput, readOutput } from "../../../measures/json-output/read-output.ts";
import { withoutOptionalNulls } from "../../../measures/json-schema/optional-nulls.ts";
import type { PreparedSchema } from "../../../measures/json-schema/read-schema.ts";
import { withoutThoughts } from "../../../measures/thoughts/without-thoughts.ts";
import type { ExtractionOptions } from "../options.ts";
import type { ExtractionSample } from "../sample.ts";
import { diagnose } from "./errors/diagnose.ts";
import { exactMatch } from "./exact-match.ts";
import { type ExpectedSide, expectedSide } from "./expected-side.ts";
import { type FieldScore, fieldScore, missedScore } from "./field-score.ts";
import type { SchemaComplexity } from "./fields/diagnosed-field.ts";
import { fieldTree } from "./fields/flatten.ts";
import { matchFields } from "./fields/match-fields.ts";
import { type RepeatIdentity, repeatIdentity } from "./repeat-identity.ts";

/** How an answer was read, and the lengths that its latency may go with. */
interface AnswerReading extends Omit<ReadOutput, "value"> {
  /** Unicode code points of the sample's text. */
  inputChars: number;
  /** Unicode code points of the answer's content as it came; null where there was none. */
  outputChars: number | null;
}

/** The scoring of one answer, as sample pages show it. */
export interface ExtractionDetail extends AnswerReading, FieldScore, RepeatIdentity {
  /** Against the sample's schema, nulls at properties that it does not require left out where that helps. */
  valid: boolean;
  /** With those nulls left in. */
  validAsIs: boolean;
  /** Why the output is not valid against the schema, the first few reasons. */
  schemaErrors: string[];
  /** Of the sample's schema. */
  complexity: SchemaComplexity;
  /** A parsed but invalid output scored as if it were valid, for diagnosis. */
  salvage?: FieldScore;
}

/** Of an answer that the schema can't judge: any number said of it would be made up. */
export interface UnscoredDetail extends AnswerReading {
  /** Why not. */
  unscored: string;
}

/**
 * Scores one answer: EQS = 0.15·validity + 0.50·partial F1 + 0.20·type accuracy +
 * 0.15·(1 − hallucination rate), 0–1. An output that is refused, empty, not JSON or not valid against
 * the schema gets 0 with all expected fields missed; a request that failed the same, and is not
 * covered. An output is valid as it is, or without the nulls at properties that no schema of theirs requires. One that takes too many steps to judge is unscored. Never throws.
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
  const judged = value === undefined ? null : judge(side, value, options);
  if (judged?.ok === false) {
    const detail = { ...reading, unscored: `the schema can't judge the output: ${judged.error}` };
    return { status: "unscored", score: null, covered, detail };
  }
  const { reasons, isAsItCame, score } = judged?.value ?? invalid;
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

/** Why an output is not valid, none for one that is, and whether that is said of it as it came. */
interface Validity {
  reasons: string[];
  isAsItCame: boolean;
}

const invalid: Validity & { score: null } = { reasons: [], isAsItCame: true, score: null };

/** Null means absent; so what is left without the nulls that may be left out decides. */
function validityOf(
  { judge: reasonsAgainst, place }: PreparedSchema,
  value: Json,
  known: Result<string[], string> = reasonsAgainst(value),
): Result<Validity, string> {
  if (!known.ok) return known;
  const kept = known.value.length === 0 ? value : withoutOptionalNulls(value, place);
  if (kept === value) return ok({ reasons: [...known.value], isAsItCame: true });
  const judged = reasonsAgainst(kept);
  return judged.ok ? ok({ reasons: [...judged.value], isAsItCame: false }) : judged;
}

/** A parsed output: why it is not valid, and what it earns if it is. */
function judge(
  side: ExpectedSide,
  value: Json,
  options: ExtractionOptions,
): Result<Validity & { score: FieldScore }, string> {
  const tree = fieldTree(value, side.fields);
  const isMet = tree === side.fields;
  const validity = validityOf(side.schema, value, isMet ? side.judgement() : undefined);
  if (!validity.ok) return validity;
  const scored = (score: FieldScore) => ok({ ...validity.value, score });
  if (isMet) return scored(fieldScore(side.met(), true, options.weights));
  const matches = matchFields(side.fields, tree, side.root, side.rules);
  diagnose(matches.errors, side.text, side.rules);
  const exact = exactMatch(side.fields, tree, options);
  return scored(fieldScore(matches, exact, options.weights));
}

/**
 * Whether an answer was scored, so that its detail has all there is to know.
 * @example isScored(score) // false where its output is too costly to judge
 */
export function isScored(
  score: SampleScore<ExtractionDetail | UnscoredDetail>,
): score is SampleScore<ExtractionDetail> {
  return score.status === "scored";
}
