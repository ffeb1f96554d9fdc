import type { SampleScore, Suite } from "../../contracts/suite.ts";
import { eachRepeat, sampleHeadOf } from "../../measures/repeats.ts";
import { tagFigures } from "../../measures/run-sums/run-figures.ts";
import { withoutRareParts } from "../../measures/run-sums/without-rare-parts.ts";
import { next } from "./ask.ts";
import { partIds, qualityMetrics, qualityViews } from "./metrics.ts";
import { type QualityOptions, qualityOptionsSchema } from "./options.ts";
import { qualityReport } from "./report/report.ts";
import { checkSample, type QualitySample } from "./sample.ts";
import { references } from "./score/references.ts";
import { type QualityDetail, sampleValues, scoreQuality } from "./score/score.ts";
import { fieldTable, showQuality } from "./show/show-sample.ts";
import { type QualityState, qualityAggregate } from "./sum/aggregate.ts";
import { breakdownSchema } from "./sum/breakdown.ts";

/** Decimal places of scores in charts. */
const digits = 4;

/**
 * Response form: how responses differ in form, by the text alone. It does not say how good they are.
 * Source: docs/spec/quality.md.
 */
export const quality: Suite<QualitySample, QualityOptions, QualityDetail, QualityState> = {
  // Used by the pipeline.
  id: "quality",
  version: "1.1.0",
  headline: "overall",
  optionsSchema: qualityOptionsSchema,
  checkSample,
  sampleHead: sampleHeadOf,
  plan: (heads, { repeats }) => eachRepeat(heads, repeats),
  next,
  score: scoreQuality,
  sampleValues,
  aggregate: qualityAggregate,
  scoringOptions: ({ weights, lengthRatio }) => ({ weights, lengthRatio }),
  // The model gets only the sample.
  prompt: () => null,

  // Used by submissions.
  sweeps: {
    temperature: "temperature",
    top_p: "topP",
    max_tokens: "maxTokens",
    seed: "seed",
    presence_penalty: "presencePenalty",
    frequency_penalty: "frequencyPenalty",
  },

  // Shown on boards, reports and sample pages.
  label: "Response form",
  question:
    "How do responses differ in form: connectors, use of the prompt's words, length, structure and vocabulary?",
  metrics: qualityMetrics,
  boardMetrics: [...partIds, "latencyP95"],
  caution: {
    text: "These figures describe the form of responses, not whether they are right or helpful: meaningless text scores as high as good answers.",
    anchor: "what-it-is-not",
  },
  isDescriptive: true,
  references,
  views: qualityViews,
  tagFigures,
  breakdownWithoutSamples: (breakdown) => withoutRareParts(breakdown, { tags: "n" }),
  report: qualityReport,
  features,
  showSample: showQuality,

  // Used by exports.
  breakdownSchema,
  fieldTable,
  // There is no expected text.
  source: { name: "prompt", of: ({ prompt }) => prompt },
  sampleText: ({ prompt }) => ({ input: prompt, references: [] }),
};

/**
 * Figures for charts of single responses: words, words / ideal words (0 for a prompt without words), and the five
 * metrics.
 */
function features({ detail }: SampleScore<QualityDetail>): Record<string, number> {
  const { responseWords, idealWords } = detail.length;
  const parts = partIds.map((id) => [id, Number(detail[id].score.toFixed(digits))] as const);
  const lengthRatio = idealWords === 0 ? 0 : Number((responseWords / idealWords).toFixed(digits));
  return { responseWords, lengthRatio, ...Object.fromEntries(parts) };
}
