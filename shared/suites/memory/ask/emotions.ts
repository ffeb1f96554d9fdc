import { isJsonObject } from "../../../contracts/json.ts";
import { err, ok, type Result } from "../../../contracts/result.ts";

/** Emotions of a query. Source: docs/spec/memory.md, generation. */
export const emotions = [
  "joy",
  "sadness",
  "anger",
  "fear",
  "surprise",
  "disgust",
  "neutral",
] as const;
export type Emotion = (typeof emotions)[number];

/** Shares of the seven emotions, sum 1. */
export type EmotionMix = Record<Emotion, number>;

/** Weights of speech and text; not both 0. */
export interface FusionWeights {
  speechWeight: number;
  textWeight: number;
}

/** Without information, all emotions are equally likely. */
export const uniformMix: Readonly<EmotionMix> = mixOf(() => 1 / emotions.length);

/**
 * Shares of emotions by name as a distribution: missing ones are 0, and the sum becomes 1. The error says what is
 * wrong.
 * Source: docs/spec/memory.md, generation.
 * @example readMix({ joy: 3, fear: 1 }) // { ok: true, value: { joy: 0.75, fear: 0.25, … } }
 */
export function readMix(value: unknown): Result<EmotionMix, string> {
  if (!isJsonObject(value)) return err("must be an object of shares by emotion");
  const unknown = Object.keys(value).find((name) => !emotions.some((emotion) => emotion === name));
  if (unknown !== undefined) {
    return err(`may have ${emotions.join(", ")}, not ${JSON.stringify(unknown)}`);
  }
  for (const [name, share] of Object.entries(value)) {
    if (typeof share !== "number" || !(share >= 0 && share < Number.POSITIVE_INFINITY)) {
      return err(`${name} must be a number of at least 0, not ${JSON.stringify(share)}`);
    }
  }
  const mix = normalised(mixOf((emotion) => (value[emotion] as number | undefined) ?? 0));
  return mix === null ? err("must have a share above 0") : ok(mix);
}

/**
 * Fuses the distributions of speech and text: (w_s · speech + w_t · text) / (w_s + w_t), rescaled to sum 1. A
 * missing distribution counts as uniform.
 * Source: docs/spec/memory.md, generation.
 * @example fuseEmotions(null, null, { speechWeight: 0.7, textWeight: 0.3 }).joy // 1/7
 */
export function fuseEmotions(
  speech: Readonly<EmotionMix> | null,
  text: Readonly<EmotionMix> | null,
  { speechWeight, textWeight }: FusionWeights,
): EmotionMix {
  const [heard, read] = [speech ?? uniformMix, text ?? uniformMix];
  const weight = speechWeight + textWeight;
  const mix = mixOf((one) => (speechWeight * heard[one] + textWeight * read[one]) / weight);
  return normalised(mix) ?? { ...uniformMix };
}

function mixOf(share: (emotion: Emotion) => number): EmotionMix {
  return Object.fromEntries(emotions.map((one) => [one, share(one)])) as EmotionMix;
}

/** Divides by the largest first, because shares can be as large as any number. */
function normalised(mix: EmotionMix): EmotionMix | null {
  const largest = Math.max(...Object.values(mix));
  if (!(largest > 0)) return null;
  const sum = Object.values(mix).reduce((total, share) => total + share / largest, 0);
  return mixOf((emotion) => mix[emotion] / largest / sum);
}
