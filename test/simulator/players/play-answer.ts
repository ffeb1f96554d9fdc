import { type Completion, textCompletion } from "../completion.ts";
import { type GarbleKind, garble } from "../mistakes/garble.ts";
import type { MistakeKind } from "../mistakes/rates.ts";
import type { Play } from "./player.ts";

/** How sure of itself a model is that never errs. */
const flawless = 0.98;

/**
 * What a model of known skill says: what `write` gives, which notes its mistakes in `made`, spoiled as
 * a whole by the first of `kinds` that is drawn.
 */
export function playAnswer(
  play: Play,
  kinds: readonly GarbleKind[],
  write: (made: MistakeKind[]) => string,
): Completion {
  const made: MistakeKind[] = [];
  const content = write(made);
  const completion = { ...textCompletion(content), mistakes: made, certainty: flawless };
  if (Object.values(play.rates).every((rate) => rate === 0)) return completion;
  const garbled = kinds.find((kind) => play.draws.chance(play.rates[kind]));
  completion.certainty = certainty(made, play);
  if (garbled === undefined) return completion;
  made.push(garbled);
  return garble(completion, garbled, play.draws);
}

/** Sinks with every mistake, with some noise: a model is roughly aware of being wrong. */
function certainty(made: readonly MistakeKind[], { draws }: Play): number {
  return Math.max(0.3, flawless - 0.06 * made.length - 0.1 * draws.unit());
}
