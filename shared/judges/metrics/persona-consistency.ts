import { z } from "zod";
import { defaultModels } from "../default-models.ts";
import { exchangeSections } from "../exchange.ts";
import { gradingJudge } from "../grading-judge.ts";
import { level, reasoning, remark, texts } from "../judgment-parts.ts";

const judgment = z.object({
  reasoning,
  matched_traits: texts("Traits that the manner of the answer suits"),
  mismatched_traits: texts("Traits that it disregards or works against"),
  persona_consistency_score: level,
  tailoring_notes: remark("How the answer is made to fit the person, in one sentence"),
});

/** Whether the style of the answer suits the person's character. */
export const personaConsistency = gradingJudge<z.infer<typeof judgment>>({
  id: "persona_consistency",
  label: "Persona consistency",
  version: "1",
  scale: "level",
  route: defaultModels.facts,
  definition:
    "Mean level, 1–5, of how well the manner of the answer suits the person's traits. An empty answer has level 1.",
  rubric: {
    task: "The person's traits (openness, conscientiousness, extraversion, agreeableness, neuroticism) are given from 0 to 1. Judge whether the manner of the answer suits such a person.",
    levels: [
      [5, "Manner and choice of advice suit every marked trait, without calling it by name."],
      [4, "They suit the most marked traits; one that matters less is passed over."],
      [3, "Made for anybody: nothing suits the traits, nothing goes against them."],
      [
        2,
        "One marked trait is disregarded, such as a crowd for the shy or loose hints for the orderly.",
      ],
      [1, "It goes against several marked traits, or labels the person by them."],
    ],
    rules: [
      "A trait is marked below 0.3 or above 0.7; those between say little.",
      "Conscientious people take plans and steps, open ones alternatives, outgoing ones company, worried ones reassurance with exact limits, agreeable ones regard for others.",
      "Where all traits are near 0.5 or unknown, level 3 is right unless the query itself shows a character.",
    ],
    notAbout: [
      "which stored facts are used",
      "whether the advice is right or safe",
      "the emotion of the moment",
    ],
  },
  sections: exchangeSections("traits", "query", "answer"),
  judgment,
  emptyValue: 1,
  score: ({ persona_consistency_score: score }) => score,
});
