import { z } from "zod";
import type { Answer } from "../../contracts/answer.ts";
import type { Json } from "../../contracts/json.ts";
import type { Step, UnitTask } from "../../contracts/runs/unit.ts";
import type { SampleScore, Suite, TagFigure } from "../../contracts/suite.ts";
import { leavesOf } from "../../measures/json-leaves.ts";
import { eachRepeat, sampleHeadOf } from "../../measures/repeats.ts";
import { headlineFigures } from "../../measures/run-sums/run-figures.ts";
import { extractionMessages } from "./ask/prompt.ts";
import { extractionMetrics, extractionViews } from "./metrics.ts";
import { type ExtractionOptions, extractionOptionsSchema, newOptionsSchema } from "./options.ts";
import { extractionReport } from "./report/report.ts";
import { checkSample, type ExtractionSample, prepareSchema } from "./sample.ts";
import { isOfIgnoredRule } from "./score/fields/field-rules.ts";
import { schemaComplexity } from "./score/schema-complexity.ts";
import {
  type ExtractionDetail,
  isScored,
  sampleValues,
  scoreExtraction,
  type UnscoredDetail,
} from "./score/score.ts";
import { fieldTable } from "./show/field-table.ts";
import { extractionFault, showSample } from "./show/show-sample.ts";
import { breakdownSchema, breakdownWithoutSamples } from "./sum/breakdown/breakdown.ts";
import { tagsSchema } from "./sum/breakdown/breakdown-parts.ts";
import { addAnswer, type ExtractionState, noAnswers } from "./sum/state.ts";
import { summarize } from "./sum/summarize.ts";
import { extractionRow } from "./table-row.ts";
import { thresholds } from "./thresholds.ts";

const taggedSchema = z.object({ tags: tagsSchema });

/** Options that change the request or additional reports, but not an answer's score. */
const askingOptions: ReadonlySet<string> = new Set([
  "temperature",
  "maxTokens",
  "structuredOutput",
  "logprobs",
  "repeats",
  "passScore",
  "systemPrompt",
  "userPrompt",
  "stringFuzzyThreshold",
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
  // Used by the pipeline.
  id: "extraction",
  version: "1.1.0",
  headline: "eqs",
  optionsSchema: extractionOptionsSchema,
  checkSample,
  sampleHead: sampleHeadOf,
  plan: (heads, { repeats }) => eachRepeat(heads, repeats),
  next,
  score: scoreExtraction,
  sampleValues,
  aggregate: { empty: noAnswers, add: addAnswer, finish: summarize },
  scoringOptions: (options) =>
    Object.fromEntries(
      Object.entries(options).filter(
        ([name, value]) => !askingOptions.has(name) && !isWithoutRules(name, value),
      ),
    ) as Json,
  prompt: ({ systemPrompt, userPrompt }) => ({ system: systemPrompt, user: userPrompt }),

  // Used by submissions.
  newOptionsSchema,
  promptOptions: ["systemPrompt", "userPrompt"],
  rowFromColumns: extractionRow,
  datasetNote: ({ schemaRules }, warnings) =>
    schemaRules && warnings.some(isOfIgnoredRule) ? ignoredRulesNote : null,

  // Shown on boards, reports and sample pages.
  label: "Structured extraction",
  question: "How accurately does a model turn text into JSON that fits a given schema?",
  metrics: extractionMetrics,
  hostMetrics: ["validity"],
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
    { metric: "validity", when: "where a program reads the output directly" },
    { metric: "partialF1Macro", when: "where the right values matter most" },
    { metric: "hallucinationRate", when: "where invented values are costly" },
    { metric: "exactMatch", when: "where outputs are not corrected" },
    { metric: "latencyP95", when: "for interactive use" },
  ],
  views: extractionViews,
  thresholds,
  tagFigures,
  breakdownWithoutSamples,
  report: extractionReport,
  features,
  showSample,
  listedMetrics: ["validity", "exactMatch"],
  answerFault: extractionFault,

  // Used by exports.
  breakdownSchema,
  sampleFigures,
  fieldTable,
  source: { name: "document", of: ({ text }) => text },
  goldValues: ({ expected_output: expected }) => leavesOf(expected, "expected_output"),
  sampleText: ({ text, expected_output: expected }) => ({
    input: text,
    references: [JSON.stringify(expected)],
  }),
};

const ignoredRulesNote =
  "some rules of fields in the schemas of its dataset are ignored, at least in part: the warnings of the dataset and `assay dataset validate` name them";

/** Options without field rules are not part of the scoring version, so that older boards stay valid. */
const isWithoutRules = (name: string, value: unknown): boolean =>
  (name === "fieldRules" && Object.keys(value as object).length === 0) ||
  (name === "schemaRules" && value === false);

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
        name: "extraction_result",
        schema: sample.schema,
        mode: options.structuredOutput,
      },
      temperature: options.temperature,
      maxTokens: options.maxTokens,
      logprobs: options.logprobs,
    },
  };
}

/**
 * Complexity of a sample's schema: its leaf properties, how many of them are required, their largest depth, and the
 * bin; counts start at 0. A schema without named properties has zero counts and is simple.
 * Source: docs/spec/extraction.md, section 7.
 */
function sampleFigures({ schema }: ExtractionSample): Record<string, number | string> {
  const { place } = prepareSchema(schema, false);
  const { totalFields, requiredFields, maxDepth, bin } = schemaComplexity(place);
  return { schemaFields: totalFields, requiredFields, schemaDepth: maxDepth, complexity: bin };
}

/**
 * Figures for charts of single answers: fields, depth and complexity bin of the schema, and the partial F1 of the
 * answer. Empty for an unscored answer.
 * Source: docs/spec/extraction.md, section 7.
 */
function features(
  score: SampleScore<ExtractionDetail | UnscoredDetail>,
): Record<string, number | string> {
  if (!isScored(score)) return {};
  const { complexity, partialF1 } = score.detail;
  const { totalFields, bin, maxDepth } = complexity;
  return { totalFields, bin, maxDepth, partialF1 };
}

/**
 * EQS by tag, from the breakdown: tag values with ten samples or more; empty without a breakdown.
 * Source: docs/spec/extraction.md, section 6.
 */
function tagFigures(breakdown: unknown): TagFigure[] {
  const read = taggedSchema.safeParse(breakdown);
  if (!read.success) return [];
  const parts = read.data.tags.groups.map(({ key, ...group }) => ({ ...group, tag: key }));
  return headlineFigures(parts, "eqs");
}
