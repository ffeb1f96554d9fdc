import type { Answer } from "../../../contracts/answer.ts";
import { cutText } from "../../../contracts/bounds.ts";
import type { JudgeTask, Manner } from "../../../contracts/judging/judging.ts";
import type { JudgmentRecord, UnjudgedReason } from "../../../contracts/judging/judgment.ts";
import { withManner } from "../../../judges/judge-manner.ts";
import { slotAccuracy } from "../../../judges/metrics/slot-accuracy.ts";
import { type ReadRecord, readRecords } from "../../../judges/read-records.ts";
import { ratio } from "../../../measures/text/token-f1.ts";
import type { SlotsOptions } from "../options.ts";
import { readSlots } from "../read/read-slots.ts";
import { expectedSlots, type SlotsSample } from "../sample.ts";
import type { ComparedSlot } from "./compare-slots.ts";

/** One judge's judgment of a slot. */
interface SlotJudge extends Omit<JudgmentRecord, "judgment" | "unjudged"> {
  judgment: { reasoning: string; accuracy: number } | null;
  value: number | null;
  unjudged: UnjudgedReason | null;
  message: string;
}

/** Judgments of an expected slot. */
export interface JudgedSlot {
  /** 0–1; 0 if missed; null if unjudged. */
  value: number | null;
  unjudged: UnjudgedReason | null;
  /** Empty for a missed slot. */
  judges: SlotJudge[];
}

/** Judgments of a session. */
export interface JudgedSession {
  /** Mean over the expected slots, 0–1; 0 without expected slots; null if a stored one is unjudged. */
  score: number | null;
  /** Sum of the known values of the expected slots. */
  sum: number;
  /** Expected slots that are stored. */
  stored: number;
}

type JudgingOptions = Pick<SlotsOptions, "judge" | "judges" | "panelRule">;

/** Maximum stored characters of a judge's text, and of names. */
const maxText = 500;
const maxName = 200;

/**
 * Judgments of the expected slots, in order: a missed slot is 0 without a judgment, any other has the combined
 * value of its judgments; no value is invented. Null without a judge: the options name none, and the answer has no
 * judgments of its own. Never throws. Linear in the judgments.
 * Source: docs/spec/slots.md, LLM judge score.
 * @example judgedSlots(sample, [], answer, { ...options, judge: "gpt-4o" }) // []
 */
export function judgedSlots(
  { turns }: Pick<SlotsSample, "turns">,
  slots: readonly ComparedSlot[],
  answer: Answer,
  { judge, judges, panelRule }: JudgingOptions,
): JudgedSlot[] | null {
  if (judge === null && judges.length === 0 && !hasJudgments(answer)) return null;
  const { judgments = {} } = answer;
  return slots.flatMap(({ outcome, topic, field, expected, predicted }): JudgedSlot[] => {
    if (outcome === "extra") return [];
    if (outcome === "missed") return [{ value: 0, unjudged: null, judges: [] }];
    const name = judgmentName(topic, field);
    const records = Object.hasOwn(judgments, name) ? judgments[name]! : [];
    const material = { turns, topic, field, expected, predicted };
    const read = readRecords(slotAccuracy, records, material, panelRule);
    const { reading, unjudged, records: its } = read;
    return [{ value: reading?.value ?? null, unjudged, judges: its.map(shownJudge) }];
  });
}

/** Names are external input, so they are cut. */
function shownJudge({ record, judgment, value, unjudged, message }: ReadRecord): SlotJudge {
  const { judge, provider, promptHash, key } = record;
  const short = (name: string | null) => name && cutText(name, maxName);
  const read = judgment as { reasoning: string; accuracy: number } | null;
  return {
    ...record,
    judge: short(judge),
    provider: short(provider),
    promptHash: short(promptHash),
    key: short(key),
    judgment: read && { reasoning: cutText(read.reasoning, maxText), accuracy: read.accuracy },
    value,
    unjudged,
    message: cutText(message, maxText),
  };
}

/**
 * The judged slots summed up as a session.
 * Source: docs/spec/slots.md, LLM judge score.
 * @example judgedSession([{ value: 0, unjudged: null, judges: [] }], 0).score // 0
 */
export function judgedSession(slots: readonly JudgedSlot[], stored: number): JudgedSession {
  const sum = slots.reduce((all, { value }) => all + (value ?? 0), 0);
  const isJudged = slots.every(({ value }) => value !== null);
  return { score: isJudged ? ratio(sum, slots.length, 0) : null, sum, stored };
}

/** Prefix of each judgment's name. */
const prefix = `${slotAccuracy.id}/`;

/**
 * Key of a slot's judgments: `slot_accuracy/<topic>::<field>`, with `%25` for `%` and
 * `%3A` for `:` in names, so that no two slots of a sample share one.
 * @example judgmentName("basic_info", "age") // "slot_accuracy/basic_info::age"
 */
export const judgmentName = (topic: string, field: string): string =>
  `${prefix}${escaped(topic)}::${escaped(field)}`;

const escaped = (name: string) => name.replaceAll("%", "%25").replaceAll(":", "%3A");

/**
 * Whether an answer has judgments of slots.
 * @example hasJudgments({ ...emptyAnswer, judgments: {} }) // false
 */
export const hasJudgments = ({ judgments = {} }: Pick<Answer, "judgments">): boolean =>
  Object.keys(judgments).some((name) => name.startsWith(prefix));

/**
 * The questions for a judge about an answer: each stored expected slot, in order. None for missed slots, which are
 * 0, so none if a request failed.
 * Source: docs/spec/slots.md, LLM judge score.
 * @example judgeTasks(sample, { ...emptyAnswer, output: "{}" }, options) // []
 */
export function judgeTasks(
  sample: SlotsSample,
  answer: Answer,
  { format, ...manner }: Pick<SlotsOptions, "format"> & Manner,
): JudgeTask[] {
  const { slots } = readSlots(answer, format);
  const judge = withManner(slotAccuracy, manner);
  return [...expectedSlots(sample)].flatMap(([topic, fields]) =>
    [...fields].flatMap(([field, expected]): JudgeTask[] => {
      const predicted = slots.get(topic)?.get(field);
      if (predicted === undefined) return [];
      const material = { turns: sample.turns, topic, field, expected, predicted };
      return [{ name: judgmentName(topic, field), judge, material }];
    }),
  );
}
