import type { Answer } from "../../../contracts/answer.ts";
import type { NoteBlock, ReportBlock, Tone } from "../../../contracts/report.ts";
import { outputStatus } from "../../../measures/json-output/read-output.ts";
import { answerNotes } from "../../../measures/report/answer-notes.ts";
import { cutPlace } from "../../../measures/report/shown-text.ts";
import type { ExtractionDetail, UnscoredDetail } from "../score/score.ts";

/** Characters of a message that is somebody else's. */
const longestMessage = 400;

type Detail = ExtractionDetail | UnscoredDetail | null;

/**
 * What went wrong with an answer as a whole, a block each; empty for one that could be read, is valid and was
 * scored.
 * Source: docs/spec/extraction.md, sections 1 and 5.
 * @example failureNotes({ ...emptyAnswer, output: "?" }, detail)[0]?.title // "No JSON"
 */
export function failureNotes(answer: Answer, detail: Detail): ReportBlock[] {
  const isEmpty = outputStatus(answer) === "empty";
  return [
    ...answerNotes(answer),
    ...(isEmpty ? [note("Empty", "The answer holds no text.", "missed")] : []),
    ...(detail === null ? [lostNote()] : detailNotes(answer, detail)),
  ];
}

function lostNote(): NoteBlock {
  const text = "Field by field nothing is known of this answer: its scoring is not kept.";
  return note("No details", text, "neutral");
}

function detailNotes(answer: Answer, detail: ExtractionDetail | UnscoredDetail): NoteBlock[] {
  if ("unscored" in detail) return [note("Not scored", cutMessage(detail.unscored), "neutral")];
  if (outputStatus(answer) !== "answered") return [];
  if (detail.parse === "failed") {
    const text = "The answer is no JSON, and none could be recovered from it, so it earns 0.";
    return [note("No JSON", text, "poor")];
  }
  const recovered = "The answer is no JSON as it stands; what was read is what could be recovered.";
  return [
    ...(detail.parse === "recovered" ? [note("Recovered", recovered, "fair")] : []),
    ...(detail.valid ? [] : [schemaNote(detail.schemaErrors)]),
    ...(detail.valid && !detail.validAsIs ? [nullsNote()] : []),
  ];
}

function nullsNote(): NoteBlock {
  const text =
    "The output fits the schema once the nulls at properties that it does not require are left out, which say the same.";
  return note("Valid without its nulls", text, "good");
}

function schemaNote(reasons: readonly string[]): NoteBlock {
  const text = `The output does not fit the schema, so nothing of it counts: ${cutMessage(reasons.join("; "))}`;
  return note("Not valid", text, "poor");
}

function note(title: string, text: string, tone: Tone): NoteBlock {
  return { kind: "note", title, tone, text };
}

function cutMessage(message: string): string {
  const end = cutPlace(message, longestMessage);
  return end < message.length ? `${message.slice(0, end)}…` : message;
}
