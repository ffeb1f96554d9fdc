import type { Answer } from "../contracts/answer.ts";
import { isJsonObject, type Json } from "../contracts/json.ts";
import type { SectionSource } from "../contracts/judging/judge.ts";
import { err, ok, type Result } from "../contracts/result.ts";
import { withoutThoughts } from "../measures/thoughts/without-thoughts.ts";

/** One turn of a conversation before the query. */
export interface Turn {
  role: "user" | "assistant";
  content: string;
}

/** Bounds the cost of one sample. */
const mostTurns = 200;

/**
 * A sample's conversation before the query; empty if the value is missing or null. The error says what is wrong.
 * @example readTurns([{ role: "user", content: "Hi." }]).ok // true
 */
export function readTurns(value: Json | undefined): Result<Turn[], string> {
  if (value === undefined || value === null) return ok([]);
  if (!Array.isArray(value) || !value.every(isTurn)) {
    return err("history must be a list of {role: user or assistant, content}");
  }
  if (value.length > mostTurns) return err(`history has more than ${mostTurns} turns`);
  return ok((value as unknown as Turn[]).map(({ role, content }) => ({ role, content })));
}

function isTurn(turn: Json): boolean {
  if (!isJsonObject(turn)) return false;
  const { role, content } = turn;
  return (role === "user" || role === "assistant") && typeof content === "string";
}

/** Material for judges: an answer, its query, and the known facts about the person. */
export interface Exchange {
  query: string;
  answer: string;
  /** Stored facts about the person, as in the model's prompt. */
  memory: Readonly<Record<string, string>>;
  /** Keys of facts that the answer should use, should not use, and may use. */
  requiredKeys: readonly string[];
  forbiddenKeys: readonly string[];
  neutralKeys: readonly string[];
  /** Shares of emotions in the query, by name, sum 1; null if unknown. */
  emotion: Readonly<Record<string, number>> | null;
  /** Traits by name, 0–1 each; null if unknown. */
  personality: Readonly<Record<string, number>> | null;
  history: readonly Turn[];
}

/** Parts of an exchange by name. The profile is JSON, so that no value can look like a key. */
const texts = {
  profile: ({ memory }: Exchange) => JSON.stringify(memory, null, 1),
  keys: ({ memory, requiredKeys, forbiddenKeys, neutralKeys }: Exchange) =>
    JSON.stringify(
      [
        ...new Set([...Object.keys(memory), ...requiredKeys, ...forbiddenKeys, ...neutralKeys]),
      ].sort(),
    ),
  emotion: ({ emotion }: Exchange) => (emotion === null ? "unknown" : JSON.stringify(emotion)),
  traits: ({ personality }: Exchange) =>
    personality === null ? "unknown" : JSON.stringify(personality),
  history: ({ history }: Exchange) =>
    history.length === 0 ? "none" : JSON.stringify(history, null, 1),
  query: ({ query }: Exchange) => query,
  answer: ({ answer }: Exchange) => answer,
} as const;

/**
 * The parts of an exchange that a judge needs, in the given order. A judge sees no more than its question needs, so
 * that nothing else influences it and changes elsewhere don't invalidate its cache.
 * @example exchangeSections("query", "answer").length // 2
 */
export const exchangeSections = (
  ...names: (keyof typeof texts)[]
): readonly SectionSource<Exchange>[] => names.map((name) => ({ name, textOf: texts[name] }));

/**
 * Whether there is nothing to judge: the answer is blank.
 * @example isEmptyAnswer(" ") // true
 */
export const isEmptyAnswer = (answer: string): boolean => answer.trim() === "";

/**
 * The text that the person reads: the content without thoughts, or else the text of a refusal. Empty if a request
 * failed.
 * @example answerText({ ...emptyAnswer, refusal: "I can't." }) // "I can't."
 */
export function answerText(answer: Answer): string {
  const { output, refusal, error } = withoutThoughts(answer);
  if (error !== null) return "";
  return output === null || output.trim() === "" ? (refusal ?? "") : output;
}
