import type { SampleHead, Suite } from "../../contracts/suite.ts";
import type { RunState } from "../../measures/run-sums/run-state.ts";
import { qualityAggregate } from "./aggregate.ts";
import { breakdownSchema } from "./breakdown.ts";
import { partIds } from "./metric-ids.ts";
import { qualityMetrics } from "./metrics.ts";
import { next } from "./next.ts";
import { type QualityOptions, qualityOptionsSchema } from "./options.ts";
import { plan } from "./plan.ts";
import { qualityReport } from "./report.ts";
import { checkSample, type QualitySample } from "./sample.ts";
import { sampleValues } from "./sample-values.ts";
import { type QualityDetail, scoreQuality } from "./score.ts";

/**
 * Programmatic response quality: which model, or which sampling parameters, gives better-formed prose, by
 * the text alone.
 * Source: specification of the quality suite.
 */
export const quality: Suite<QualitySample, QualityOptions, QualityDetail, RunState> = {
  id: "quality",
  version: "1.0.0",
  label: "Response quality",
  question: "Which model, or which sampling parameters, gives better-formed prose?",
  headline: "overall",
  boardMetrics: [...partIds, "latencyP95"],
  metrics: qualityMetrics,
  optionsSchema: qualityOptionsSchema,
  breakdownSchema,
  checkSample,
  sampleHead,
  plan,
  next,
  score: scoreQuality,
  sampleValues,
  aggregate: qualityAggregate,
  report: qualityReport,
  scoringOptions: ({ weights, lengthRatio }) => ({ weights, lengthRatio }),
  // The model is told nothing but the sample.
  prompt: () => null,
};

function sampleHead({ id, tags }: QualitySample): SampleHead & { tags: Record<string, string> } {
  return { id, group: tags["cluster"] ?? null, tags };
}
