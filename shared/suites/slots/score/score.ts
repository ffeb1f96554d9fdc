import type { Answer } from "../../../contracts/answer.ts";
import type { SampleScore } from "../../../contracts/suite.ts";
import type { SlotsOptions } from "../options.ts";
import { type ReadSlots, readSlots } from "../read/read-slots.ts";
import { expectedSlots, type SlotsSample } from "../sample.ts";
import type { ComparedSlot } from "./compare-slots.ts";
import { compareSlots } from "./compare-slots.ts";
import { type JudgedSession, type JudgedSlot, judgedSession, judgedSlots } from "./judged-slots.ts";
import { shownSlots } from "./shown-slots.ts";
import { addCounts, noSlots, type SlotCounts } from "./slot-counts.ts";
import { type SlotFigures, slotFigures } from "./slot-figures.ts";
import { type TopicCounts, topicCounts } from "./topic-counts.ts";

/** A slot as a sample page shows it. */
interface ShownSlot extends ComparedSlot {
  /** Of an expected slot; left out where nobody was to judge. */
  judged?: JudgedSlot;
}

/** The scoring of one answer: its counts and figures, by topic the counts. */
export interface SlotsDetail extends Omit<ReadSlots, "slots">, SlotCounts, SlotFigures {
  topics: TopicCounts[];
  /** Every expected slot, and the first extra ones. */
  fields: ShownSlot[];
  /** Extra slots that `fields` leaves out. */
  hiddenSlots: number;
  /** Left out where nobody was to judge. */
  judged?: JudgedSession;
}

type ScoringOptions = Pick<SlotsOptions, "format" | "asciiOnly" | "judge" | "judges" | "panelRule">;

/**
 * Scores one answer: presence F1 of its session, 0–1, and 0 where nothing is expected. An answer that
 * can't be read stores nothing, so all expected slots are missed; of a request that failed the same, and
 * it is not covered. What judges say of it stands beside the score. Never throws. Linear; the detail is
 * bounded whatever the answer holds.
 * Source: docs/spec/slots.md, metrics.
 * @example scoreSlots(sample, { ...emptyAnswer, output: "{}" }, options).score // 0
 */
export function scoreSlots(
  sample: SlotsSample,
  answer: Answer,
  options: ScoringOptions,
): SampleScore<SlotsDetail> {
  const { slots: predicted, ...read } = readSlots(answer, options.format);
  const expected = expectedSlots(sample);
  const compared = compareSlots(expected, predicted, options.asciiOnly);
  const total = [...compared.topics.values()].reduce(addCounts, noSlots());
  const figures = slotFigures(total);
  const listed = new Set([...Object.keys(sample.topics), ...expected.keys()]);
  const topics = topicCounts(compared.topics, listed);
  const { fields, hiddenSlots } = shownSlots(compared.slots);
  const judged = judgedSlots(sample, compared.slots, answer, options);
  const detail: SlotsDetail = {
    ...read,
    ...total,
    ...figures,
    topics,
    hiddenSlots,
    // Expected slots are shown all, and first.
    fields:
      judged === null ? fields : fields.map((slot, i) => ({ ...slot, ...judgedAt(judged, i) })),
    ...(judged !== null && { judged: judgedSession(judged, total.tp) }),
  };
  return { status: "scored", score: figures.f1, covered: answer.error === null, detail };
}

const judgedAt = (slots: readonly JudgedSlot[], at: number): Pick<ShownSlot, "judged"> =>
  slots[at] === undefined ? {} : { judged: slots[at] };
