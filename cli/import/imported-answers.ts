import type { Json } from "#shared/contracts/json.ts";
import {
  type SubmittedAnswer,
  submittedAnswerSchema,
} from "#shared/contracts/submissions/submitted-answer.ts";
import { BadInput } from "../errors.ts";
import { answerFields, schemaProblem } from "../score/schema-problem.ts";

/** An answer, and its position: `file:line`, or the file and the sample. */
export interface PlacedAnswer {
  place: string;
  answer: { [field in keyof SubmittedAnswer]?: unknown };
}

/** The answer in the format of `assay score`; fields without a value are left out. Throws BadInput with the position. */
export function checkedAnswer({ place, answer }: PlacedAnswer): SubmittedAnswer {
  const there = Object.entries(answer).filter(([, value]) => value !== undefined);
  const row = Object.fromEntries(there);
  const checked = submittedAnswerSchema.safeParse(row);
  if (checked.success) return checked.data;
  const problem = schemaProblem(checked.error.issues, row, answerFields, "the answer");
  throw new BadInput(`${place}: ${problem}`);
}

/** A sample id, which may be a number in other tools; null if missing. */
export function sampleId(value: Json | undefined): string | null {
  if (typeof value === "string" && value !== "") return value;
  return typeof value === "number" ? `${value}` : null;
}

/** A number from 0 on; undefined for anything else. */
export function nonNegative(value: Json | undefined): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}
