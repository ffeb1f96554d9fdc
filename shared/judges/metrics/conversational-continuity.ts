import { z } from "zod";
import { defaultModels } from "../default-models.ts";
import { keepSupported } from "../evidence.ts";
import { exchangeSections } from "../exchange.ts";
import { meanFigure } from "../figures.ts";
import { gradingJudge } from "../grading-judge.ts";
import { level, reasoning, remark, texts } from "../judgment-parts.ts";

const judgment = z.object({
  reasoning,
  callbacks: texts(
    "Where the answer takes up what came before, each with its words in quotation marks",
  ),
  breaks: texts("Where it forgets, repeats or contradicts what came before"),
  continuity_score: level,
  explanation: remark("The ground of the level in one sentence"),
});

/** Whether the answer continues the conversation. */
export const conversationalContinuity = gradingJudge<z.infer<typeof judgment>>({
  id: "conversational_continuity",
  label: "Conversational continuity",
  version: "1",
  scale: "level",
  route: defaultModels.continuity,
  definition:
    "Mean level, 1–5, of how far the answer carries on from history and profile as one conversation. Without a history profile and query decide. An empty answer has level 1.",
  rubric: {
    task: "Judge whether the answer carries on from the conversation so far and from the profile, as somebody would who was there. Where there was no conversation, judge by profile and query alone.",
    levels: [
      [5, "It takes up what was said or is known where that matters, and goes on from there."],
      [4, "It fits what came before, and takes up some of what matters."],
      [3, "It could follow any query like this one: no break, no thread."],
      [2, "It asks for what was given, repeats what was settled, or greets as a stranger would."],
      [1, "It contradicts what came before, or speaks to somebody else."],
    ],
    rules: [
      "To take up what does not matter here earns nothing.",
      "The last turns weigh most.",
      "To tell of a changed mind or a mended mistake is no break.",
    ],
    notAbout: [
      "whether required facts are used: only whether the thread is kept",
      "truth, safety and usefulness of the advice",
      "whether the answer agrees with itself",
    ],
  },
  sections: exchangeSections("profile", "history", "query", "answer"),
  judgment,
  emptyValue: 1,
  score: ({ continuity_score: score }) => score,
  counts: ["callbacks", "breaks"],
  count: ({ callbacks, breaks }, { isSupported }) => {
    const { kept, invented } = keepSupported(callbacks, isSupported, (callback) => [callback]);
    return { numbers: { callbacks: kept.length, breaks: breaks.length }, invented };
  },
  figures: [
    meanFigure({
      id: "callbacks_per_sample",
      label: "Callbacks per sample",
      definition: "Places where the answer takes up what came before, per judged sample.",
      better: "higher",
      of: "callbacks",
    }),
    meanFigure({
      id: "breaks_per_sample",
      label: "Breaks per sample",
      definition: "Places where it forgets or contradicts what came before, per judged sample.",
      better: "lower",
      of: "breaks",
    }),
  ],
});
