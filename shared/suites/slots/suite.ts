import type { Suite } from "../../contracts/suite.ts";
import { slotsMetrics } from "./metrics.ts";
import { type SlotsOptions, slotsOptionsSchema } from "./options.ts";
import { next, plan } from "./plan.ts";
import { promptParts } from "./prompt.ts";
import { checkSample, type SlotsSample, sampleHead } from "./sample.ts";
import { sampleValues } from "./sample-values.ts";
import { type SlotsDetail, scoreSlots } from "./score.ts";

/**
 * Memory slots: which facts a model stores of a user's conversation sessions. What concerns a sample;
 * how a run is summed up and reported is added to it.
 * Source: specification of the slots suite.
 */
export const slotsOfSamples: Omit<
  Suite<SlotsSample, SlotsOptions, SlotsDetail>,
  "aggregate" | "report"
> = {
  id: "slots",
  version: "1.0.0",
  label: "Memory slots",
  question:
    "Does a model that reads a user's conversations store the right facts, and nothing else?",
  headline: "f1",
  boardMetrics: [
    ...["precision", "recall", "valueF1", "tokenF1", "bleu1", "extraSlots", "latencyP95"],
  ],
  metrics: slotsMetrics,
  optionsSchema: slotsOptionsSchema,
  checkSample,
  sampleHead,
  plan,
  next,
  score: scoreSlots,
  sampleValues,
  scoringOptions: ({ asciiOnly, format }) => ({ asciiOnly, format }),
  prompt: promptParts,
};
