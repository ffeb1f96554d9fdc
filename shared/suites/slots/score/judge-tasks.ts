import type { Answer } from "../../../contracts/answer.ts";
import type { JudgeTask } from "../../../contracts/judging.ts";
import { slotAccuracy } from "../../../judges/metrics/slot-accuracy.ts";
import type { SlotsOptions } from "../options.ts";
import { readSlots } from "../read/read-slots.ts";
import { expectedSlots, type SlotsSample } from "../sample.ts";

/** What every name of a judgment begins with. */
const prefix = `${slotAccuracy.id}/`;

/**
 * Under what name the judgments of a slot stand: `slot_accuracy/<topic>::<field>`, with `%25` for `%` and
 * `%3A` for `:` in names, so that no two slots of a sample share one.
 * @example judgmentName("basic_info", "age") // "slot_accuracy/basic_info::age"
 */
export const judgmentName = (topic: string, field: string): string =>
  `${prefix}${escaped(topic)}::${escaped(field)}`;

const escaped = (name: string) => name.replaceAll("%", "%25").replaceAll(":", "%3A");

/**
 * Whether an answer comes with judgments of slots.
 * @example hasJudgments({ ...emptyAnswer, judgments: {} }) // false
 */
export const hasJudgments = ({ judgments = {} }: Pick<Answer, "judgments">): boolean =>
  Object.keys(judgments).some((name) => name.startsWith(prefix));

/**
 * What a judge is to be asked about an answer: each expected slot that it stores, in their order. Nothing of
 * missed slots, which are 0, so nothing where a request failed.
 * Source: docs/spec/slots.md, LLM judge score.
 * @example judgeTasks(sample, { ...emptyAnswer, output: "{}" }, options) // []
 */
export function judgeTasks(
  sample: SlotsSample,
  answer: Answer,
  { format }: Pick<SlotsOptions, "format">,
): JudgeTask[] {
  const { slots } = readSlots(answer, format);
  return [...expectedSlots(sample)].flatMap(([topic, fields]) =>
    [...fields].flatMap(([field, expected]): JudgeTask[] => {
      const predicted = slots.get(topic)?.get(field);
      if (predicted === undefined) return [];
      const material = { turns: sample.turns, topic, field, expected, predicted };
      return [{ name: judgmentName(topic, field), judge: slotAccuracy, material }];
    }),
  );
}
