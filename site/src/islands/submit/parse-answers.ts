import { isJsonObject, parsedJson } from "#shared/contracts/json.ts";
import type { SubmittedAnswer } from "#shared/contracts/submissions/submitted-answer.ts";

export interface ParsedAnswers {
  /** Not validated; the service does that. */
  answers: SubmittedAnswer[];
  /** The line of each answer, from 1; in a JSON array its index. */
  lines: readonly number[];
  item: "line" | "answer";
  /** Errors that prevent sending, such as a line that is not JSON. */
  errors: string[];
}

/** The API accepts bodies up to 25 MiB; the rest of a submission is small. */
export const mostAnswerBytes = 24 * 1024 * 1024;

/** Reads answers from JSON lines, or from a JSON array. Blank lines are skipped. */
export function parseAnswers(text: string): ParsedAnswers {
  // Some editors write a byte order mark.
  const plain = text.replace(/^\uFEFF/, "");
  const whole = plain.trimStart().startsWith("[") ? parsedJson(plain) : undefined;
  const isArray = Array.isArray(whole);
  const values: unknown[] = isArray
    ? whole
    : plain.split(/\r?\n/).map((row) => (row.trim() === "" ? null : (parsedJson(row) ?? row)));
  const item = isArray ? "answer" : "line";
  const given = values.flatMap((value, i) =>
    value === null && !isArray ? [] : [{ value, line: i + 1 }],
  );
  const good = given.filter(({ value }) => isJsonObject(value));
  const bad = given.filter(({ value }) => !isJsonObject(value)).map(({ line }) => line);
  const must = bad.length > 1 ? "must be JSON objects" : "must be a JSON object";
  return {
    answers: good.map(({ value }) => value as SubmittedAnswer),
    lines: good.map(({ line }) => line),
    item,
    errors:
      bad.length > 0
        ? [`${linesText(bad, item)} ${must}`]
        : given.length === 0
          ? [`the file has no ${item}s`]
          : [],
  };
}

/** Maximum lines named with the same error. */
const mostLines = 5;

/** Line numbers in words; a long list is truncated. @example linesText([2, 3], "line") // "lines 2, 3" */
export function linesText(lines: readonly number[], item: ParsedAnswers["item"]): string {
  const [shown, more] = [lines.slice(0, mostLines), lines.length - mostLines];
  return `${item}${lines.length > 1 ? "s" : ""} ${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
