import { z } from "zod";
import { defaultModels } from "../default-models.ts";
import { exchangeSections } from "../exchange.ts";
import { gradingJudge } from "../grading-judge.ts";
import { level, reasoning, remark, texts } from "../judgment-parts.ts";

const judgment = z.object({
  reasoning,
  matched_emotions: texts("Emotions of the person that the answer's tone fits"),
  mismatched_emotions: texts("Emotions of the person that its tone misses or works against"),
  emotional_congruence_score: level,
  tone_notes: remark("What the tone is like, in one sentence"),
});

/** Whether the answer's tone suits the person's emotions. */
export const emotionalCongruence = gradingJudge<z.infer<typeof judgment>>({
  id: "emotional_congruence",
  label: "Emotional congruence",
  version: "1",
  scale: "level",
  route: defaultModels.tone,
  definition:
    "Mean level, 1–5, of how well the answer's tone suits the emotion with which the question was asked. An empty answer has level 1.",
  rubric: {
    task: "The shares of emotions in the person's query are given. Judge whether the answer's tone suits them.",
    levels: [
      [5, "The tone suits the strongest emotions and the lesser ones, in kind and in strength."],
      [4, "It suits the strongest emotion; a lesser one is passed over, or the strength is off."],
      [3, "Neutral: it neither suits nor offends what the person feels."],
      [2, "It misses the strongest emotion, such as brisk cheer at worry, or alarm at calm."],
      [1, "It works against what the person feels: mocking, blaming, cold where there is pain."],
    ],
    rules: [
      "Weigh emotions by their shares; one below a tenth hardly counts.",
      "To suit is not to mirror: anger wants calm that takes it seriously, fear wants steadiness, joy may be shared.",
      "Where the shares are all alike or unknown, go by the words of the query.",
    ],
    notAbout: [
      "how much support or warmth is offered",
      "manners",
      "whether the content is right or helps",
    ],
  },
  sections: exchangeSections("emotion", "query", "answer"),
  judgment,
  emptyValue: 1,
  score: ({ emotional_congruence_score: score }) => score,
});
