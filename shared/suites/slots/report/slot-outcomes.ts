import type { SlotsBreakdown } from "../sum/breakdown.ts";
import { type Part, partValue } from "./report-facts.ts";

/** Outcomes of expected and extra slots. */
export interface SlotOutcomes {
  exact: number;
  /** Stored with other values than expected. */
  other: number;
  missed: number;
  extra: number;
}

/**
 * Counts of outcomes of a topic's slots, from its rates, which are shares of the expected slots.
 * @example topicOutcomes(topic).missed // expected slots of which nothing is stored
 */
export function topicOutcomes(topic: Part): SlotOutcomes {
  const expected = partValue(topic, "expectedSlots") ?? 0;
  const stored = Math.round((partValue(topic, "recall") ?? 0) * expected);
  const exact = Math.round((partValue(topic, "exactMatchCoverage") ?? 0) * expected);
  const extra = partValue(topic, "extraSlots") ?? 0;
  return { exact, other: stored - exact, missed: expected - stored, extra };
}

/**
 * Outcomes of the slots of all topics that are counted separately.
 * @example slotOutcomes(breakdown).exact
 */
export function slotOutcomes({ topics }: Pick<SlotsBreakdown, "topics">): SlotOutcomes {
  const sum: SlotOutcomes = { exact: 0, other: 0, missed: 0, extra: 0 };
  for (const topic of topics) {
    const its = topicOutcomes(topic);
    for (const name of Object.keys(sum) as (keyof SlotOutcomes)[]) sum[name] += its[name];
  }
  return sum;
}
