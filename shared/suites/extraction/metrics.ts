import type { Metric } from "../../contracts/metric.ts";
import { metricsOf, viewsOf } from "../../measures/metrics-of.ts";
import { passMetrics } from "../../measures/passes/pass-metrics.ts";
import { performanceMetrics } from "../../measures/performance/performance-metrics.ts";

const score = metricsOf("ratio", "higher", "score");
const rate = metricsOf("ratio", "lower", "percent");
const speed = metricsOf("count", "higher", "count");
const thrift = metricsOf("count", "higher", "score");
const error = metricsOf("ratio", "lower", "score");
const spread = metricsOf("count", "lower", "score");

/** The three modes of crediting fields, and the fields that each counts as correct. */
export const modes = [
  { id: "strict", label: "Strict", correct: "identical fields" },
  { id: "partial", label: "Partial", correct: "exact fields + 0.5 · partial fields" },
  {
    id: "lenient",
    label: "Lenient",
    correct: "exact fields + fields with a composite of 0.3 or more",
  },
] as const;

/** The measures in each mode. */
export const measures = [
  { id: "Precision", label: "precision", of: "correct / predicted fields" },
  { id: "Recall", label: "recall", of: "correct / expected fields" },
  { id: "F1", label: "F1", of: "2 · precision · recall / (precision + recall)" },
] as const;

const fieldMetrics: Metric[] = modes.flatMap((mode) =>
  measures.flatMap((measure) => {
    const id = `${mode.id}${measure.id}`;
    const label = `${mode.label} ${measure.label}`;
    const what = `${measure.of}; correct: ${mode.correct}.`;
    return [
      score(id, label, `Micro, over the fields of all samples: ${what}`),
      score(`${id}Macro`, `${label}, mean of samples`, `Mean over samples of ${what}`),
      score(
        `${id}Weighted`,
        `${label}, weighted`,
        `Mean over samples by expected fields of ${what}`,
      ),
    ];
  }),
);

const requestMetrics: readonly Metric[] = [
  rate(
    "parseFailureRate",
    "Parse failure rate",
    "Answers that were not JSON and could not be recovered / samples.",
  ),
  rate(
    "schemaFailureRate",
    "Schema failure rate",
    "Answers that parsed but do not fit the schema / samples.",
  ),
  speed("fieldsPerSecond", "Fields per second", "Predicted fields / wall time of the run."),
  thrift(
    "tokenEfficiency",
    "Fields per token",
    "Predicted fields / output tokens, over the answers whose tokens are known.",
  ),
];

/** Metrics that need logprobs or repeats. */
const optionalMetrics: readonly Metric[] = [
  error(
    "calibrationError",
    "Calibration error",
    "Expected calibration error: Σ |mean partial F1 − mean confidence| · share of answers, over ten equal bins of confidence; confidence is exp(mean logprob of the output).",
  ),
  score(
    "outputConsistency",
    "Output consistency",
    "Mean over repeated samples of the repeats whose output equals the most frequent one (as canonical JSON) / repeats.",
  ),
  score(
    "fieldConsistency",
    "Field consistency",
    "Mean over the fields of repeated samples of the pairs of repeats with the same value / pairs.",
  ),
  spread(
    "valueDeviation",
    "Deviation of numbers",
    "Mean over the numeric fields of repeated samples of the sample standard deviation of their values, in the unit of each field.",
  ),
];

/**
 * The suite's metrics, headline first.
 * Source: docs/spec/extraction.md, sections 5 to 8, 10 and 11.
 */
export const extractionMetrics: readonly Metric[] = [
  score(
    "eqs",
    "EQS",
    "Extraction quality score, mean over samples: 0.15 · validity + 0.50 · partial F1 + 0.20 · type accuracy + 0.15 · (1 − hallucination rate); 0 for an invalid output. The weights can be set.",
  ),
  score(
    "validity",
    "Schema validity",
    "Outputs that parse and are valid against the schema, unchanged or without the nulls at optional properties / samples.",
  ),
  score(
    "validAsIs",
    "Valid as is",
    "Outputs that parse and are valid against the schema with every null left in / samples; not part of a score.",
  ),
  ...fieldMetrics,
  score(
    "typeAccuracy",
    "Type accuracy",
    "Mean over samples of predicted fields of a correct type / predicted fields; 0 for an invalid output.",
  ),
  score(
    "typeAccuracyMicro",
    "Type accuracy, micro",
    "Predicted fields of a correct type / predicted fields, over all samples.",
  ),
  rate(
    "hallucinationRate",
    "Hallucination rate",
    "1 − the mean over samples of (1 − spurious / predicted fields), which is 0 for an invalid output, so that broken outputs do not look honest.",
  ),
  rate(
    "hallucinationRateOfValid",
    "Hallucination rate of valid outputs",
    "Spurious / predicted fields over the valid outputs alone.",
  ),
  rate("omissionRate", "Omission rate", "Missed / expected fields, over all samples."),
  rate(
    "omissionRateMacro",
    "Omission rate, mean of samples",
    "Mean over samples of missed / expected fields.",
  ),
  score("exactMatch", "Exact match", "Outputs that equal the expected one as a whole / samples."),
  score(
    "exactMatchOfValid",
    "Exact match of valid outputs",
    "Outputs that equal the expected one / valid outputs.",
  ),
  score(
    "fuzzyMatchRate",
    "Fuzzy match rate",
    "Matched string fields whose Levenshtein similarity reaches the threshold (0.85) / matched string fields; not part of a score.",
  ),
  rate(
    "criticalHallucinationRate",
    "Critical hallucination rate",
    "(fabricated values + wrong values that are not in the text) / predicted fields, over all samples.",
  ),
  ...passMetrics,
  ...performanceMetrics,
  ...requestMetrics,
  ...optionalMetrics,
];

/**
 * The suite's tables for readers with different purposes.
 * @example extractionViews[0]?.metrics[0] // "validity"
 */
export const extractionViews = viewsOf({
  production: [
    "Can a program rely on the output, and is it fast enough?",
    "validity",
    "eqs",
    "exactMatch",
    "criticalHallucinationRate",
    "successRate",
    "latencyP95",
    "costPer1kUsd",
  ],
  choice: [
    "Which model extracts best, and at what cost?",
    "eqs",
    "partialF1Macro",
    "hallucinationRate",
    "exactMatch",
    "latencyP95",
    "costPer1kUsd",
  ],
  debugging: [
    "Where do answers fail: unreadable, invalid, incomplete, invented or late?",
    "parseFailureRate",
    "schemaFailureRate",
    "omissionRate",
    "hallucinationRateOfValid",
    "typeAccuracyMicro",
    "timeoutRate",
    "retryRate",
  ],
  research: [
    "How do results depend on the way a field is credited?",
    "strictF1",
    "partialF1",
    "lenientF1",
    "partialPrecision",
    "partialRecall",
    "partialF1Macro",
    "fuzzyMatchRate",
    "calibrationError",
  ],
  cost: [
    "What do the answers cost in money, tokens and time?",
    "costPer1kUsd",
    "eqs",
    "inputTokens",
    "outputTokens",
    "tokenEfficiency",
    "latencyP50",
    "latencyP95",
  ],
});
