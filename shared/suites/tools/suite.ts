import type { Suite } from "../../contracts/suite.ts";
import { eachRepeat, sampleHeadOf } from "../../measures/repeats.ts";
import { tagFigures } from "../../measures/run-sums/run-figures.ts";
import { withoutRareParts } from "../../measures/run-sums/without-rare-parts.ts";
import { next } from "./ask.ts";
import { toolsMetrics, toolsViews } from "./metrics.ts";
import { resolveOptions, type ToolsOptions, toolsOptionsSchema } from "./options.ts";
import { toolsReport } from "./report/report.ts";
import { checkSample, type ToolsSample } from "./sample.ts";
import { sampleValues, scoreTools, type ToolsDetail } from "./score/score.ts";
import { totalComposite } from "./score/total-score.ts";
import { fieldTable } from "./show/field-table.ts";
import { showTools, toolsFault } from "./show/show-sample.ts";
import { toolsAggregate } from "./sum/aggregate.ts";
import { breakdownSchema } from "./sum/breakdown.ts";
import type { ToolsState } from "./sum/turn-sums.ts";

/**
 * Function calling, with on-device and cloud routing: the right functions with the right arguments, fast, and
 * without leaving the device unnecessarily.
 * Source: docs/spec/tools.md.
 */
export const tools: Suite<ToolsSample, ToolsOptions, ToolsDetail, ToolsState> = {
  // Used by the pipeline.
  id: "tools",
  version: "1.2.0",
  headline: "avgF1",
  optionsSchema: toolsOptionsSchema,
  checkSample,
  sampleHead: sampleHeadOf,
  plan: (heads, { repeats }) => eachRepeat(heads, repeats),
  next,
  score: scoreTools,
  sampleValues,
  aggregate: toolsAggregate,
  // Runs without these options keep their original scoring version.
  scoringOptions: ({ strictArguments, timeBaselineMs, source = null, textRules, rankBy }) => ({
    strictArguments,
    timeBaselineMs,
    source,
    ...(textRules === "bfcl" && { textRules }),
    ...(rankBy === "conversations" && { rankBy }),
  }),
  prompt: ({ toolMode, toolPrompt }) => ({
    mode: toolMode,
    system: toolMode === "prompt" ? toolPrompt : null,
  }),

  // Used by submissions.
  promptOptions: ["toolPrompt"],
  headlineOf: ({ routed, rankBy }) =>
    routed ? "total" : rankBy === "conversations" ? "conversationRate" : "avgF1",
  optionsFor: resolveOptions,
  hybridOptions: ["hybridSweep"],
  readsToolCalls: true,
  scoresLatency: true,

  // Shown on boards, reports and sample pages.
  label: "Function calling",
  question:
    "Does the system call the right functions with the right arguments, fast, and without leaving the device when it need not?",
  metrics: toolsMetrics,
  boardMetrics: ["avgF1", "total", "timeScore", "avgTime", "onDeviceRatio"],
  hostMetrics: ["triggerF1", "schemaValidity"],
  guide: [
    { metric: "avgF1", when: "where calls must be right" },
    { metric: "total", when: "for correctness, speed and device use in one number" },
    { metric: "onDeviceRatio", when: "where data must stay on the device" },
    { metric: "avgTime", when: "where a user waits" },
  ],
  views: toolsViews,
  composites: { total: totalComposite },
  tagFigures,
  breakdownWithoutSamples: (breakdown) =>
    withoutRareParts(breakdown, { functions: "n", arguments: null, sources: "n", tags: "n" }),
  report: toolsReport,
  features: ({ detail: { level, expected, f1 } }) => ({ level, expectedCalls: expected, f1 }),
  showSample: showTools,
  listedMetrics: ["allRight"],
  answerFault: toolsFault,

  // Used by exports.
  breakdownSchema,
  fieldTable,
  source: {
    name: "conversation",
    of: ({ messages }) =>
      messages.flatMap(({ role, content }) => (role === "user" ? [content] : [])).join("\n"),
  },
  sampleText: ({ messages, expected_calls: calls }) => ({
    input: messages.map(({ role, content }) => `${role}: ${content}`).join("\n"),
    references: [JSON.stringify(calls)],
  }),
};
