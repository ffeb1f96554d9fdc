import type { Slots } from "../read/slots.ts";
import { noSlots, type SlotCounts } from "./slot-counts.ts";

/** Outcome of a slot. `other`: stored with other values than expected. */
type SlotOutcome = "exact" | "other" | "missed" | "extra";

/** A slot that is expected, stored, or both. */
export interface ComparedSlot {
  topic: string;
  field: string;
  outcome: SlotOutcome;
  /** Raw values; empty for an extra slot. */
  expected: readonly string[];
  /** Raw values; empty for a missed slot. */
  predicted: readonly string[];
}

/** All slots: expected ones in their order, then extra ones in theirs. */
export interface Comparison {
  slots: ComparedSlot[];
  topics: Map<string, SlotCounts>;
}

const none: readonly string[] = [];

/**
 * Compares stored with expected slots, one by one; counts by topic. Names must be identical. Presence is judged
 * before values are canonicalised, so a slot whose canonical values are all empty is stored, and equal to another
 * such slot; a missed slot is never equal. Linear.
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

/**
 * Number of tokens that two lists share, counted with multiplicity. Symmetric. Linear.
 * Source: docs/spec/slots.md, metrics.
 * @example sharedTokens(["a", "a", "b"], ["a", "c"]) // 1
 */
export function sharedTokens(expected: readonly string[], predicted: readonly string[]): number {
  const left = new Map<string, number>();
  for (const token of expected) left.set(token, (left.get(token) ?? 0) + 1);
  let shared = 0;
  for (const token of predicted) {
    const count = left.get(token) ?? 0;
    if (count === 0) continue;
    left.set(token, count - 1);
    shared++;
  }
  return shared;
}

/**
 * BLEU-1 from token counts, 0–1: shared / predicted, times exp(1 − expected / predicted) if fewer tokens are
 * predicted than expected. 0 if none is predicted.
 * Source: Papineni et al. 2002; docs/spec/slots.md, metrics.
 * @example bleu1({ expected: 2, predicted: 1, shared: 1 }) // exp(-1)
 */
export function bleu1(tokens: { expected: number; predicted: number; shared: number }): number {
  const { expected, predicted, shared } = tokens;
  if (predicted === 0) return 0;
  const brevity = predicted < expected ? Math.exp(1 - expected / predicted) : 1;
  return (shared / predicted) * brevity;
}

/** ASCII whitespace and punctuation (including `_`), which separate tokens. */
const separators = /[\s!-/:-@[-`{-~]+/g;
const nonAscii = /[\u0080-\uffff]/g;

/** All characters of other scripts except letters, digits and combining marks. */
const neitherLetterNorDigit =
  /(?![\p{L}\p{N}\p{Mn}\p{Mc}])[\u{80}-\u{10ffff}]|\p{Variation_Selector}/gu;

/**
 * The canonical form in which values are compared: lower case, trimmed, without non-ASCII characters; each run of
 * punctuation and whitespace becomes one space. With `asciiOnly` false, letters and digits of every script stay (with
 * their marks, in NFC); other non-ASCII characters are removed without leaving a space, as by default. Empty if
 * nothing is left. Linear.
 * Source: docs/spec/slots.md, canonical form.
 * @example canonicalize(" Zürich_West!", true) // "zrich west"
 */
export function canonicalize(value: string, asciiOnly: boolean): string {
  const kept = asciiOnly
    ? value.replace(nonAscii, "")
    : value.normalize("NFC").replace(neitherLetterNorDigit, "");
  return kept.replace(separators, " ").toLowerCase().trim();
}

/** A slot's values in canonical form. */
interface CanonicalSlot {
  /** Without empty values. */
  values: Set<string>;
  /** Tokens of all values, in order. */
  tokens: string[];
}

/**
 * The canonical values and tokens of a slot; both may be empty although it has values. Linear.
 * Source: docs/spec/slots.md, canonical form.
 * @example canonicalSlot(["Sea swimming!", "東京"], true).tokens // ["sea", "swimming"]
 */
export function canonicalSlot(values: readonly string[], asciiOnly: boolean): CanonicalSlot {
  const canonical = values.map((value) => canonicalize(value, asciiOnly)).filter((v) => v !== "");
  return { values: new Set(canonical), tokens: canonical.flatMap((value) => value.split(" ")) };
}

/**
 * Whether two slots have the same canonical values, ignoring order and repetition; true if both have none.
 * Source: docs/spec/slots.md, canonical form.
 * @example isSameSlot(canonicalSlot(["a", "B"], true), canonicalSlot(["b!", "A"], true)) // true
 */
export function isSameSlot(a: CanonicalSlot, b: CanonicalSlot): boolean {
  if (a.values.size !== b.values.size) return false;
  for (const value of a.values) if (!b.values.has(value)) return false;
  return true;
}
