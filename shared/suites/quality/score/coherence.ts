import type { ReadSentence, ReadText } from "../read/read-text.ts";
import { connectors, demonstratives, pronouns } from "../read/word-lists.ts";
import { countPhrases, foldCase, phrasePattern } from "../read/words.ts";

/** Connectors per sentence of a fully connected text. */
const CONNECTORS_PER_SENTENCE = 0.3;

const connectorPattern = phrasePattern(connectors);

/** Coherence of sentences: shares 0–1 and the counts behind them. */
export interface Coherence {
  /** (connector + pronoun + topic) / 3. */
  score: number;
  connector: number;
  pronoun: number;
  topic: number;
  sentences: number;
  connectors: number;
  pronouns: number;
  unclearPronouns: number;
  shifts: number;
}

/**
 * Coherence of a response, 0–1: the mean of
 * connector = min(connectors / (0.3 · sentences), 1), pronoun = 1 − unclear / all pronouns (1 without
 * any) and topic = 1 − shifts / sentences. All 0 for a response without a word. Linear.
 * Source: docs/spec/quality.md, coherence.
 * @example coherence(readText("It rains. Therefore, bring an umbrella.")).topic // 1
 */
export function coherence({ sentences }: ReadText): Coherence {
  const signs = sentences.map((sentence, i) => signsOf(sentence, sentences[i - 1]));
  const total = (of: (sign: Signs) => number) => signs.reduce((sum, sign) => sum + of(sign), 0);
  const counts = {
    sentences: sentences.length,
    connectors: total((sign) => sign.connectors),
    pronouns: total((sign) => sign.pronouns),
    unclearPronouns: total((sign) => sign.unclearPronouns),
    shifts: countShifts(sentences, signs),
  };
  if (sentences.length === 0) return { score: 0, connector: 0, pronoun: 0, topic: 0, ...counts };
  const { connectors, pronouns, unclearPronouns, shifts } = counts;
  const connector = Math.min(connectors / (CONNECTORS_PER_SENTENCE * sentences.length), 1);
  const pronoun = pronouns === 0 ? 1 : 1 - unclearPronouns / pronouns;
  const topic = 1 - shifts / sentences.length;
  return { score: (connector + pronoun + topic) / 3, connector, pronoun, topic, ...counts };
}

/** How a sentence is linked to the previous ones. */
type Signs = Pick<Coherence, "connectors" | "pronouns" | "unclearPronouns">;

/** A pronoun is unclear if no content word comes before it, here or in the previous sentence. */
function signsOf(sentence: ReadSentence, previous: ReadSentence | undefined): Signs {
  const { text, words, stems } = sentence;
  let named = previous?.stems.some((stem) => stem !== null) ?? false;
  const signs: Signs = {
    connectors: countPhrases(foldCase(text), connectorPattern),
    pronouns: 0,
    unclearPronouns: 0,
  };
  for (const [i, word] of words.entries()) {
    if (stems[i] !== null) named = true;
    if (!isPronoun(word, stems[i + 1])) continue;
    signs.pronouns++;
    if (!named) signs.unclearPronouns++;
  }
  return signs;
}

/** A demonstrative before a content word is a determiner, such as "this" in "this model". */
function isPronoun(word: string, nextStem: string | null | undefined): boolean {
  if (!pronouns.has(word)) return false;
  return !demonstratives.has(word) || nextStem === null || nextStem === undefined;
}

/** Sentences from the second on that share no stem with an earlier one and have no connector or pronoun. */
function countShifts(sentences: readonly ReadSentence[], signs: readonly Signs[]): number {
  const seen = new Set<string>();
  let shifts = 0;
  for (const [i, { stems }] of sentences.entries()) {
    const shared = stems.some((stem) => stem !== null && seen.has(stem));
    const { connectors, pronouns } = signs[i]!;
    if (i > 0 && !shared && connectors === 0 && pronouns === 0) shifts++;
    for (const stem of stems) if (stem !== null) seen.add(stem);
  }
  return shifts;
}
