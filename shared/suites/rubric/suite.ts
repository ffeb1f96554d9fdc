import type { JsonObject } from "../../contracts/json.ts";
import type { JudgeChoice, Judging } from "../../contracts/judging/judging.ts";
import type { Suite } from "../../contracts/suite.ts";
import { questionCanaries } from "../../measures/judging/question-canaries.ts";
import { eachRepeat, sampleHeadOf } from "../../measures/repeats.ts";
import { tagFigures } from "../../measures/run-sums/run-figures.ts";
import { withoutRareParts } from "../../measures/run-sums/without-rare-parts.ts";
import { judgeTasks, next } from "./ask.ts";
import { criterionJudges, rubricMetrics } from "./criteria.ts";
import { rubricViews } from "./metrics.ts";
import { type RubricOptions, rubricOptionsSchema } from "./options.ts";
import { rubricReport } from "./report/report.ts";
import { defaultRubric, type Rubric } from "./rubric.ts";
import { checkSample, type RubricSample } from "./sample.ts";
import { type RubricDetail, sampleValues, scoreRubric } from "./score/score.ts";
import { fieldTable, showRubric } from "./show/show-sample.ts";
import { breakdownSchema } from "./sum/breakdown.ts";
import { addScored, judgedValues, noState, type RubricState } from "./sum/state.ts";
import { summarize } from "./sum/summarize.ts";

/** The bounds apply to the default rubric. */
const canaries = Object.values(questionCanaries<RubricSample>({ constant: 0.4, vague: 0.5 }));

const judgingBy = (rubric: Rubric): Judging<RubricSample, RubricOptions> => ({
  judges: criterionJudges(rubric),
  // The options name the judges.
  choice: (options) => options as JudgeChoice,
  needed: rubric.criteria.flatMap(({ id, weight }) => (weight > 0 ? [id] : [])),
  tasks: judgeTasks,
  about: ({ system, history, context, query, reference }) => ({
    system,
    history: history.map(({ role, content }) => [role, content]),
    context,
    query,
    reference,
  }),
  replaces: { judge: ["judges", "judgeOverrides"], judges: ["judge", "judgeOverrides"] },
  canaries,
});

/** Boards show a rubric's criteria in addition. */
const boardMetrics = ["latencyP95"];

/**
 * A custom rubric: judges grade each answer by the criteria in the run's options.
 */
export const rubric: Suite<RubricSample, RubricOptions, RubricDetail, RubricState> = {
  // Used by the pipeline.
  id: "rubric",
  version: "1.0.0",
  headline: "rubricScore",
  optionsSchema: rubricOptionsSchema,
  checkSample,
  sampleHead: sampleHeadOf,
  plan: (heads, { repeats }) => eachRepeat(heads, repeats),
  next,
  score: scoreRubric,
  sampleValues,
  aggregate: { empty: noState, add: addScored, finish: summarize },
  // Keys without a value are left out of a parsed rubric.
  scoringOptions: ({ rubric: own, panelRule }) => ({ rubric: own as JsonObject, panelRule }),
  prompt: ({ systemPrompt, userPrompt }) => ({
    system: systemPrompt,
    ...(userPrompt !== null && { user: userPrompt }),
  }),

  // Used by submissions.
  promptOptions: ["systemPrompt", "userPrompt"],
  judging: judgingBy(defaultRubric),
  judgedValues,
  withOptions: ({ rubric: own = defaultRubric }: Partial<RubricOptions>) => ({
    judging: judgingBy(own),
    metrics: rubricMetrics(own),
    boardMetrics: [...own.criteria.map(({ id }) => id), ...boardMetrics],
  }),

  // Shown on boards, reports and sample pages.
  label: "Your rubric",
  question: "How good are answers by criteria of your own?",
  metrics: rubricMetrics(defaultRubric),
  boardMetrics,
  views: rubricViews,
  tagFigures,
  breakdownWithoutSamples: (breakdown) => withoutRareParts(breakdown, { tags: "n" }),
  report: rubricReport,
  showSample: showRubric,

  // Used by exports.
  breakdownSchema,
  fieldTable,
  source: { name: "context", of: ({ context }) => context ?? "" },
  // The reference is for judges, not an expected text.
  sampleText: ({ query }) => ({ input: query, references: [] }),
};
