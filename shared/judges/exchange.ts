import type { SectionSource } from "../contracts/judging/judge.ts";

/** One turn of a conversation before the query. */
export interface Turn {
  role: "user" | "assistant";
  content: string;
}

/** What a judge may look at: an answer, what it answers, and what was known of the person. */
export interface Exchange {
  query: string;
  answer: string;
  /** Stored facts about the person, as in the model's prompt. */
  memory: Readonly<Record<string, string>>;
  /** Keys whose facts the answer ought to use, those it ought to leave alone, those that don't matter. */
  requiredKeys: readonly string[];
  forbiddenKeys: readonly string[];
  neutralKeys: readonly string[];
  /** Shares of emotions in the query, by name, sum 1; null where nothing is known. */
  emotion: Readonly<Record<string, number>> | null;
  /** Traits, 0–1 each, by name; null where nothing is known. */
  personality: Readonly<Record<string, number>> | null;
  history: readonly Turn[];
}

/** Pieces of an exchange by name. The profile is JSON, so that no value can pass for a key. */
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
 * The pieces of an exchange that a judge asks for, in the order given: a judge sees no more than its
 * question needs, so that nothing else can sway it and a change elsewhere leaves its cache good.
 * @example exchangeSections("query", "answer").length // 2
 */
export const exchangeSections = (
  ...names: (keyof typeof texts)[]
): readonly SectionSource<Exchange>[] => names.map((name) => ({ name, textOf: texts[name] }));

/**
 * Whether there is nothing to judge: an answer of blanks.
 * @example isEmptyAnswer(" ") // true
 */
export const isEmptyAnswer = (answer: string): boolean => answer.trim() === "";
