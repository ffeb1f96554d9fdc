import { cutText } from "../../../contracts/bounds.ts";
import { f1, ratio } from "../../../measures/text/token-f1.ts";

/** Counts over slots; those of sessions, users or topics add up. */
export type SlotCounts = ReturnType<typeof noSlots>;

/** Counts of no slots. @example noSlots().tp // 0 */
export function noSlots() {
  return {
    /** Expected and stored with at least one value. */
    tp: 0,
    /** Stored, not expected: extra slots. */
    fp: 0,
    /** Expected, nothing stored. */
    fn: 0,
    /** Slots in `tp` with equal canonical value sets. */
    exact: 0,
    /** Tokens of the expected slots. */
    expectedTokens: 0,
    /** Tokens stored in expected slots. */
    predictedTokens: 0,
    /** Shared tokens, by slot. */
    sharedTokens: 0,
    /** Σ BLEU-1 over the expected slots. */
    bleuSum: 0,
    /** Raw values of the extra slots. */
    extraValues: 0,
  };
}

const columns = Object.keys(noSlots()) as (keyof SlotCounts)[];

/**
 * Adds counts to `sum`, and returns it. Changes `sum`.
 * @example addCounts(noSlots(), { ...noSlots(), tp: 1 }).tp // 1
 */
export function addCounts(sum: SlotCounts, counts: SlotCounts): SlotCounts {
  for (const column of columns) sum[column] += counts[column];
  return sum;
}

/** The counts of a topic in a session. */
export interface TopicCounts extends SlotCounts {
  /** Null: all invented topics after the named ones. */
  topic: string | null;
  /** Whether the sample has it, as a topic or as expected; else the model invented it. */
  listed: boolean;
}

/** Maximum invented topics of an answer that are stored by name, and characters of a name. */
const maxMadeUp = 20;
const maxNameLength = 100;

/**
 * Counts by topic, bounded: listed topics, then the first 20 invented ones, with names cut after 100 characters
 * (equal ones are merged), then the others together without a name. Linear.
 * @example topicCounts(new Map([["x", counts]]), new Set()) // [{ topic: "x", listed: false, … }]
 */
export function topicCounts(
  counts: ReadonlyMap<string, SlotCounts>,
  listed: ReadonlySet<string>,
): TopicCounts[] {
  const [own, madeUp] = [new Map<string, TopicCounts>(), new Map<string | null, TopicCounts>()];
  for (const [topic, part] of counts) {
    if (listed.has(topic)) own.set(topic, { topic, listed: true, ...part });
    else addMadeUp(madeUp, cutText(topic, maxNameLength), part);
  }
  return [...own.values(), ...madeUp.values()];
}

function addMadeUp(sums: Map<string | null, TopicCounts>, name: string, counts: SlotCounts): void {
  const topic = sums.has(name) || sums.size < maxMadeUp ? name : null;
  const sum = sums.get(topic) ?? { topic, listed: false, ...noSlots() };
  addCounts(sum, counts);
  sums.set(topic, sum);
}

/** The figures of a session, a run, or a part of it; all but the last two 0–1. */
export type SlotFigures = ReturnType<typeof slotFigures>;

/**
 * Figures from counts. By value a slot is right only if its value sets are equal; an expected slot stored with
 * other values counts as one extra and one missed slot, so the denominators are those of presence. A ratio with
 * denominator 0 is 0.
 * Source: docs/spec/slots.md, metrics.
 * @example slotFigures({ ...noSlots(), tp: 1, fn: 1 }).f1 // 0.666…
 */
export function slotFigures(counts: SlotCounts) {
  const expected = counts.tp + counts.fn;
  const predicted = counts.tp + counts.fp;
  const presence = rates(counts.tp, predicted, expected);
  const value = rates(counts.exact, predicted, expected);
  const token = rates(counts.sharedTokens, counts.predictedTokens, counts.expectedTokens);
  return {
    precision: presence.p,
    recall: presence.r,
    f1: presence.f,
    valuePrecision: value.p,
    valueRecall: value.r,
    valueF1: value.f,
    exactMatchCoverage: ratio(counts.exact, expected, 0),
    tokenPrecision: token.p,
    tokenRecall: token.r,
    tokenF1: token.f,
    bleu1: ratio(counts.bleuSum, expected, 0),
    extraSlots: counts.fp,
    extraValues: counts.extraValues,
  };
}

function rates(right: number, predicted: number, expected: number) {
  const p = ratio(right, predicted, 0);
  const r = ratio(right, expected, 0);
  return { p, r, f: f1(p, r) };
}
