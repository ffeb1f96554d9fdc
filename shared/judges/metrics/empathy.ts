import { z } from "zod";
import { defaultModels } from "../default-models.ts";
import { keepSupported } from "../evidence.ts";
import { exchangeSections } from "../exchange.ts";
import { meanFigure } from "../figures.ts";
import { gradingJudge } from "../grading-judge.ts";
import { level, reasoning, remark, texts } from "../judgment-parts.ts";

/** Warmest first. */
const warmth = ["high", "moderate", "low", "cold"] as const;

const judgment = z.object({
  reasoning,
  supportive_elements: texts(
    "What supports the person, each with the answer's words in quotation marks",
  ),
  empathy_gaps: texts("Where support was called for and is missing"),
  validation_present: z
    .boolean()
    .meta({ description: "Whether the answer says that what the person feels makes sense" }),
  warmth_level: z.enum(warmth).meta({ description: "How warm the answer is on the whole" }),
  empathy_score: level,
  explanation: remark("The ground of the level in one sentence"),
});

/** Whether the answer shows understanding of the person. */
export const empathy = gradingJudge<z.infer<typeof judgment>>({
  id: "empathy",
  label: "Empathy",
  version: "1",
  scale: "level",
  route: defaultModels.tone,
  definition:
    "Mean level, 1–5, of how far the answer understands what the person goes through and shows it. An empty answer has level 3.",
  rubric: {
    task: "Judge how far the answer understands what the person goes through, and shows it.",
    levels: [
      [
        5,
        "It names what this person goes through, says that it makes sense, and helps from there.",
      ],
      [4, "It shows understanding of the situation in its own words, if not of all of it."],
      [3, "Matter-of-fact: nothing cold, and no more than a stock phrase of sympathy."],
      [2, "It passes over what plainly weighs on the person."],
      [1, "It belittles, blames or lectures them for what they feel."],
    ],
    rules: [
      "A plain question without distress asks for no sympathy: a friendly answer to the point has level 4, and validation_present is false unless it is there.",
      "Stock phrases count as no more than that, however many.",
      "Support that shows in what is advised counts as much as in words of comfort.",
    ],
    notAbout: [
      "manners as such",
      "whether the tone mirrors the measured emotion",
      "whether the advice is right",
    ],
  },
  sections: exchangeSections("query", "answer"),
  judgment,
  emptyValue: 3,
  score: ({ empathy_score: score }) => score,
  counts: ["validated", "supportive", "gaps"],
  labels: { warmth },
  count: (given, { isSupported }) => {
    const { kept, invented } = keepSupported(given.supportive_elements, isSupported, (one) => [
      one,
    ]);
    return {
      numbers: {
        validated: Number(given.validation_present),
        supportive: kept.length,
        gaps: given.empathy_gaps.length,
      },
      labels: { warmth: given.warmth_level },
      invented,
    };
  },
  figures: [
    meanFigure({
      id: "validation_rate",
      label: "Validation rate",
      definition: "Samples whose answer says that the person's feeling makes sense / judged.",
      better: "higher",
      of: "validated",
      unit: "ratio",
    }),
    meanFigure({
      id: "supportive_elements_per_sample",
      label: "Supportive elements per sample",
      definition: "What supports the person in the answer, per judged sample.",
      better: "higher",
      of: "supportive",
    }),
    meanFigure({
      id: "empathy_gaps_per_sample",
      label: "Empathy gaps per sample",
      definition: "Places where support was called for and is missing, per judged sample.",
      better: "lower",
      of: "gaps",
    }),
  ],
});
