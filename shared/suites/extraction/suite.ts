import type { Answer } from "../../contracts/answer.ts";
import type { Json } from "../../contracts/json.ts";
import type { Step, Suite, UnitTask } from "../../contracts/suite.ts";
import { eachRepeat } from "../../measures/repeats.ts";
import { taggedHead } from "../../measures/tagged-sample.ts";
import { breakdownSchema } from "./breakdown.ts";
import { breakdownWithoutSamples } from "./breakdown-without-samples.ts";
import { extractionRow } from "./extraction-row.ts";
import { extractionFeatures } from "./features.ts";
import { fieldTable } from "./field-table.ts";
import { extractionMetrics } from "./metrics.ts";
import { type ExtractionOptions, extractionOptionsSchema } from "./options.ts";
import { extractionMessages } from "./prompt.ts";
import { extractionReport } from "./report.ts";
import { checkSample, type ExtractionSample } from "./sample.ts";
import { sampleFigures } from "./sample-figures.ts";
import { sampleValues } from "./sample-values.ts";
import { type ExtractionDetail, scoreExtraction, type UnscoredDetail } from "./score.ts";
import { showSample } from "./show/show-sample.ts";
import { addAnswer, type ExtractionState, noAnswers } from "./state.ts";
import { summarize } from "./summarize.ts";
import { extractionTagFigures } from "./tag-figures.ts";
import { thresholds } from "./thresholds.ts";
import { extractionViews } from "./views.ts";

/** Options that change what is asked, or what is reported beside the score, but not what an answer earns. */
const askingOptions: ReadonlySet<string> = new Set([
  ...["temperature", "maxTokens", "structuredOutput", "logprobs", "repeats"],
  ...["systemPrompt", "userPrompt", "stringFuzzyThreshold"],
]);

/**
 * Structured data extraction: how accurately a model turns text into JSON that fits a schema.
 * Source: docs/spec/extraction.md.
 */
export const extraction: Suite<
  ExtractionSample,
  ExtractionOptions,
  ExtractionDetail | UnscoredDetail,
  ExtractionState
> = {
  id: "extraction",
  version: "1.1.0",
  label: "Structured extraction",
  question: "How accurately does a model turn text into JSON that fits a given schema?",
  headline: "eqs",
  boardMetrics: [
    "validity",
    "partialF1Macro",
    "typeAccuracy",
    "hallucinationRate",
    "exactMatch",
    "latencyP95",
  ],
  guide: [
    { metric: "eqs", when: "for balance" },
    { metric: "validity", when: "where a program reads the output as it is" },
    { metric: "partialF1Macro", when: "where the right values matter most" },
    { metric: "hallucinationRate", when: "where invented values cost" },
    { metric: "exactMatch", when: "where nobody corrects the output" },
    { metric: "latencyP95", when: "for interactive use" },
  ],
  views: extractionViews,
  metrics: extractionMetrics,
  thresholds,
  optionsSchema: extractionOptionsSchema,
  breakdownSchema,
  breakdownWithoutSamples,
  tagFigures: extractionTagFigures,
  checkSample,
  sampleHead: taggedHead,
  rowFromColumns: extractionRow,
  sampleFigures,
  plan: (heads, { repeats }) => eachRepeat(heads, repeats),
  next,
  score: scoreExtraction,
  sampleValues,
  aggregate: { empty: noAnswers, add: addAnswer, finish: summarize },
  report: extractionReport,
  features: extractionFeatures,
  showSample,
  fieldTable,
  sampleText: ({ text, expected_output: expected }) => ({
    ...{ input: text, references: [JSON.stringify(expected)] },
  }),
  scoringOptions: (options) =>
    Object.fromEntries(
      Object.entries(options).filter(([name]) => !askingOptions.has(name)),
    ) as Json,
  prompt: ({ systemPrompt, userPrompt }) => ({ system: systemPrompt, user: userPrompt }),
};

function next(
  { samples, options }: UnitTask<ExtractionSample, ExtractionOptions>,
  replies: readonly Answer[],
): Step {
  if (replies.length > 0) return { kind: "done", answers: [replies[0]!] };
  const sample = samples[0]!;
  return {
    kind: "ask",
    request: {
      messages: extractionMessages(sample, options),
      structured: {
        ...{ name: "extraction_result", schema: sample.schema },
        mode: options.structuredOutput,
      },
      temperature: options.temperature,
      maxTokens: options.maxTokens,
      logprobs: options.logprobs,
    },
  };
}
