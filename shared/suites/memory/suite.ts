import { canonicalJson } from "../../contracts/content-hash.ts";
import type { JudgeChoice } from "../../contracts/judging/judging.ts";
import type { SampleScore, Suite } from "../../contracts/suite.ts";
import { judges } from "../../judges/judges.ts";
import { groundedness } from "../../judges/metrics/groundedness.ts";
import { memoryUtilization } from "../../judges/metrics/memory-utilization.ts";
import { eachRepeat, sampleHeadOf } from "../../measures/repeats.ts";
import { tagFigures } from "../../measures/run-sums/run-figures.ts";
import { withoutRareParts } from "../../measures/run-sums/without-rare-parts.ts";
import { next } from "./ask/exchange-of.ts";
import { stages } from "./ask/stages.ts";
import { memoryMetrics, memoryViews } from "./metrics.ts";
import { type MemoryOptions, memoryOptionsSchema } from "./options.ts";
import { memoryReport } from "./report/report.ts";
import { checkSample, type MemorySample } from "./sample.ts";
import { canaries, judgeTasks } from "./score/canaries.ts";
import { references } from "./score/mcs.ts";
import { composites, type MemoryDetail, sampleValues, scoreMemory } from "./score/score.ts";
import { fieldTable, showMemory } from "./show/show-sample.ts";
import { breakdownSchema } from "./sum/breakdown.ts";
import { addScored, judgedValues, type MemoryState, noState } from "./sum/state.ts";
import { summarize } from "./sum/summarize.ts";

/**
 * Memory citation in advice: whether a model uses the right memories of a person and no others, stays truthful, and
 * suits the person in tone.
 * Source: docs/spec/memory.md.
 */
export const memory: Suite<MemorySample, MemoryOptions, MemoryDetail, MemoryState> = {
  // Used by the pipeline.
  id: "memory",
  version: "1.1.0",
  headline: "mcs",
  optionsSchema: memoryOptionsSchema,
  checkSample,
  sampleHead: sampleHeadOf,
  plan: (heads, { repeats }) => eachRepeat(heads, repeats),
  next,
  score: scoreMemory,
  sampleValues,
  aggregate: { empty: noState, add: addScored, finish: summarize },
  scoringOptions: ({ weights, panelRule }) => ({ weights, panelRule }),
  prompt: ({ systemPrompt, speechWeight, textWeight, disableTts }) => ({
    system: systemPrompt,
    speechWeight,
    textWeight,
    disableTts,
  }),

  // Used by submissions.
  promptOptions: ["systemPrompt"],
  stages,
  judging: {
    judges,
    // The options name the judges.
    choice: (options) => options as JudgeChoice,
    needed: ["memory_utilization", "groundedness", "safety"],
    tasks: judgeTasks,
    about: ({ query }) => query,
    replaces: { judge: ["judges", "judgeOverrides"], judges: ["judge", "judgeOverrides"] },
    canaries,
  },
  judgedValues,

  // Shown on boards, reports and sample pages.
  label: "Memory in advice",
  question:
    "Does the model use the right memories in its advice, leave the wrong ones alone, stay truthful, and speak to the person well?",
  metrics: memoryMetrics,
  boardMetrics: ["memory_utilization", "groundedness", "safety", "helpfulness", "empathy"],
  caution: {
    text: "Grounded, harmless text scores 40% without using any memory, so read this score from there on.",
    anchor: "what-040-means",
  },
  references,
  views: memoryViews,
  composites,
  tagFigures,
  breakdownWithoutSamples: (breakdown) =>
    withoutRareParts(breakdown, { labels: "count", tags: "n" }),
  report: memoryReport,
  features,
  showSample: showMemory,

  // Used by exports.
  breakdownSchema,
  fieldTable,
  // The required keys are criteria for judges, not an answer.
  source: {
    name: "profile",
    of: ({ memory: its }) => (Object.keys(its).length === 0 ? "" : canonicalJson(its)),
  },
  sampleText: ({ query }) => ({ input: query, references: [] }),
};

/**
 * Figures for charts of single answers: required keys, and claims if they were judged.
 */
function features({ detail }: SampleScore<MemoryDetail>): Record<string, number> {
  const { numbers: keys = {} } = detail.metrics[memoryUtilization.id] ?? {};
  const { numbers: claimed = {} } = detail.metrics[groundedness.id] ?? {};
  const { tp, fn } = keys;
  return {
    ...(tp !== undefined && fn !== undefined && { requiredKeys: tp + fn }),
    ...(claimed["claims"] !== undefined && { claims: claimed["claims"] }),
  };
}
