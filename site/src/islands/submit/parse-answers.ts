import { isJsonObject, parsedJson } from "#shared/contracts/json.ts";
import type { SubmittedAnswer } from "#shared/contracts/submissions/submitted-answer.ts";

/** A file of answers, read. */
export interface ParsedAnswers {
  /** Unchecked; the service checks them. */
  answers: SubmittedAnswer[];
  /** The line of each answer, from 1. */
  lines: number[];
  /** Errors that prevent sending, such as a line that is not JSON. */
  errors: string[];
}

/** The API accepts bodies up to 25 MiB; the rest of a submission is small. */
export const mostAnswerBytes = 24 * 1024 * 1024;

/** Maximum reported lines: enough to see that a file is not JSONL. */
const mostErrors = 5;

/** Reads answers from JSON lines. Blank lines are skipped. */
export function parseAnswers(text: string): ParsedAnswers {
  const parsed: ParsedAnswers = { answers: [], lines: [], errors: [] };
  // Some editors write a byte order mark.
  const rows = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  for (const [i, row] of rows.entries()) {
    if (row.trim() === "") continue;
    const line = i + 1;
    const value = parsedJson(row);
    if (!isJsonObject(value)) {
      parsed.errors.push(`line ${line} must be a JSON object`);
      if (parsed.errors.length === mostErrors) return parsed;
      continue;
    }
    parsed.answers.push(value as unknown as SubmittedAnswer);
    parsed.lines.push(line);
  }
  if (parsed.answers.length === 0 && parsed.errors.length === 0) {
    parsed.errors.push("the file has no lines");
  }
  return parsed;
}
