import type { Mistakes } from "../mistakes/mistakes.ts";

/** What a model is asked, and what it knows of the person. */
export interface AdviceTask {
  query: string;
  /** What good advice uses, and what it leaves alone: facts; of those that are not stored, their keys. */
  required: readonly string[];
  forbidden: readonly string[];
  /** What the person said before, the last turn last. */
  turns: readonly string[];
  /** Shares of emotions and marks of traits by name, as the prompt has them. */
  emotion: Readonly<Record<string, number>>;
  traits: Readonly<Record<string, number>>;
}

/** What making mistakes in advice needs, and the list of those made. */
export type AdviceMistakes = Pick<Mistakes, "rates" | "draws" | "made">;

/** Sentences by the part that they play, in the order in which they are said. */
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
