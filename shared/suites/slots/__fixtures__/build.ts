import { type Answer, emptyAnswer } from "../../../contracts/answer.ts";
import type { SlotsSample } from "../sample.ts";

export function aSample(
  expected: SlotsSample["expected"],
  part: Partial<SlotsSample> = {},
): SlotsSample {
  return {
    ...{ id: "s1", user: "ada", session: 1, turns: [{ role: "user", content: "Hi!" }] },
    topics: { basic_info: ["name", "age"], interests: ["food"] },
    ...{ expected, tags: {}, ...part },
  };
}

export function anAnswer(output: string | null, part: Partial<Answer> = {}): Answer {
  return { ...emptyAnswer, output, attempts: 1, ...part };
}
