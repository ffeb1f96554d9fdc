import type { Metric } from "../../contracts/metric.ts";
import { metricsOf, viewsOf } from "../../measures/metrics-of.ts";
import { passMetrics } from "../../measures/passes/pass-metrics.ts";
import { performanceMetrics } from "../../measures/performance/performance-metrics.ts";

const score = metricsOf("ratio", "higher", "score");
const rate = metricsOf("ratio", "lower", "percent");
const amount = metricsOf("count", "lower", "count");

/** The headline and the five metrics, each the mean over samples. */
const mainMetrics: readonly Metric[] = [
  score(
    "overall",
    "Overall form",
    "Mean over samples: 0.25 · coherence + 0.25 · completeness + 0.20 · length + 0.15 · structure + 0.15 · vocabulary; 0 for an empty response. The weights can be set.",
  ),
  score(
    "coherence",
    "Coherence",
    "Mean over samples of (connectors + clear pronouns + topic continuity) / 3.",
  ),
  score(
    "completeness",
    "Completeness",
    "Mean over samples of (keywords and length + answered questions + completed tasks) / 3.",
  ),
  score(
    "length",
    "Length",
    "Mean over samples of max(0, 1 − |ln(words of the response / (2.5 · words of the prompt))|); 0 for an empty prompt. The ratio can be set.",
  ),
  score(
    "structure",
    "Structure",
    "Mean over samples of (paragraphs + introduction + conclusion) / 3.",
  ),
  score(
    "vocabulary",
    "Vocabulary",
    "Mean over samples of (diversity + sophistication + freedom from repetition) / 3.",
  ),
];

/** Components of the five metrics, each the mean over samples. */
const componentMetrics: readonly Metric[] = [
  score("connector", "Connectors", "Coherence: min(discourse connectors / (0.3 · sentences), 1)."),
  score(
    "pronoun",
    "Clear pronouns",
    "Coherence: 1 − unclear / third-person and demonstrative pronouns; 1 without any. Unclear: no content word before it in its sentence or in the previous one.",
  ),
  score(
    "topic",
    "Topic continuity",
    "Coherence: 1 − shifts / sentences. A shift shares no content stem with an earlier sentence and has neither connector nor pronoun.",
  ),
  score(
    "keyword",
    "Keywords and length",
    "Completeness: 0.6 · matched / all keywords of the prompt + 0.4 · min(words of the response / max(10, 1.5 · words of the prompt), 1); the first term is 0.6 without keywords.",
  ),
  score(
    "question",
    "Answered questions",
    "Completeness: questions of the prompt with at least half of their content stems in the response / questions. Without questions 1 if a quarter of the keywords is matched or there are none, else 0.",
  ),
  score(
    "task",
    "Completed tasks",
    "Completeness: tasks of the prompt with at least half of their object's content stems in the response / tasks; a task without an object needs 5 words. Without tasks as without questions.",
  ),
  score("paragraph", "Paragraphs", "Structure: min(paragraphs / ceil(words / 100), 1)."),
  score(
    "introduction",
    "Introduction",
    "Structure: 1 if the first sentence has more than 20 characters and a content stem of the prompt (of the rest of the response if the prompt has none), else 0.",
  ),
  score(
    "conclusion",
    "Conclusion",
    "Structure: 1 if the last sentence has more than 15 characters and a summary cue, else 0.",
  ),
  score("diversity", "Diversity", "Vocabulary: distinct words / words."),
  score(
    "sophistication",
    "Sophistication",
    "Vocabulary: words of more than 6 characters that are not among the 3,000 most frequent / words.",
  ),
  score(
    "repetition",
    "Freedom from repetition",
    "Vocabulary: 1 − occurrences of words that occur more than 3 times (without stopwords) / words.",
  ),
];

const responseMetrics: readonly Metric[] = [
  amount(
    "responseWords",
    "Words a response",
    "Mean of the words of answered responses; not part of a score.",
  ),
  rate("emptyRate", "Empty responses", "Answers that are refused or have no word / samples."),
  rate(
    "truncatedRate",
    "Truncated responses",
    "Responses that the endpoint cut off at the token limit / samples.",
  ),
  rate(
    "unsupportedRate",
    "Unsupported language",
    "Responses with mostly non-Latin letters / samples; their scores mean little.",
  ),
];

/**
 * The suite's metrics, headline first.
 * Source: docs/spec/quality.md.
 */
export const qualityMetrics: readonly Metric[] = [
  ...mainMetrics,
  ...componentMetrics,
  ...responseMetrics,
  ...passMetrics,
  ...performanceMetrics,
];

/**
 * A metric's label; the id if it is not in the catalogue.
 * @example labelOf("overall") // "Overall form"
 */
export const labelOf = (id: string): string =>
  qualityMetrics.find((metric) => metric.id === id)?.label ?? id;

/**
 * The five metrics of a response, in display order.
 * Source: docs/spec/quality.md.
 */
export const partIds = ["coherence", "completeness", "length", "structure", "vocabulary"] as const;

/** Metrics by which runs are compared: the headline and the five metrics. */
export const qualityMetricIds = ["overall", ...partIds] as const;
export type QualityMetric = (typeof qualityMetricIds)[number];

/**
 * The suite's tables for readers with different purposes.
 * @example qualityViews[0]?.metrics[0] // "emptyRate"
 */
export const qualityViews = viewsOf({
  debugging: [
    "What goes wrong: empty, cut off, in another language, off topic, or too long?",
    "emptyRate",
    "truncatedRate",
    "unsupportedRate",
    "question",
    "task",
    "responseWords",
    "timeoutRate",
  ],
  research: [
    "Which parts make up coherence, completeness, structure and vocabulary?",
    "connector",
    "pronoun",
    "topic",
    "keyword",
    "question",
    "task",
    "paragraph",
    "introduction",
    "conclusion",
    "diversity",
    "sophistication",
    "repetition",
  ],
  cost: [
    "What do the responses cost in money, tokens and time?",
    "costPer1kUsd",
    "overall",
    "inputTokens",
    "outputTokens",
    "responseWords",
    "latencyP50",
    "latencyP95",
  ],
});
