import type { ReadSentence, ReadText } from "../read/read-text.ts";
import { questionWords, taskVerbs } from "../read/word-lists.ts";

/** Shares of the prompt's keywords and of the expected length in `keyword`. */
const KEYWORD_SHARE = 0.6;
const LENGTH_SHARE = 0.4;

/** Expected length of a response: a multiple of the prompt's length, and at least the minimum below, in words. */
const EXPECTED_RATIO = 1.5;
const MIN_EXPECTED = 10;

/** Keyword coverage at which a prompt without questions, or without tasks, counts as answered. */
const COVERED = 0.25;

/** Minimum words of a response that completes a task without an object. */
const MIN_WORDS_OF_TASK = 5;

/** Coverage of the prompt by a response: shares 0–1 and the counts behind them. */
export interface Completeness {
  /** (keyword + question + task) / 3. */
  score: number;
  keyword: number;
  question: number;
  task: number;
  keywords: number;
  matchedKeywords: number;
  /** Words. */
  expectedLength: number;
  questions: number;
  answeredQuestions: number;
  tasks: number;
  completedTasks: number;
}

/**
 * Coverage of the prompt by a response, 0–1: the mean of
 * keyword = 0.6 · matched / all keywords + 0.4 · min(words / max(10, 1.5 · prompt words), 1),
 * question = answered / all questions and task = completed / all tasks. Without keywords the first term of keyword is
 * 0.6; without questions (tasks) the share is 1 if a quarter of the keywords is matched or there are no keywords,
 * else 0. All shares are 0 for a response without a word. Linear.
 * Source: docs/spec/quality.md, completeness.
 * @example completeness(readText("Define AI."), readText("A machine that reasons.")).task // 0
 */
export function completeness(prompt: ReadText, response: ReadText): Completeness {
  const keywords = keywordsOf(prompt);
  const questions = prompt.sentences.filter(isQuestion).map((one) => namedStems(one.stems));
  const tasks = prompt.sentences.flatMap(tasksOf);
  const words = response.words.length;
  const isMet = (stems: ReadonlySet<string>) => matches(stems, response) >= stems.size / 2;
  const isDone = (object: ReadonlySet<string>) =>
    object.size === 0 ? words >= MIN_WORDS_OF_TASK : isMet(object);
  const expectedLength = Math.max(MIN_EXPECTED, EXPECTED_RATIO * prompt.words.length);
  const counts = {
    keywords: keywords.size,
    matchedKeywords: matches(keywords, response),
    expectedLength,
    questions: questions.length,
    answeredQuestions: 0,
    tasks: tasks.length,
    completedTasks: 0,
  };
  if (words === 0) return { score: 0, keyword: 0, question: 0, task: 0, ...counts };
  counts.answeredQuestions = questions.filter(isMet).length;
  counts.completedTasks = tasks.filter(isDone).length;
  const coverage = keywords.size === 0 ? 1 : counts.matchedKeywords / keywords.size;
  const otherwise = coverage >= COVERED ? 1 : 0;
  const keyword =
    KEYWORD_SHARE * coverage + LENGTH_SHARE * Math.min(words / counts.expectedLength, 1);
  const question = questions.length === 0 ? otherwise : counts.answeredQuestions / questions.length;
  const task = tasks.length === 0 ? otherwise : counts.completedTasks / tasks.length;
  return { score: (keyword + question + task) / 3, keyword, question, task, ...counts };
}

/** The distinct content stems of a prompt, without task verbs and question words. */
function keywordsOf({ sentences }: ReadText): Set<string> {
  const stems = sentences.flatMap(({ words, stems }) =>
    stems.filter((_, i) => !taskVerbs.has(words[i]!) && !questionWords.has(words[i]!)),
  );
  return namedStems(stems);
}

const isQuestion = ({ ending }: ReadSentence): boolean => ending.endsWith("?");

/** For each task verb of a sentence, the distinct content stems up to the next task verb or the end. */
function tasksOf({ words, stems }: ReadSentence): Set<string>[] {
  const verbs = [...words.keys()].filter((i) => taskVerbs.has(words[i]!));
  return verbs.map((verb, k) => namedStems(stems.slice(verb + 1, verbs[k + 1])));
}

function namedStems(stems: readonly (string | null)[]): Set<string> {
  return new Set(stems.filter((stem) => stem !== null));
}

function matches(stems: ReadonlySet<string>, response: ReadText): number {
  let count = 0;
  for (const stem of stems) if (response.stems.has(stem)) count++;
  return count;
}
