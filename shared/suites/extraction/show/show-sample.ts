import type { Answer } from "../../../contracts/answer.ts";
import { isJsonObject, type Json } from "../../../contracts/json.ts";
import type { FieldsBlock, NoteBlock, ReportBlock, Tone } from "../../../contracts/report.ts";
import type { AnswerFault, SampleToShow } from "../../../contracts/suite.ts";
import { outputStatus } from "../../../measures/json-output/read-output.ts";
import { reasonWords } from "../../../measures/json-schema/reason-words.ts";
import { jsonType } from "../../../measures/matching/json-type.ts";
import {
  asFolded,
  type BlockParts,
  blocksOf,
  note,
} from "../../../measures/report/charts/blocks.ts";
import { figureText } from "../../../measures/report/figures/figure-text.ts";
import { answerNotes } from "../../../measures/report/show/answer-notes.ts";
import { answerFault } from "../../../measures/report/show/sample-look.ts";
import { shortText, shownJson, shownText } from "../../../measures/report/show/shown-text.ts";
import { lostLabels } from "../report/missed-fields.ts";
import type { ExtractionSample } from "../sample.ts";
import type {
  DiagnosedField,
  ErrorPattern,
  Hallucination,
} from "../score/fields/diagnosed-field.ts";
import { type LostOutput, lostOutput } from "../score/lost-output.ts";
import type { ExtractionDetail, FieldScore, UnscoredDetail } from "../score/score.ts";
import { evidenceText } from "./evidence-text.ts";

type Shown = SampleToShow<ExtractionSample, ExtractionDetail | UnscoredDetail>;

/**
 * One answer for readers: failures, the text with the answer's values marked, expected and predicted value of each
 * field, and the score. An output that does not fit the schema is shown as if it did; an output that is not JSON, or
 * without a stored detail, is shown unchanged. Never throws.
 * Source: docs/spec/extraction.md, sections 4, 5 and 8.
 * @example showSample({ sample, answer, score })[0]?.kind // "text"
 */
export function showSample({ sample, answer, score: { detail }, isWhole }: Shown): ReportBlock[] {
  const notes = failureNotes(answer, detail);
  const output = answer.output ?? "";
  const raw =
    output === "" ? [] : asFolded([shownText("Unchanged answer", output, { isCode: true })]);
  if (detail === null || "unscored" in detail) {
    const expected = shownJson("Expected", sample.expected_output);
    return [...notes, shownText("Text", sample.text), expected, ...raw];
  }
  const used = detail.salvage ?? detail;
  const lost = lostOutput({ covered: answer.error === null, detail });
  const isSalvaged = detail.salvage !== undefined;
  const fields = {
    title: isSalvaged ? asIfValid : "Field by field",
    used,
    lost: isSalvaged ? null : lost,
    isWhole,
  };
  const evidence = evidenceText(sample.text, used.fields);
  const score = detail.parse === "failed" ? [] : [scoreNote(detail)];
  if (isWhole) return [...notes, ...fieldBlocks(fields), ...score, evidence];
  return [
    ...notes,
    evidence,
    ...fieldBlocks(fields),
    ...score,
    ...(detail.parse === "clean" ? [] : raw),
  ];
}

/**
 * Why an output as a whole does not count; null for a valid one, and for one whose details were deleted.
 * Source: docs/spec/extraction.md, sections 1 and 5.
 * @example extractionFault(shown)?.text // "`summary` is not allowed by the schema"
 */
export function extractionFault({ answer, score: { detail } }: Shown): AnswerFault | null {
  const general = answerFault(answer);
  if (general !== null || detail === null) return general;
  if ("unscored" in detail) return { id: "unscored", text: cutMessage(detail.unscored) };
  if (detail.parse === "failed") return { id: "not_json", text: "the answer is not JSON" };
  if (detail.valid) return null;
  const [first = "", ...more] = detail.schemaErrors.map(reasonWords);
  const rest = more.length === 0 ? "" : `, and ${more.length} more`;
  return { id: "off_schema", text: `${cutMessage(first)}${rest}` };
}

