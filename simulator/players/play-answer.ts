import { type Completion, textCompletion } from "../completion.ts";
import { type GarbleKind, garble } from "../mistakes/garble.ts";
import type { MistakeKind } from "../mistakes/rates.ts";
import type { Play } from "./player.ts";

/** How sure of itself a model is that never errs. */
const flawless = 0.98;

/** A text, or calls of tools with what is said beside them. */
type Said = string | Pick<Completion, "content" | "toolCalls">;

/**
 * What a model of known skill says: what `write` gives, which notes its mistakes in `made`, spoiled as
 * a whole by the first of `kinds` that is drawn, and then without calls.
 */
export function playAnswer(
  play: Play,
  kinds: readonly GarbleKind[],
  write: (made: MistakeKind[]) => Said,
): Completion {
  const made: MistakeKind[] = [];
  const said = write(made);
  const spoken = typeof said === "string" ? { content: said } : said;
  const completion = { ...textCompletion(""), ...spoken, mistakes: made, certainty: flawless };
  if (isFlawless(play)) return completion;
  const garbled = kinds.find((kind) => play.draws.chance(play.rates[kind]));
  completion.certainty = certainty(made, play);
  if (garbled === undefined) return completion;
  made.push(garbled);
  return garble({ ...completion, toolCalls: [] }, garbled, play.draws);
}

/** Whether a model never errs. */
export function isFlawless({ rates }: Pick<Play, "rates">): boolean {
  return Object.values(rates).every((rate) => rate === 0);
}

/** Sinks with every mistake, with some noise: a model is roughly aware of being wrong. */
function certainty(made: readonly MistakeKind[], { draws }: Play): number {
  return Math.max(0.3, flawless - 0.06 * made.length - 0.1 * draws.unit());
}
