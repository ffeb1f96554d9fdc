import type { MistakeKind } from "./mistakes/rates.ts";

/** What a simulated model says, before it is shaped for the wire. */
export interface Completion {
  content: string | null;
  refusal: string | null;
  /** What it thought, which is sent apart from the content; left out by those that don't think. */
  thoughts?: string;
  toolCalls: readonly { name: string; arguments: string }[];
  /** What it got wrong, for the request log. */
  mistakes: readonly MistakeKind[];
  /** How sure the model is, 0–1: what its token probabilities average to. */
  certainty: number;
  /** What it says of itself beside the answer: that it is right, 0–1. Left out by those that don't. */
  confidence?: number;
}

/** A completion of plain text without a mistake. */
export function textCompletion(content: string): Completion {
  return { content, refusal: null, toolCalls: [], mistakes: [], certainty: 0.95 };
}
