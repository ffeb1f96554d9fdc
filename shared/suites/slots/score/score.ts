import type { Answer } from "../../../contracts/answer.ts";
import { cutText } from "../../../contracts/bounds.ts";
import { NOTHING, type Share } from "../../../contracts/runs/run-scores.ts";
import type { SampleScore } from "../../../contracts/suite.ts";
import type { SlotsOptions } from "../options.ts";
import { type ReadSlots, readSlots } from "../read/read-slots.ts";
import { expectedSlots, type SlotsSample } from "../sample.ts";
import { type ComparedSlot, compareSlots } from "./compare-slots.ts";
import { type JudgedSession, type JudgedSlot, judgedSession, judgedSlots } from "./judged-slots.ts";
import {
  addCounts,
  noSlots,
  type SlotCounts,
  type SlotFigures,
  slotFigures,
  type TopicCounts,
  topicCounts,
} from "./slot-counts.ts";

/** A slot as a sample page shows it. */
interface ShownSlot extends ComparedSlot {
  /** Only for expected slots; absent if the run has no judges. */
  judged?: JudgedSlot;
}

/** Scoring details of one answer: counts and figures, and the counts by topic. */
export interface SlotsDetail extends Omit<ReadSlots, "slots">, SlotCounts, SlotFigures {
  topics: TopicCounts[];
  /** Every expected slot, and the first extra ones. */
  fields: ShownSlot[];
  /** Extra slots that `fields` leaves out. */
  hiddenSlots: number;
  /** Absent if the run has no judges. */
  judged?: JudgedSession;
}

type ScoringOptions = Pick<SlotsOptions, "format" | "asciiOnly" | "judge" | "judges" | "panelRule">;

/**
 * Scores one answer: presence F1 of its session, 0–1, and 0 if nothing is expected. An answer that
 * can't be read stores nothing, so all expected slots are missed; the same applies to a failed request, which is
 * also not covered. Judgments are part of the detail, not of the score. Never throws. Linear; the detail is bounded
 * for any answer.
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
    // All expected slots are shown, and come first.
    fields:
      judged === null ? fields : fields.map((slot, i) => ({ ...slot, ...judgedAt(judged, i) })),
    ...(judged !== null && { judged: judgedSession(judged, total.tp) }),
  };
  return { status: "scored", score: figures.f1, covered: answer.error === null, detail };
}

const judgedAt = (slots: readonly JudgedSlot[], at: number): Pick<ShownSlot, "judged"> =>
  slots[at] === undefined ? {} : { judged: slots[at] };

/** Limits of what a sample page shows of a slot; they do not affect scores. */
const maxExtraSlots = 100;
const maxValues = 20;
const maxLength = 200;

/**
 * The stored slots for sample pages: all expected ones, whose number is bounded by the sample, and the first 100
 * extra ones; each with the first 20 values, texts cut after 200 characters.
 * @example shownSlots([]) // { fields: [], hiddenSlots: 0 }
 */
export function shownSlots(slots: readonly ComparedSlot[]): {
  fields: ComparedSlot[];
  hiddenSlots: number;
} {
  const extra = slots.findIndex(({ outcome }) => outcome === "extra");
  const shown = extra < 0 ? slots : slots.slice(0, extra + maxExtraSlots);
  return { fields: shown.map(cutSlot), hiddenSlots: slots.length - shown.length };
}

function cutSlot({ topic, field, outcome, expected, predicted }: ComparedSlot): ComparedSlot {
  const cut = (values: readonly string[]) =>
    values.slice(0, maxValues).map((value) => cutText(value, maxLength));
  return {
    topic: cutText(topic, maxLength),
    field: cutText(field, maxLength),
    outcome,
    expected: cut(expected),
    predicted: cut(predicted),
  };
}

/** Metrics by which runs are compared, the headline first. */
const compared = [
  "f1",
  "precision",
  "recall",
  "valueF1",
  "exactMatchCoverage",
  "tokenF1",
  "bleu1",
  "f1Macro",
  "judgeScore",
] as const;
type Values = Record<(typeof compared)[number], number | Share | null>;

const unscored = Object.fromEntries(compared.map((metric) => [metric, null])) as Values;

/**
 * An answer's contribution to each metric by which runs are compared, as shares of counts: over any samples,
 * Σ of / Σ over is the micro figure; an F1 is 2 · right / (predicted + expected). Unjudged values are null, and so
 * are all values of an unscored answer.
 * Source: docs/spec/slots.md, metrics.
 * @example sampleValues(score).f1 // { of: 2 · TP, over: 2 · TP + FP + FN }
 */
export function sampleValues({ status, detail }: SampleScore<SlotsDetail>): Values {
  if (status !== "scored") return unscored;
  const predicted = detail.tp + detail.fp || NOTHING;
  const expected = detail.tp + detail.fn || NOTHING;
  const tokens = detail.predictedTokens + detail.expectedTokens || NOTHING;
  return {
    f1: { of: 2 * detail.tp, over: predicted + expected },
    precision: { of: detail.tp, over: predicted },
    recall: { of: detail.tp, over: expected },
    valueF1: { of: 2 * detail.exact, over: predicted + expected },
    exactMatchCoverage: { of: detail.exact, over: expected },
    tokenF1: { of: 2 * detail.sharedTokens, over: tokens },
    bleu1: { of: detail.bleuSum, over: expected },
    f1Macro: detail.f1,
    judgeScore:
      (detail.judged?.score ?? null) === null ? null : { of: detail.judged!.sum, over: expected },
  };
}
