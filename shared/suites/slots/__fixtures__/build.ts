import { type Answer, emptyAnswer } from "../../../contracts/answer.ts";
import { givenJudgments } from "../../../contracts/judging/given-judgments.ts";
import type { JudgmentRecord } from "../../../contracts/judging/judgment.ts";
import type { SlotsSample } from "../sample.ts";
import { judgmentName } from "../score/judged-slots.ts";

export function aSample(
  expected: SlotsSample["expected"],
  part: Partial<SlotsSample> = {},
): SlotsSample {
  return {
    id: "s1",
    user: "ada",
    session: 1,
    turns: [{ role: "user", content: "Hi!" }],
    topics: { basic_info: ["name", "age"], interests: ["food"] },
    expected,
    tags: {},
    ...part,
  };
}

export function anAnswer(output: string | null, part: Partial<Answer> = {}): Answer {
  return { ...emptyAnswer, output, attempts: 1, ...part };
}

/** A judge's record of a slot: a valid one with `value`, or with the fields in `more`. */
export function aRecord(value: number | null, more: object = {}): JudgmentRecord {
  const record = {
    judge: "judge-a",
    provider: "openai",
    requests: 1,
    inputTokens: 100,
    outputTokens: 10,
    judgment: value === null ? null : { reasoning: "Because.", accuracy: value },
    ...more,
  };
  return givenJudgments({ record })["record"]![0]!;
}

/** Judgments by slot, written `topic.field`; a number is one judge's value. */
export function judgmentsOf(
  slots: Readonly<Record<string, number | JudgmentRecord[]>>,
): NonNullable<Answer["judgments"]> {
  const entries = Object.entries(slots).map(([slot, given]) => {
    const [topic = "", field = ""] = slot.split(".");
    const records = typeof given === "number" ? [aRecord(given)] : given;
    return [judgmentName(topic, field), records] as const;
  });
  return Object.fromEntries(entries);
}
