import type { Suite } from "../../contracts/suite.ts";
import { eachRepeat, sampleHeadOf } from "../../measures/repeats.ts";
import { tagFigures } from "../../measures/run-sums/run-figures.ts";
import type { RunState } from "../../measures/run-sums/run-state.ts";
import { withoutRareParts } from "../../measures/run-sums/without-rare-parts.ts";
import { next, systemPrompt } from "./ask.ts";
import { pairsMetrics, pairsViews } from "./metrics.ts";
import { type PairsOptions, pairsOptionsSchema } from "./options.ts";
import { pairsReport } from "./report/report.ts";
import { checkSample, type PairsSample } from "./sample.ts";
import { type PairsDetail, sampleValues, scorePairs } from "./score.ts";
import { fieldTable, showPairs } from "./show-sample.ts";
import { breakdownSchema } from "./sum/breakdown.ts";
import { pairsAggregate } from "./sum/summarize.ts";

/**
 * Pairwise judgments: the model under test is a judge that chooses the better of two answers, in both orders. Measures
 * accuracy (with labels), position and length bias, and the strengths of the compared models.
 */
export const pairs: Suite<PairsSample, PairsOptions, PairsDetail, RunState> = {
  // Used by the pipeline.
  id: "pairs",
  version: "1.0.0",
  headline: "accuracy",
  optionsSchema: pairsOptionsSchema,
  checkSample,
  sampleHead: sampleHeadOf,
  plan: (heads, { repeats }) => eachRepeat(heads, repeats),
  next,
  score: scorePairs,
  sampleValues,
  aggregate: pairsAggregate,
  scoringOptions: ({ rankBy }) => ({ rankBy }),
  prompt: (options) => ({ system: systemPrompt(options) }),

  // Used by submissions.
  promptOptions: ["instructions"],
  headlineOf: ({ rankBy }) => rankBy,

  // Shown on boards, reports and sample pages.
  label: "Pairwise judgments",
  question: "Does a judge choose the better of two answers, whatever their order and their length?",
  metrics: pairsMetrics,
  boardMetrics: ["bothRight", "consistency", "firstTwice", "secondTwice", "unjudgedRate"],
  guide: [
    { metric: "accuracy", when: "where single verdicts must be right" },
    { metric: "consistency", when: "where pairs are judged in one order only" },
  ],
  views: pairsViews,
  tagFigures,
  breakdownWithoutSamples: (breakdown) =>
    withoutRareParts(breakdown, { models: "n", pairings: "n", tags: "n" }),
  report: pairsReport,
  showSample: showPairs,
  listedMetrics: ["consistency"],

  // Used by exports.
  breakdownSchema,
  fieldTable,
  source: { name: "request", of: ({ query }) => query },
  // The label is a letter, not a text.
  sampleText: ({ query, answers }) => ({
    input: `${query}\n\nAnswer A:\n${answers.A}\n\nAnswer B:\n${answers.B}`,
    references: [],
  }),
};
