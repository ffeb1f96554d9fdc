import type { SubmittedAnswer } from "#shared/contracts/submissions/submitted-answer.ts";

/** A file of answers, read. */
export interface ParsedAnswers {
  /** As they will be sent; the service checks them. */
  answers: SubmittedAnswer[];
  /** The line of each answer, from 1. */
  lines: number[];
  /** What can't be sent at all, such as a line that is no JSON. */
  errors: string[];
}

/** The API takes bodies up to 25 MiB; what else a submission holds is small. */
export const mostAnswerBytes = 24 * 1024 * 1024;

/** Of a file that is not JSONL at all the first lines show it. */
const mostErrors = 5;

/** Reads answers from JSON lines. Blank lines are passed over. */
export function parseAnswers(text: string): ParsedAnswers {
  const parsed: ParsedAnswers = { answers: [], lines: [], errors: [] };
  // Editors of some systems put a mark before the first character.
  const rows = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  for (const [i, row] of rows.entries()) {
    if (row.trim() === "") continue;
    const line = i + 1;
    const value = jsonObject(row);
    if (value === null) {
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

function jsonObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
