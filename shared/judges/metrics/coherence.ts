import { z } from "zod";
import { defaultModels } from "../default-models.ts";
import { keepSupported } from "../evidence.ts";
import { exchangeSections } from "../exchange.ts";
import { gradingJudge } from "../grading-judge.ts";
import { level, reasoning, remark, texts } from "../judgment-parts.ts";

const parts = ["logical_flow", "clarity", "consistency", "organization", "relevance"] as const;

/** Information for readers; no figure depends on it. An unreadable level is 0. */
const dimension = level.catch(0);
const dimensions = Object.fromEntries(parts.map((name) => [name, dimension]));

const judgment = z.object({
  reasoning,
  dimensions: z
    .object(dimensions)
    .catch(Object.fromEntries(parts.map((name) => [name, 0])))
    .meta({ description: "A level for each part of coherence" }),
  grammar_issues: texts("Faults of language, each quoted from the answer in quotation marks"),
  strengths: texts("What makes the answer easy to follow"),
  coherence_score: level,
  explanation: remark("The ground of the level in one sentence"),
});

/** Whether the answer is coherent as a text. */
export const coherence = gradingJudge<z.infer<typeof judgment>>({
  id: "coherence",
  label: "Coherence",
  version: "1",
  scale: "level",
  route: defaultModels.tone,
  definition:
    "Mean level, 1–5, of how well the answer hangs together as a text: order, transitions, clear sentences. An empty answer has level 1.",
  rubric: {
    task: "Judge how well the answer hangs together as a text, for a reader who knows nothing but the query.",
    levels: [
      [
        5,
        "Every sentence has its place; each follows from the one before; nothing has to be read twice.",
      ],
      [4, "Easy to follow, with one or two rough transitions or an awkward sentence."],
      [
        3,
        "The thread can be found, but the reader has to help: jumps, repetition, or loose order.",
      ],
      [2, "Parts make sense by themselves and do not add up; the point is hard to find."],
      [1, "Fragments, word salad, broken-off text, or nothing that can be followed."],
    ],
    rules: [
      "Give each dimension a level first, then the whole, which need not be their mean.",
      "Relevance among the dimensions asks only whether each part serves the answer's own point.",
      "A short answer can be perfectly coherent; a list can be, if its order makes sense.",
      "A fault of grammar counts only as far as it hinders reading.",
    ],
    notAbout: [
      "whether statements are true, or contradict each other",
      "whether the advice is good",
      "warmth, politeness, or use of the profile",
    ],
  },
  sections: exchangeSections("query", "answer"),
  judgment,
  emptyValue: 1,
  score: ({ coherence_score: score }) => score,
  counts: ["grammarIssues"],
  count: ({ grammar_issues: issues }, { isSupported }) => {
    const { kept, invented } = keepSupported(issues, isSupported, (issue) => [issue]);
    return { numbers: { grammarIssues: kept.length }, invented };
  },
});
