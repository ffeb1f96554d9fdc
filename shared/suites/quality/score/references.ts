import type { Reference } from "../../../contracts/suite.ts";
import { drawIndex, xoshiro128 } from "../../../stats/xoshiro128.ts";
import { partIds } from "../metrics.ts";
import { defaultOptions, type QualityOptions } from "../options.ts";
import { commonWords } from "../read/common-words.gen.ts";
import { contentStem, words } from "../read/words.ts";
import { canaryScores } from "./canary-scores.gen.ts";

/**
 * Scores of the canaries on the stock prompts with these weights, 0–1, highest first. Intervals are known only for the
 * default weights. Empty for any other length ratio, for which the canaries were not scored. Constant time.
 * Source: docs/spec/quality.md, what it is not.
 * @example references(defaultOptions)[0]?.label // "Connector salad"
 */
export function references({ weights, lengthRatio }: QualityOptions): Reference[] {
  if (lengthRatio !== defaultOptions.lengthRatio) return [];
  const isDefault = partIds.every((id) => weights[id] === defaultOptions.weights[id]);
  return canaries
    .map(({ id, label, description }): Reference => {
      const { interval, overall, ...parts } = canaryScores[id]!;
      const value = isDefault
        ? overall
        : partIds.reduce((sum, part) => sum + weights[part] * parts[part], 0);
      return { id, label, description, value, interval: isDefault ? interval : null };
    })
    .sort((a, b) => b.value - a.value);
}

/** A generator of worthless answers. */
interface QualityCanary {
  id: string;
  label: string;
  description: string;
  /** Always the same for the same prompt. */
  answer(prompt: string): string;
}

/** Words of a response per word of its prompt: the ideal of the length metric. */
const idealRatio = 2.5;
/** Words per sentence of the salads, and words per paragraph, which is the ideal of the structure metric. */
const sentenceWords = 8;
const paragraphWords = 100;

const openings = ["However", "Therefore", "Moreover", "Consequently", "Similarly", "Meanwhile"];

const idealWords = (prompt: string): number =>
  Math.max(1, Math.round(idealRatio * words(prompt).length));

/** The distinct words of the prompt that carry a topic; all its words if there are none. */
function topicWords(prompt: string): string[] {
  const all = [...new Set(words(prompt))];
  const telling = all.filter((word) => contentStem(word) !== null);
  return telling.length > 0 ? telling : all;
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Sentences in paragraphs of about a hundred words. */
function inParagraphs(sentences: readonly string[]): string {
  const perParagraph = Math.floor(paragraphWords / sentenceWords) - 1;
  const count = Math.ceil(sentences.length / perParagraph);
  return Array.from({ length: count }, (_, i) =>
    sentences.slice(i * perParagraph, (i + 1) * perParagraph).join(" "),
  ).join("\n\n");
}

/** Sentences of a connector and words of the prompt; the last sentence starts with a summary cue. */
function connectorSalad(prompt: string): string {
  const all = words(prompt);
  const count = Math.max(1, Math.round(idealWords(prompt) / sentenceWords));
  let next = 0;
  const sentences = Array.from({ length: count }, (_, i) => {
    const opening = i === count - 1 ? "In conclusion" : openings[i % openings.length]!;
    const rest = sentenceWords - words(opening).length;
    const others = Array.from({ length: rest }, () => all[next++ % all.length]);
    return `${opening}, ${others.join(" ")}.`;
  });
  return inParagraphs(sentences);
}

/** The prompt, repeated to at least the ideal length. */
const promptRepeated = (prompt: string): string =>
  Array.from({ length: Math.ceil(idealRatio) }, () => prompt).join("\n\n");

/** The prompt's topic words, repeated as a list. */
function keywordStuffing(prompt: string): string {
  const topics = topicWords(prompt);
  const stuffed = Array.from({ length: idealWords(prompt) }, (_, i) => topics[i % topics.length]);
  return `${capitalized(stuffed.join(", "))}.`;
}

/** Random common words, the same for the same prompt. */
function wordSalad(prompt: string): string {
  const source = xoshiro128(prompt);
  const pool = [...commonWords];
  const count = Math.max(1, Math.round(idealWords(prompt) / sentenceWords));
  const sentences = Array.from({ length: count }, () => {
    const drawn = Array.from({ length: sentenceWords }, () => pool[drawIndex(source, pool.length)]);
    return `${capitalized(drawn.join(" "))}.`;
  });
  return inParagraphs(sentences);
}

const constantAnswer =
  "Thank you for your message. We have received it and will look into it as soon as possible. First, a colleague reads it. Then somebody who knows the matter writes to you. Because this takes time, please allow a few days. In conclusion, we ask for your patience.";

/**
 * Generators of worthless answers: they show what form alone scores.
 * Source: docs/spec/quality.md, what it is not.
 * @example canaries[0]?.answer("Explain tides.").length // more than 0
 */
export const canaries: readonly QualityCanary[] = [
  {
    id: "connectorSalad",
    label: "Connector salad",
    answer: connectorSalad,
    description:
      "The prompt's words over and over, cut into sentences that each begin with a connector.",
  },
  {
    id: "promptRepeated",
    label: "Prompt repeated",
    answer: promptRepeated,
    description: "The prompt, three times.",
  },
  {
    id: "promptCopied",
    label: "Prompt copied",
    answer: (prompt) => prompt,
    description: "The prompt, once.",
  },
  {
    id: "keywordStuffing",
    label: "Keyword stuffing",
    answer: keywordStuffing,
    description: "The prompt's words that carry a topic, over and over, separated by commas.",
  },
  {
    id: "wordSalad",
    label: "Word salad",
    answer: wordSalad,
    description: "Frequent English words, drawn at random.",
  },
  {
    id: "constant",
    label: "Constant answer",
    answer: () => constantAnswer,
    description: "The same polite paragraph, whatever was asked.",
  },
];
