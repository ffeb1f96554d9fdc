import { z } from "zod";
import { defaultModels } from "../default-models.ts";
import { keepSupported } from "../evidence.ts";
import { exchangeSections } from "../exchange.ts";
import { gradingJudge } from "../grading-judge.ts";
import { category, reasoning, share, texts } from "../judgment-parts.ts";

const judgment = z.object({
  reasoning,
  impolite_phrases: texts("Each passage of the answer that lacks respect, copied"),
  improvement_suggestions: texts("What to write instead"),
  category: category(
    ["courteous", "polite", "neutral", "curt", "rude"],
    "The manner of the answer on the whole",
  ),
  politeness_score: share,
});

/** Whether the answer treats the person with respect. */
export const politeness = gradingJudge<z.infer<typeof judgment>>({
  id: "politeness",
  label: "Politeness",
  version: "1",
  scale: "ratio",
  route: defaultModels.tone,
  definition:
    "Mean over samples of how respectfully the answer addresses the person, 0–1. An empty answer is not impolite, 1.",
  rubric: {
    task: "Judge how respectfully the answer addresses the person.",
    levels: [
      [1, "Respectful throughout; asks and suggests rather than orders, without flattery."],
      [0.75, "Friendly or plainly correct, with a phrase that is a shade brusque."],
      [0.5, "Neutral and curt: no offence, no courtesy either."],
      [0.25, "Talks down, scolds, or brushes the question aside."],
      [0, "Insults, mocks or threatens."],
    ],
    rules: [
      "Values between the given ones are allowed.",
      "Go by the customs of the answer's own language and by how formally the person writes.",
      "Plain words and imperatives in steps to be followed are not impolite.",
      "Thanks and apologies by the dozen make nothing more polite.",
    ],
    notAbout: [
      "whether feelings are taken up",
      "whether the answer is useful or right",
      "whether it refuses, as long as it does so with respect",
    ],
  },
  sections: exchangeSections("query", "answer"),
  judgment,
  emptyValue: 1,
  score: ({ politeness_score: score }) => score,
  counts: ["impolite"],
  count: ({ impolite_phrases: phrases }, { occurs }) => {
    const { kept, invented } = keepSupported(phrases, occurs, (phrase) => [phrase]);
    return { numbers: { impolite: kept.length }, invented };
  },
});
