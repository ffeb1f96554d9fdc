import type { Mistakes } from "../mistakes/mistakes.ts";

/** A request for advice, and what the model knows about the person. */
export interface AdviceTask {
  query: string;
  /** Facts that good advice uses, and facts that it avoids (keys for those that are not stored). */
  required: readonly string[];
  forbidden: readonly string[];
  /** Earlier messages of the person, latest last. */
  turns: readonly string[];
  /** Shares of emotions and levels of traits by name, from the prompt. */
  emotion: Readonly<Record<string, number>>;
  traits: Readonly<Record<string, number>>;
}

/** What mistakes in advice need, and the list of those made. */
export type AdviceMistakes = Pick<Mistakes, "rates" | "draws" | "made">;

/** Sentences by role, in the order of the answer. */
export interface Advice {
  greeting: string[];
  callback: string[];
  alarm: string[];
  facts: string[];
  verdict: string[];
  plan: string[];
  manner: string[];
  farewell: string[];
}
