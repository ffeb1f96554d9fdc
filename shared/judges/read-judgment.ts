import type { Answer } from "../contracts/answer.ts";
import { bounds, cutText } from "../contracts/bounds.ts";
import { fieldErrors } from "../contracts/field-errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../contracts/json.ts";
import type { Judge } from "../contracts/judging/judge.ts";
import { err, ok, type Result } from "../contracts/result.ts";
import { isTooDeep, maxDepth } from "../measures/json-output/nesting.ts";
import { outputStatus } from "../measures/json-output/read-output.ts";
import { parseJson } from "../measures/json-output/recover-json.ts";
import { withoutThoughts } from "../measures/thoughts/without-thoughts.ts";

/** Maximum number of errors named: further errors are usually consequences. */
const mostFlaws = 5;

/**
 * Parses a judgment, or says what is wrong with it. Null counts as missing; lists, remarks and the reasoning may be
 * missing; unknown fields are ignored. Never throws.
 * Source: docs/spec/memory.md, the twelve metrics.
 * @example readJudgment(empathy, { empathy_score: 9 }) // { ok: false, error: "/empathy_score: …" }
 */
export function readJudgment(
  { judgment }: Pick<Judge, "judgment">,
  value: unknown,
): Result<unknown, string> {
  if (!isJsonObject(value)) return err("it is not a JSON object");
  if (isTooDeep(value)) return err(`it is nested deeper than ${maxDepth}`);
  const given = withoutNulls(value);
  const parsed = judgment.safeParse(given);
  if (parsed.success) return ok(parsed.data);
  const flaws = fieldErrors(parsed.error.issues, given).slice(0, mostFlaws);
  return err(flaws.map(({ pointer, detail }) => `${pointer}: ${detail}`).join("; "));
}

function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const known = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(known.map(([name, field]) => [name, withoutNulls(field)]));
}

/** Longest accepted reply, in characters: far more than a judge's token limit allows. */
const mostReply = 100_000;

/** Why a judge's reply is not a judgment. */
export interface NoJudgment {
  reason: "no_such_model" | "judge_failed" | "judge_refused" | "invalid_judgment";
  message: string;
  /** Whether to ask the judge once more, with `repairRequest`. */
  isRepairable: boolean;
}

/** One code fence around the whole reply. */
const fence = /^```(?:json)?\s*\n([\s\S]*?)\n?\s*```$/i;

/**
 * The JSON of a reply, alone or in one code fence. JSON within other text may be a quotation of the answer, and then
 * the answer would have written its own grade. Undefined for any other reply.
 * @example wholeJson({ output: '{"a": 1}' }) // { a: 1 }
 */
export function wholeJson({ output }: Pick<Answer, "output">): Json | undefined {
  const text = (output ?? "").trim();
  return parseJson(fence.exec(text)?.[1] ?? text);
}

/**
 * Reads a judge's reply as a judgment. It must be JSON and nothing else. A truncated reply is invalid even if it
 * could be repaired, because the missing part may contain the reason for the verdict. An object without any field of
 * the judgment is also invalid: for a judge that returns lists it would mean empty lists.
 * Source: docs/spec/memory.md, judges.
 * @example readReply(empathy, { ...emptyAnswer, refusal: "No." }) // { ok: false, error: { reason: "judge_refused", … } }
 */
export function readReply(judge: Judge, reply: Answer): Result<unknown, NoJudgment> {
  if (reply.error !== null) {
    const { class: name, message } = reply.error;
    const reason = name === "not_found" ? "no_such_model" : "judge_failed";
    return err({ reason, message: `${name}: ${message}`, isRepairable: false });
  }
  if (outputStatus(reply) === "refused") {
    const message = cutText(reply.refusal ?? "", bounds.message);
    return err({ reason: "judge_refused", message, isRepairable: false });
  }
  const invalid = (message: string) =>
    err({
      reason: "invalid_judgment",
      message: cutText(message, bounds.message),
      isRepairable: true,
    } as const);
  if (reply.finishReason === "length") return invalid("it was cut off at the token limit");
  const said = withoutThoughts(reply);
  const { length } = said.output ?? "";
  if (length > mostReply) {
    return invalid(`it has ${length} characters, more than the ${mostReply} allowed`);
  }
  const value = wholeJson(said);
  if (value === undefined) return invalid("it is not JSON alone");
  const read = readJudgment(judge, value);
  if (!read.ok) return invalid(read.error);
  const fields = Object.keys(read.value as object).filter((name) => name !== "reasoning");
  if (!fields.some((name) => (value as JsonObject)[name] != null)) {
    return invalid(`it has no ${fields.join(", ")}`);
  }
  return ok(value);
}
