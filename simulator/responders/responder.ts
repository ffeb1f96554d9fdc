import { hash } from "node:crypto";
import type { JsonObject } from "../../shared/contracts/json.ts";
import { type Completion, textCompletion } from "../chat-response.ts";
import type { Draws } from "../draws.ts";
import { type GarbleKind, garble } from "../mistakes/garble.ts";
import type { MistakeKind, MistakeRates } from "../mistakes/mistakes.ts";
import type { ParsedChat } from "../parse-chat.ts";

/** How the model that answers behaves this time. */
export interface AnswerContext {
  /** Its mistake rates, less those that the structured-output mode prevents. */
  rates: MistakeRates;
  /** Seeded by simulator, model, sample and request. */
  draws: Draws;
  /** Who answers: seeds what a model has of its own whatever it is asked, such as a judge's habits. */
  self?: string;
}

/** A request that a responder knows how to answer. */
export interface Claim {
  /** Names the sample: the same for every request about it. */
  key: string;
  /** The dataset's id of the sample, null where it has none. */
  id: string | null;
  answer(context: AnswerContext): Completion;
}

/** Knows one kind of request and how a model answers it. */
export interface Responder {
  /** The request as its own, or null when it is somebody else's. */
  claim(request: ParsedChat): Claim | null;
}

/** Makes a responder that knows the samples among the datasets' rows; it skips rows it can't use. */
export type MakeResponder = (rows: readonly JsonObject[]) => Responder;

/** A short stable key of a text: 64 bits of its SHA-256, in hex. */
export function textKey(text: string): string {
  return hash("sha256", text, "hex").slice(0, 16);
}

/** How sure of itself a model is that never errs. */
const flawless = 0.98;

/** A text, or calls of tools with the text that comes with them. */
type Said = string | Pick<Completion, "content" | "toolCalls">;

/**
 * What a model of known skill says: what `write` gives, which notes its mistakes in `made`, spoiled as
 * a whole by the first of `kinds` that is drawn, and then without calls.
 */
export function completeAnswer(
  context: AnswerContext,
  kinds: readonly GarbleKind[],
  write: (made: MistakeKind[]) => Said,
): Completion {
  const made: MistakeKind[] = [];
  const said = write(made);
  const spoken = typeof said === "string" ? { content: said } : said;
  const completion = { ...textCompletion(""), ...spoken, mistakes: made, certainty: flawless };
  if (isFlawless(context)) return completion;
  const garbled = kinds.find((kind) => context.draws.chance(context.rates[kind]));
  completion.certainty = certainty(made, context);
  if (garbled === undefined) return completion;
  made.push(garbled);
  return garble({ ...completion, toolCalls: [] }, garbled, context.draws);
}

/** Whether a model never errs. */
export function isFlawless({ rates }: Pick<AnswerContext, "rates">): boolean {
  return Object.values(rates).every((rate) => rate === 0);
}

/** Sinks with every mistake, with some noise: a model is roughly aware of being wrong. */
function certainty(made: readonly MistakeKind[], { draws }: AnswerContext): number {
  return Math.max(0.3, flawless - 0.06 * made.length - 0.1 * draws.unit());
}
