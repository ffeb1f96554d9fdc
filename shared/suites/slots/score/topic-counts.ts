import { cutText } from "../../../contracts/bounds.ts";
import { addCounts, noSlots, type SlotCounts } from "./slot-counts.ts";

/** The counts of a topic in a session. */
export interface TopicCounts extends SlotCounts {
  /** Null: made-up topics beyond the first, together. */
  topic: string | null;
  /** Whether the sample has it, as a topic or as expected; else a model made it up. */
  listed: boolean;
}

/** Made-up topics of an answer that are named: more than anyone reads, little enough to keep. */
const maxMadeUp = 20;
const maxNameLength = 100;

/**
 * Counts by topic, bounded: listed topics, then the first 20 made-up ones, names cut after 100
 * characters (those the same by then are one), then the others as one without a name. Linear.
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
