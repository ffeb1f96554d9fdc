import type { Suite } from "../../contracts/suite.ts";
import { slotAccuracy } from "../../judges/metrics/slot-accuracy.ts";
import { withoutRareParts } from "../../measures/run-sums/without-rare-parts.ts";
import { breakdownSchema } from "./breakdown.ts";
import { fieldTable } from "./field-table.ts";
import { judgeTasks } from "./judge-tasks.ts";
import { slotsMetrics } from "./metrics.ts";
import { judgeChoice, type SlotsOptions, slotsOptionsSchema } from "./options.ts";
import { next, plan } from "./plan.ts";
import { promptParts } from "./prompt.ts";
import { slotsReport } from "./report.ts";
import { checkSample, type SlotsSample, sampleHead } from "./sample.ts";
import { sampleValues } from "./sample-values.ts";
import { type SlotsDetail, scoreSlots } from "./score.ts";
import { showSlots } from "./show-sample.ts";
import { addScored, noState, type SlotsState } from "./state.ts";
import { summarize } from "./summarize.ts";
import { slotsTagFigures } from "./tag-figures.ts";
import { slotsViews } from "./views.ts";

/**
 * Memory slots: which facts a model stores of a user's conversation sessions.
 * Source: docs/spec/slots.md.
 */
export const slots: Suite<SlotsSample, SlotsOptions, SlotsDetail, SlotsState> = {
  id: "slots",
  version: "1.1.0",
  label: "Memory slots",
  question:
    "Does a model that reads a user's conversations store the right facts, and nothing else?",
  headline: "f1",
  boardMetrics: [...["precision", "recall", "valueF1", "bleu1", "extraSlots", "latencyP95"]],
  guide: [
    { metric: "f1", when: "for balance" },
    { metric: "precision", when: "where false facts cost" },
    { metric: "recall", when: "where missing facts cost" },
    { metric: "latencyP95", when: "for interactive use" },
  ],
  views: slotsViews,
  metrics: slotsMetrics,
  optionsSchema: slotsOptionsSchema,
  breakdownSchema,
  breakdownWithoutSamples: (breakdown) =>
    withoutRareParts(breakdown, { topics: "n", users: "n", sessions: "n", tags: "n" }),
  tagFigures: slotsTagFigures,
  checkSample,
  sampleHead,
  plan,
  next,
  score: scoreSlots,
  sampleValues,
  judging: {
    ...{ judges: [slotAccuracy], choice: judgeChoice },
    ...{ needed: [], tasks: judgeTasks },
    about: ({ turns }) => turns.map(({ role, content }) => [role, content]),
    replaces: { judge: ["judges"], judges: ["judge"] },
  },
  aggregate: { empty: noState, add: addScored, finish: summarize },
  report: slotsReport,
  features: ({ detail: { tp, fp, fn } }) => ({ expectedSlots: tp + fn, storedSlots: tp + fp }),
  showSample: showSlots,
  fieldTable,
  sampleText: ({ turns, expected }) => ({
    input: turns.map(({ role, content }) => `${role}: ${content}`).join("\n"),
    references: [JSON.stringify(expected)],
  }),
  // Who judges is kept apart, and a panel's rule moves nothing where there is no panel.
  scoringOptions: ({ asciiOnly, format, judges, panelRule }) => ({
    ...{ asciiOnly, format, ...(judges.length > 0 && { panelRule }) },
  }),
  prompt: promptParts,
};
