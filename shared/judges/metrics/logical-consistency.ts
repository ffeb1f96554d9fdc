import { z } from "zod";
import { defaultModels } from "../default-models.ts";
import { keepSupported } from "../evidence.ts";
import { exchangeSections } from "../exchange.ts";
import { meanFigure, totalFigure } from "../figures.ts";
import { gradingJudge } from "../grading-judge.ts";
import { level, mostItems, reasoning, remark, texts } from "../judgment-parts.ts";

const contradiction = z.object({
  statement1: z.string().meta({ description: "Words of the answer, copied" }),
  statement2: z.string().meta({ description: "Words of the answer that it contradicts, copied" }),
  explanation: remark("Why both can't hold"),
});

const judgment = z.object({
  reasoning,
  contradictions: z
    .array(contradiction)
    .max(mostItems)
    .default([])
    .meta({ description: "Pairs of statements of the answer that can't both hold" }),
  reasoning_issues: texts("Steps of reasoning that do not follow"),
  consistent_elements: texts("Lines of thought that hold together"),
  consistency_score: level,
  explanation: remark("The ground of the level in one sentence"),
});

/** A count over answers: its total and its mean per sample. */
const countFigures = (id: string, name: string, label: string, definition: string) => [
  totalFigure({
    id,
    label,
    definition: `${definition}, in total, repeats averaged.`,
    better: "lower",
    of: name,
  }),
  meanFigure({
    id: `${id}_per_sample`,
    label: `${label} per sample`,
    definition: `${definition}, per judged sample.`,
    better: "lower",
    of: name,
  }),
];

/** Whether the answer contradicts itself. */
export const logicalConsistency = gradingJudge<z.infer<typeof judgment>>({
  id: "logical_consistency",
  label: "Logical consistency",
  version: "1",
  scale: "level",
  route: defaultModels.logic,
  definition:
    "Mean level, 1–5, of how far the answer agrees with itself and its conclusions follow. An empty answer says nothing that could disagree, level 5.",
  rubric: {
    task: "Judge whether the answer agrees with itself, and whether its conclusions follow from the reasons that it gives.",
    levels: [
      [5, "No two statements disagree, and every conclusion follows."],
      [4, "No contradiction; one step is left out or rests on something unsaid."],
      [3, "A contradiction in a side matter, or a conclusion that does not follow."],
      [2, "A contradiction in a main matter, or several conclusions that do not follow."],
      [1, "It takes back its own main point, or its reasoning is beyond repair."],
    ],
    rules: [
      "A contradiction needs two places of the answer; quote both. If you cannot, there is none.",
      "Different cases are no contradiction: rest today and exercise next week agree.",
      "Weighing both sides is no contradiction.",
    ],
    notAbout: [
      "agreement with the profile, the query or the facts",
      "style, order and clarity",
      "whether the advice is good",
    ],
  },
  sections: exchangeSections("query", "answer"),
  judgment,
  emptyValue: 5,
  score: ({ consistency_score: score }) => score,
  counts: ["contradictions", "reasoningIssues"],
  count: ({ contradictions: pairs, reasoning_issues: found }, { occurs }) => {
    const { kept, invented } = keepSupported(pairs, occurs, (pair) => [
      pair.statement1,
      pair.statement2,
    ]);
    return {
      numbers: { contradictions: kept.length, reasoningIssues: found.length },
      invented,
    };
  },
  figures: [
    ...countFigures(
      "contradictions",
      "contradictions",
      "Contradictions",
      "Pairs of statements, both found in the answer, that can't both hold",
    ),
    ...countFigures(
      "reasoning_issues",
      "reasoningIssues",
      "Reasoning issues",
      "Steps of an answer's reasoning that do not follow",
    ),
  ],
});
