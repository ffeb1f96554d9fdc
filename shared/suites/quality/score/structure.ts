import { countCodePoints } from "../../../measures/text/code-points.ts";
import type { ReadText } from "../read/read-text.ts";
import { summaryCues } from "../read/word-lists.ts";
import { countPhrases, foldCase, phrasePattern } from "../read/words.ts";

/** One paragraph is expected for this many words. */
const WORDS_PER_PARAGRAPH = 100;

/** Sentences up to these lengths, in characters, do not count as introduction or conclusion. */
const MAX_SHORT_INTRODUCTION = 20;
const MAX_SHORT_CONCLUSION = 15;

const cuePattern = phrasePattern(summaryCues);

/** Structure of a response: shares 0–1 and the counts behind them. */
export interface Structure {
  /** (paragraph + introduction + conclusion) / 3. */
  score: number;
  paragraph: number;
  /** 1 or 0. */
  introduction: number;
  /** 1 or 0. */
  conclusion: number;
  paragraphs: number;
}

/**
 * Structure of a response, 0–1: the mean of paragraph = min(paragraphs / ceil(words / 100), 1), introduction (the first
 * sentence has more than 20 characters and a content stem of the prompt or, if the prompt has none, of the rest of the
 * response) and conclusion (the last sentence has more than 15 characters and a summary cue). All 0 for a response
 * without words. `text` is the source of `response`. Linear.
 * Source: docs/spec/quality.md, structure.
 * @example structure(text, readText(text), readText("")).conclusion // 0 or 1
 */
export function structure(text: string, response: ReadText, prompt: ReadText): Structure {
  const count = paragraphs(text).length;
  const words = response.words.length;
  if (words === 0) {
    return { score: 0, paragraph: 0, introduction: 0, conclusion: 0, paragraphs: count };
  }
  const paragraph = Math.min(count / Math.ceil(words / WORDS_PER_PARAGRAPH), 1);
  const introduction = Number(introduces(response, prompt));
  const conclusion = Number(concludes(response));
  const score = (paragraph + introduction + conclusion) / 3;
  return { score, paragraph, introduction, conclusion, paragraphs: count };
}

function introduces({ sentences }: ReadText, prompt: ReadText): boolean {
  const [first, ...rest] = sentences;
  if (!first || countCodePoints(first.text) <= MAX_SHORT_INTRODUCTION) return false;
  const topic = prompt.stems.size > 0 ? prompt.stems : new Set(rest.flatMap(({ stems }) => stems));
  return first.stems.some((stem) => stem !== null && topic.has(stem));
}

function concludes({ sentences }: ReadText): boolean {
  const last = sentences.at(-1);
  if (!last || countCodePoints(last.text) <= MAX_SHORT_CONCLUSION) return false;
  return countPhrases(foldCase(last.text), cuePattern) > 0;
}

/**
 * The non-empty paragraphs of a text, separated by blank lines, trimmed. Linear.
 * Source: docs/spec/quality.md, text utilities.
 * @example paragraphs("One.\n\nTwo.") // ["One.", "Two."]
 */
export function paragraphs(text: string): string[] {
  return text
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
