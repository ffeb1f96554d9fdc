import type { Slots } from "../read/slots.ts";
import { bleu1, sharedTokens } from "./bleu-1.ts";
import { canonicalSlot, isSameSlot } from "./canonical.ts";
import { noSlots, type SlotCounts } from "./slot-counts.ts";

/** How a slot was met. `other`: stored with other values than expected. */
type SlotOutcome = "exact" | "other" | "missed" | "extra";

/** One slot that is expected, stored, or both. */
export interface ComparedSlot {
  topic: string;
  field: string;
  outcome: SlotOutcome;
  /** Raw values; empty for an extra slot. */
  expected: readonly string[];
  /** Raw values; empty for a missed slot. */
  predicted: readonly string[];
}

/** Every slot of either side: the expected ones in their order, then the extra ones in theirs. */
export interface Comparison {
  slots: ComparedSlot[];
  topics: Map<string, SlotCounts>;
}

const none: readonly string[] = [];

/**
 * Compares what is stored with what is expected, slot by slot; counts by topic. Names are compared as they
 * are. A slot is present by its values before they are canonicalised, so one whose values all vanish is
 * stored, and equal to another such one; one that is missed never is. Linear.
 * Source: docs/spec/slots.md, metrics.
 * @example compareSlots(slotsOf({ a: { b: 1 } }), new Map(), true).topics.get("a")?.fn // 1
 */
export function compareSlots(expected: Slots, predicted: Slots, asciiOnly: boolean): Comparison {
  const comparison: Comparison = { slots: [], topics: new Map() };
  for (const [topic, fields] of expected) {
    const sum = sumOf(comparison, topic);
    for (const [field, values] of fields) {
      const stored = predicted.get(topic)?.get(field) ?? none;
      const outcome = countExpected(sum, values, stored, asciiOnly);
      comparison.slots.push({ topic, field, outcome, expected: values, predicted: stored });
    }
  }
  for (const [topic, fields] of predicted) {
    const own = expected.get(topic);
    for (const [field, values] of fields) {
      if (own?.has(field)) continue;
      const sum = sumOf(comparison, topic);
      sum.fp += 1;
      sum.extraValues += values.length;
      const outcome = "extra";
      comparison.slots.push({ topic, field, outcome, expected: none, predicted: values });
    }
  }
  return comparison;
}

function sumOf({ topics }: Comparison, topic: string): SlotCounts {
  const sum = topics.get(topic) ?? noSlots();
  topics.set(topic, sum);
  return sum;
}

/** Adds an expected slot to the counts of its topic. */
function countExpected(
  sum: SlotCounts,
  values: readonly string[],
  stored: readonly string[],
  asciiOnly: boolean,
): SlotOutcome {
  const expected = canonicalSlot(values, asciiOnly);
  sum.expectedTokens += expected.tokens.length;
  if (stored.length === 0) {
    sum.fn += 1;
    return "missed";
  }
  const predicted = canonicalSlot(stored, asciiOnly);
  const shared = sharedTokens(expected.tokens, predicted.tokens);
  const counts = { expected: expected.tokens.length, predicted: predicted.tokens.length, shared };
  const isExact = isSameSlot(expected, predicted);
  sum.tp += 1;
  sum.exact += Number(isExact);
  sum.predictedTokens += counts.predicted;
  sum.sharedTokens += shared;
  sum.bleuSum += bleu1(counts);
  return isExact ? "exact" : "other";
}
