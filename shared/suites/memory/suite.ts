import type { Suite } from "../../contracts/suite.ts";
import { promptHash } from "../../judges/judge-prompt.ts";
import { judges } from "../../judges/judges.ts";
import { eachRepeat } from "../../measures/repeats.ts";
import { taggedHead } from "../../measures/tagged-sample.ts";
import { breakdownSchema } from "./breakdown.ts";
import { composites } from "./composites.ts";
import { memoryMetrics } from "./metrics.ts";
import { next } from "./next.ts";
import { type MemoryOptions, memoryOptionsSchema } from "./options.ts";
import { memoryReport } from "./report.ts";
import { checkSample, type MemorySample } from "./sample.ts";
import { sampleValues } from "./sample-values.ts";
import { type MemoryDetail, scoreMemory } from "./score.ts";
import { addScored, type MemoryState, mergeScored, noState } from "./state.ts";
import { summarize } from "./summarize.ts";

/**
 * Memory citation in advice: whether a model uses the right memories of a person, leaves the others alone,
 * stays truthful, and speaks to them well.
 * Source: specification of the memory suite.
 */
export const memory: Suite<MemorySample, MemoryOptions, MemoryDetail, MemoryState> = {
  id: "memory",
  version: "1.0.0",
  label: "Memory in advice",
  question:
    "Does the model use the right memories in its advice, leave the wrong ones alone, stay truthful, and speak to the person well?",
  headline: "mcs",
  boardMetrics: ["memory_utilization", "groundedness", "safety", "helpfulness", "empathy"],
  metrics: memoryMetrics,
  optionsSchema: memoryOptionsSchema,
  breakdownSchema,
  checkSample,
  sampleHead: taggedHead,
  plan: (heads, { repeats }) => eachRepeat(heads, repeats),
  next,
  score: scoreMemory,
  sampleValues,
  composites,
  aggregate: { empty: noState, add: addScored, merge: mergeScored, finish: summarize },
  report: memoryReport,
  scoringOptions,
  prompt: ({ systemPrompt, speechWeight, textWeight, disableTts }) => ({
    ...{ system: systemPrompt, speechWeight, textWeight, disableTts },
  }),
};

/** Weights, and who judges by what prompt. */
function scoringOptions(options: MemoryOptions) {
  const { weights, judge, judges: panel, judgeOverrides, fallbackJudge, panelRule } = options;
  const prompts = judges.map((one) => [
    one.id,
    one.kind === "asked" ? promptHash(one) : one.version,
  ]);
  const defaults = judges.map(({ id, route }) => [id, { ...route }]);
  return {
    ...{ weights, judge, panel, panelRule, fallbackJudge },
    judgeOverrides: Object.fromEntries(
      Object.entries(judgeOverrides).filter(([, name]) => name !== undefined),
    ) as Record<string, string>,
    defaults: Object.fromEntries(defaults),
    prompts: Object.fromEntries(prompts),
  };
}