/** In the order of `extractionFault`. */
export const extractionFaults = ["refused", "empty", "unscored", "not_json", "off_schema"] as const;

/** An invalid output scores 0, so the score that it would have if valid is shown. */
function scoreNote({ salvage, ...detail }: ExtractionDetail): NoteBlock {
  const text =
    salvage === undefined
      ? `${scoreText(detail)}.`
      : `EQS 0. If it were valid: ${scoreText(salvage)}.`;
  return note("Score", text);
}

function scoreText(score: FieldScore): string {
  const rate = figureText(score.hallucinationRate ?? 0, "percent");
  return `EQS ${figureText(score.eqs, "score")}, partial F1 ${figureText(score.partialF1, "score")}, type accuracy ${figureText(score.typeAccuracy, "score")}, hallucination rate ${rate}, ${score.exactMatch ? "" : "no "}exact match`;
}

/** Maximum characters of an external message. */
const longestMessage = 400;

type Detail = ExtractionDetail | UnscoredDetail | null;

/**
 * Failures of an answer as a whole, one block each; empty for a readable, valid and scored answer.
 * Source: docs/spec/extraction.md, sections 1 and 5.
 * @example failureNotes({ ...emptyAnswer, output: "?" }, detail)[0]?.title // "Not JSON"
 */
function failureNotes(answer: Answer, detail: Detail): ReportBlock[] {
  const isEmpty = outputStatus(answer) === "empty";
  const lost = "The scores of this answer's fields are not stored.";
  return blocksOf([
    answerNotes(answer),
    isEmpty ? note("Empty", "The answer has no text.", "missed") : null,
    detail === null ? note("No details", lost) : detailNotes(answer, detail),
  ]);
}

function detailNotes(answer: Answer, detail: ExtractionDetail | UnscoredDetail): BlockParts {
  if ("unscored" in detail) return note("Not scored", cutMessage(detail.unscored));
  if (outputStatus(answer) !== "answered") return [];
  if (detail.parse === "failed") {
    const text = "The answer is not JSON, and no JSON could be recovered, so it scores 0.";
    return note("Not JSON", text, "poor");
  }
  const recovered = "The answer as a whole is not JSON; the recovered part was read.";
  const invalid = `The output does not fit the schema, so none of its fields count: ${cutMessage(detail.schemaErrors.map(reasonWords).join("; "))}.`;
  const nulls =
    "The output fits the schema without the nulls at optional properties; these count as absent.";
  return [
    detail.parse === "recovered" ? note("Recovered", recovered, "fair") : null,
    detail.valid ? null : note("Not valid", invalid, "poor"),
    detail.valid && !detail.validAsIs ? note("Valid without its nulls", nulls, "good") : null,
  ];
}

const cutMessage = (message: string): string => shortText(message, longestMessage);

/** Maximum rows of one answer and characters of a value on a page, for readability. */
const mostRows = 12;
const mostRowsOfWhole = 1_000;
const longestValue = 160;

const tones: Readonly<Record<DiagnosedField["category"], Tone>> = {
  exact: "right",
  partial: "close",
  incorrect: "wrong",
  missed: "missed",
  spurious: "extra",
};

const patternNotes: Readonly<Record<ErrorPattern, string>> = {
  type_coercion_failed: "a placeholder in place of a value",
  wrong_type: "of the wrong type",
  wrong_nesting: "the value is at another place",
  array_vs_object: "an array and an object are mixed up",
  missing_required_field: "the schema requires it",
  extra_field: "the schema has no such field",
  incomplete_extraction: "only a part of the value",
  over_extraction: "more than the value",
  missing_value: "not given",
  hallucinated_value: "not in the text",
  partial_value: "close to the value",
  wrong_value: "in the text, but not what was asked for",
};

const hallucinationNotes: Readonly<Record<Hallucination, string>> = {
  fabricated: "not in the text",
  wrongValue: "not in the text",
  misplaced: "in the text, but for another field",
  surplus: "in a surplus element",
};

const asIfValid = "Field by field, as if valid";

