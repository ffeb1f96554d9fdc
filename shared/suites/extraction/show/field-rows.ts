import { isJsonObject, type Json } from "../../../contracts/json.ts";
import type { FieldsBlock, Tone } from "../../../contracts/report.ts";
import { jsonType } from "../../../measures/json-type.ts";
import { cutPlace } from "../../../measures/report/shown-text.ts";
import { lostLabels } from "../report/missed-fields.ts";
import type {
  DiagnosedField,
  ErrorPattern,
  Hallucination,
} from "../score/fields/diagnosed-field.ts";
import type { LostOutput } from "../score/lost-output.ts";

/** Rows of one answer, and characters of a value: what a reader goes through. */
const mostRows = 12;
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
  wrong_nesting: "the same value stands at another place",
  array_vs_object: "an array and an object are mixed up",
  missing_required_field: "the schema requires it",
  extra_field: "the schema has no such field",
  incomplete_extraction: "only a part of the value",
  over_extraction: "more than the value",
  missing_value: "not given",
  hallucinated_value: "not in the text",
  partial_value: "close to the value",
  wrong_value: "in the text, and not what was asked for",
};

const hallucinationNotes: Readonly<Record<Hallucination, string>> = {
  fabricated: "not in the text",
  wrongValue: "not in the text",
  misplaced: "the text has it, for something else",
  surplus: "of an element too many",
};

/**
 * Fields of an answer side by side with what was expected, in the order of the sample; of very many the exact
 * ones are left out first. `leftOut` more fields are not in the list. `lost` says why none of the output counts:
 * then no field was missed by itself.
 * Source: docs/spec/extraction.md, sections 4 and 8.
 * @example fieldRows("Fields", detail.fields, 0).rows[0]?.verdict // "exact"
 */
export function fieldRows(
  title: string,
  fields: readonly DiagnosedField[],
  leftOut: number,
  lost: LostOutput | null = null,
): FieldsBlock {
  const errors = fields.filter(({ category }) => category !== "exact");
  const room = Math.max(0, mostRows - errors.length);
  const exact = fields.filter(({ category }) => category === "exact").slice(0, room);
  const shown = new Set([...errors.slice(0, mostRows), ...exact]);
  return {
    kind: "fields",
    title,
    rows: fields.filter((field) => shown.has(field)).map((field) => rowOf(field, lost)),
    left: fields.length - shown.size + leftOut,
  };
}

function rowOf(field: DiagnosedField, lost: LostOutput | null): FieldsBlock["rows"][number] {
  const { path, expected, predicted, category } = field;
  // Quoted where the types differ: the text "5" beside the number 5.
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
  const end = cutPlace(text, longestValue);
  return end < text.length ? `${text.slice(0, end)}…` : text;
}

/** Of a boolean or an empty object there is no evidence to be had, so none is spoken of. */
function noteOf({ pattern, hallucination, typeCorrect, predicted }: DiagnosedField): string | null {
  const isTextual = typeof predicted !== "boolean" && !isJsonObject(predicted);
  const isSpokenOf = pattern !== null && (isTextual || pattern !== "hallucinated_value");
  const notes = new Set([
    ...(isSpokenOf ? [patternNotes[pattern]] : []),
    ...(hallucination !== null && isTextual ? [hallucinationNotes[hallucination]] : []),
    ...(typeCorrect === false && pattern !== "wrong_type" && pattern !== "extra_field"
      ? ["not of the type that the schema wants"]
      : []),
  ]);
  return notes.size === 0 ? null : [...notes].join("; ");
}
