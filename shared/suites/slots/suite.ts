import type { Suite, TagFigure } from "../../contracts/suite.ts";
import { slotAccuracy } from "../../judges/metrics/slot-accuracy.ts";
import { leavesOf } from "../../measures/json-leaves.ts";
import { headlineFigures } from "../../measures/run-sums/run-figures.ts";
import { withoutRareParts } from "../../measures/run-sums/without-rare-parts.ts";
import { next, plan, promptParts } from "./ask/plan.ts";
import { slotsMetrics, slotsViews } from "./metrics.ts";
import { judgeChoice, type SlotsOptions, slotsOptionsSchema } from "./options.ts";
import { slotsReport } from "./report/report.ts";
import { checkSample, type SlotsSample, sampleHead } from "./sample.ts";
import { judgeTasks } from "./score/judged-slots.ts";
import { type SlotsDetail, sampleValues, scoreSlots } from "./score/score.ts";
import { fieldTable } from "./show/field-table.ts";
import { showSlots } from "./show/show-sample.ts";
import { breakdownSchema } from "./sum/breakdown.ts";
import { addScored, noState, type SlotsState } from "./sum/state.ts";
import { summarize } from "./sum/summarize.ts";

const partsSchema = breakdownSchema.pick({ topics: true, users: true, sessions: true, tags: true });

/**
 * Memory slots: which facts a model stores from a user's conversation sessions.
 * Source: docs/spec/slots.md.
 */
export const slots: Suite<SlotsSample, SlotsOptions, SlotsDetail, SlotsState> = {
  // Used by the pipeline.
  id: "slots",
  version: "1.1.0",
  headline: "f1",
  optionsSchema: slotsOptionsSchema,
  checkSample,
  sampleHead,
  plan,
  next,
  score: scoreSlots,
  sampleValues,
  aggregate: { empty: noState, add: addScored, finish: summarize },
  // Judges are stored separately, and a panel's rule has no effect without a panel.
  scoringOptions: ({ asciiOnly, format, judges, panelRule }) => ({
    asciiOnly,
    format,
    ...(judges.length > 0 && { panelRule }),
  }),
  prompt: promptParts,

  // Used by submissions.
  promptOptions: ["systemPrompt", "userPrompt"],
  judging: {
    judges: [slotAccuracy],
    choice: judgeChoice,
    needed: [],
    tasks: judgeTasks,
    about: ({ turns }) => turns.map(({ role, content }) => [role, content]),
    replaces: { judge: ["judges"], judges: ["judge"] },
  },

  // Shown on boards, reports and sample pages.
  label: "Memory slots",
  question:
    "Does a model that reads a user's conversations store the right facts, and nothing else?",
  metrics: slotsMetrics,
  boardMetrics: ["precision", "recall", "valueF1", "bleu1", "extraSlots", "latencyP95"],
  guide: [
    { metric: "f1", when: "for balance" },
    { metric: "precision", when: "where false facts are costly" },
    { metric: "recall", when: "where missing facts are costly" },
    { metric: "latencyP95", when: "for interactive use" },
  ],
  views: slotsViews,
  tagFigures,
  breakdownWithoutSamples: (breakdown) =>
    withoutRareParts(breakdown, { topics: "n", users: "n", sessions: "n", tags: "n" }),
  report: slotsReport,
  features: ({ detail: { tp, fp, fn } }) => ({ expectedSlots: tp + fn, storedSlots: tp + fp }),
  showSample: showSlots,

  // Used by exports.
  breakdownSchema,
  fieldTable,
  goldValues: ({ expected }) => leavesOf(expected, "expected"),
  sampleText: ({ turns, expected }) => ({
    input: turns.map(({ role, content }) => `${role}: ${content}`).join("\n"),
    references: [JSON.stringify(expected)],
  }),
};

/**
 * F1 by topic of the slots, by user, by session and by the sessions' other tags; `n` counts sessions. Topics that
 * the model invented are left out. Empty without a breakdown. Linear.
 * Source: docs/spec/slots.md, metrics.
 */
function tagFigures(breakdown: unknown): TagFigure[] {
  const read = partsSchema.safeParse(breakdown);
  if (!read.success) return [];
  const { topics, users, sessions, tags } = read.data;
  const expected = topics.filter(({ figures }) => figures["expectedSlots"]?.value !== 0);
  const tagged = (tag: string, parts: typeof users) => parts.map((part) => ({ ...part, tag }));
  const own = [...tagged("topic", expected), ...tagged("user", users)];
  return headlineFigures([...own, ...tagged("session", sessions), ...tags], "f1");
}
