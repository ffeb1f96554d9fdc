import { z } from "zod";
import { defaultModels } from "../default-models.ts";
import { exchangeSections } from "../exchange.ts";
import { gradingJudge } from "../grading-judge.ts";
import { level, reasoning, texts } from "../judgment-parts.ts";

const judgment = z.object({
  reasoning,
  missing_info: texts("What the person would need and the answer lacks"),
  suggested_followups: texts("Questions that the answer could well have asked"),
  helpfulness_score: level,
});

/** Whether the answer helps the person. */
export const helpfulness = gradingJudge<z.infer<typeof judgment>>({
  id: "helpfulness",
  label: "Helpfulness",
  version: "1",
  scale: "level",
  route: defaultModels.facts,
  definition:
    "Mean level, 1–5, of how far the answer gets this person with this question. An empty answer has level 1.",
  rubric: {
    task: "Judge how far the answer gets this person with this question.",
    levels: [
      [
        5,
        "It answers what was asked, fits this person's circumstances, and can be acted on as it stands.",
      ],
      [4, "It answers what was asked and can be acted on; a detail that matters is missing."],
      [3, "It is on the matter and of some use, but general: the person must work out the rest."],
      [2, "It touches the matter and leaves the question as good as open."],
      [1, "It is no help: off the matter, empty phrases, or a refusal without need."],
    ],
    rules: [
      "Ask what the person could do after reading that they could not do before.",
      "Use the profile only to see what this person needs.",
      "To send somebody to a professional where that is called for is help; to do so instead of an answer that could be given is none.",
      "A question back is help where no good answer is possible without it.",
    ],
    notAbout: [
      "length: what could be left out is no help",
      "tone, warmth and manners",
      "whether the answer shows that it remembers the person",
    ],
  },
  sections: exchangeSections("profile", "query", "answer"),
  judgment,
  emptyValue: 1,
  score: ({ helpfulness_score: score }) => score,
});
