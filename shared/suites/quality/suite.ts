import type { SampleScore, Suite } from "../../contracts/suite.ts";
import { eachRepeat } from "../../measures/repeats.ts";
import { tagFigures } from "../../measures/run-sums/tag-figures.ts";
import { withoutRareParts } from "../../measures/run-sums/without-rare-parts.ts";
import { taggedHead } from "../../measures/tagged-sample.ts";
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

/** Charts show no more than this. */
const digits = 4;

/**
 * Response form: how responses differ in form, by the text alone. It says nothing of what they are worth.
 * Source: docs/spec/quality.md.
 */
export const quality: Suite<QualitySample, QualityOptions, QualityDetail, QualityState> = {
  id: "quality",
  version: "1.1.0",
  label: "Response form",
  question:
    "How do responses differ in form: connectors, use of the prompt's words, length, structure and vocabulary?",
  headline: "overall",
  boardMetrics: [...partIds, "latencyP95"],
  caution: {
    text: "These figures describe the form of responses, not whether they are right or helpful: text without any sense scores as high as good answers.",
    anchor: "what-it-is-not",
  },
  isDescriptive: true,
  references,
  views: qualityViews,
  metrics: qualityMetrics,
  optionsSchema: qualityOptionsSchema,
  sweeps: {
    temperature: "temperature",
    top_p: "topP",
    max_tokens: "maxTokens",
    seed: "seed",
    presence_penalty: "presencePenalty",
    frequency_penalty: "frequencyPenalty",
  },
  breakdownSchema,
  breakdownWithoutSamples: (breakdown) => withoutRareParts(breakdown, { tags: "n" }),
  tagFigures,
  checkSample,
  sampleHead: taggedHead,
  plan: (heads, { repeats }) => eachRepeat(heads, repeats),
  next,
  score: scoreQuality,
  sampleValues,
  aggregate: qualityAggregate,
  report: qualityReport,
  features,
  showSample: showQuality,
  fieldTable,
  // Nothing is expected of the text but that it is good.
  sampleText: ({ prompt }) => ({ input: prompt, references: [] }),
  scoringOptions: ({ weights, lengthRatio }) => ({ weights, lengthRatio }),
  // The model is told nothing but the sample.
  prompt: () => null,
};

/**
 * What charts of single responses show: words, words / ideal words (0 for a prompt without a word), and the five
 * metrics.
 */
function features({ detail }: SampleScore<QualityDetail>): Record<string, number> {
  const { responseWords, idealWords } = detail.length;
  const parts = partIds.map((id) => [id, Number(detail[id].score.toFixed(digits))] as const);
  const lengthRatio = idealWords === 0 ? 0 : Number((responseWords / idealWords).toFixed(digits));
  return { responseWords, lengthRatio, ...Object.fromEntries(parts) };
}