interface ShownFields {
  title: string;
  used: Pick<FieldScore, "fields" | "fieldsLeftOut">;
  /** Why the output does not count; null: it counts, or is shown as if it were valid. */
  lost: LostOutput | null;
  isWhole: boolean | undefined;
}

const isExact = ({ category }: DiagnosedField): boolean => category === "exact";

/** On its own page, a sample has its errors, then all of its fields on demand. */
function fieldBlocks({ title, used, lost, isWhole = false }: ShownFields): ReportBlock[] {
  const { fields, fieldsLeftOut } = used;
  if (!isWhole) return [fieldRows(title, fields, fieldsLeftOut, { lost })];
  const errors = fields.filter((field) => !isExact(field));
  const most = mostRowsOfWhole;
  const all = fieldRows(title, fields, fieldsLeftOut, { lost, most });
  if (errors.length === 0 || errors.length === fields.length) return [all];
  const count = `${errors.length} of ${fields.length} fields`;
  const wrongTitle = title === asIfValid ? `Errors if it were valid: ${count}` : `Errors: ${count}`;
  const wrong = fieldRows(wrongTitle, errors, 0, { lost, most });
  return [wrong, ...asFolded([all])];
}

/**
 * Fields of an answer side by side with the expected ones, in sample order; if there are too many, exact ones are
 * omitted first. `leftOut` more fields are not in the list. `lost` says why the output does not count; then no single
 * field was missed.
 * Source: docs/spec/extraction.md, sections 4 and 8.
 * @example fieldRows("Fields", detail.fields, 0, { lost: null }).rows[0]?.verdict // "exact"
 */
function fieldRows(
  title: string,
  fields: readonly DiagnosedField[],
  leftOut: number,
  { lost, most = mostRows }: { lost: LostOutput | null; most?: number },
): FieldsBlock {
  const errors = fields.filter((field) => !isExact(field));
  const room = Math.max(0, most - errors.length);
  const exact = fields.filter(isExact).slice(0, room);
  const shown = new Set([...errors.slice(0, most), ...exact]);
  return {
    kind: "fields",
    title,
    rows: fields.filter((field) => shown.has(field)).map((field) => rowOf(field, lost)),
    left: fields.length - shown.size + leftOut,
  };
}

function rowOf(field: DiagnosedField, lost: LostOutput | null): FieldsBlock["rows"][number] {
  const { path, expected, predicted, category } = field;
  // Quoted if the types differ: the text "5" and the number 5.
  const areAlike =
    expected === undefined || predicted === undefined || jsonType(expected) === jsonType(predicted);
  return {
    path: path === "" ? "(root)" : path,
    expected: expected === undefined ? null : valueText(expected, areAlike),
    answer: predicted === undefined ? null : valueText(predicted, areAlike),
    ...(lost === null
      ? { verdict: category, tone: tones[category], note: noteOf(field) }
      : { ...lostVerdict(lost), note: null }),
  };
}

function lostVerdict(lost: LostOutput): { verdict: string; tone: Tone } {
  const { label, tone } = lostLabels[lost === "failedRequest" ? lost : "invalidOutput"];
  return { verdict: label.toLowerCase(), tone };
}

function valueText(value: Json, isPlain: boolean): string {
  const text = typeof value === "string" && value !== "" && isPlain ? value : JSON.stringify(value);
  return shortText(text, longestValue);
}

/** A text can't contain a boolean or an empty object, so there is no note on evidence for them. */
function noteOf({ pattern, hallucination, typeCorrect, predicted }: DiagnosedField): string | null {
  const isTextual = typeof predicted !== "boolean" && !isJsonObject(predicted);
  const isSpokenOf = pattern !== null && (isTextual || pattern !== "hallucinated_value");
  const notes = new Set([
    ...(isSpokenOf ? [patternNotes[pattern]] : []),
    ...(hallucination !== null && isTextual ? [hallucinationNotes[hallucination]] : []),
    ...(typeCorrect === false && pattern !== "wrong_type" && pattern !== "extra_field"
      ? ["not of the type in the schema"]
      : []),
  ]);
  return notes.size === 0 ? null : [...notes].join("; ");
}
