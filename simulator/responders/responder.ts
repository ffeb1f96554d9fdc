import { hash } from "node:crypto";
import type { JsonObject } from "../../shared/contracts/json.ts";
import { type Completion, textCompletion } from "../chat-response.ts";
import type { Draws } from "../draws.ts";
import { type GarbleKind, garble } from "../mistakes/garble.ts";
import type { MistakeKind, MistakeRates } from "../mistakes/mistakes.ts";
import type { ParsedChat } from "../parse-chat.ts";

/** Inputs of one answer. */
export interface AnswerContext {
  /** The model's mistake rates, without those that the structured-output mode prevents. */
  rates: MistakeRates;
  /** Seed: simulator, model, sample and request. */
  draws: Draws;
  /** The model's name: seeds its constant properties, such as a judge's bias. */
  self?: string;
}

/** A request that a responder can answer. */
export interface Claim {
  /** Identifies the sample: equal for all requests about it. */
  key: string;
  /** The dataset's id of the sample, null if it has none. */
  id: string | null;
  answer(context: AnswerContext): Completion;
}

/** Recognises one kind of request, and answers it. */
export interface Responder {
  /** Claims the request, or returns null. */
  claim(request: ParsedChat): Claim | null;
}

/** Creates a responder for the samples in the datasets' rows; skips invalid rows. */
export type MakeResponder = (rows: readonly JsonObject[]) => Responder;

/** A short stable key of a text: 64 bits of its SHA-256, in hex. */
export function textKey(text: string): string {
  return hash("sha256", text, "hex").slice(0, 16);
}

/** Certainty of a model without mistakes. */
const flawless = 0.98;

/** A text, or tool calls with their text. */
type Said = string | Pick<Completion, "content" | "toolCalls">;

/**
 * The answer of a model of known skill: the result of `write`, which records its mistakes in `made`, with the first of
 * `kinds` that is drawn; then it has no calls.
 */
export function completeAnswer(
  context: AnswerContext,
  kinds: readonly GarbleKind[],
  write: (made: MistakeKind[]) => Said,
): Completion {
  const made: MistakeKind[] = [];
  const written = write(made);
  const spoken = typeof written === "string" ? { content: written } : written;
  const completion = { ...textCompletion(""), ...spoken, mistakes: made, certainty: flawless };
  if (isFlawless(context)) return completion;
  const garbled = kinds.find((kind) => context.draws.chance(context.rates[kind]));
  completion.certainty = certainty(made, context);
  if (garbled === undefined) return completion;
  made.push(garbled);
  return garble({ ...completion, toolCalls: [] }, garbled, context.draws);
}

/** Whether a model makes no mistakes. */
export function isFlawless({ rates }: Pick<AnswerContext, "rates">): boolean {
  return Object.values(rates).every((rate) => rate === 0);
}

/** Decreases with every mistake, with noise: a model roughly knows when it is wrong. */
function certainty(made: readonly MistakeKind[], { draws }: AnswerContext): number {
  return Math.max(0.3, flawless - 0.06 * made.length - 0.1 * draws.unit());
}
