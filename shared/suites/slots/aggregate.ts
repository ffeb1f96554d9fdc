import type { Aggregator } from "../../contracts/suite.ts";
import type { SlotsOptions } from "./options.ts";
import type { SlotsDetail } from "./score.ts";
import { addScored, mergeScored, noState, type SlotsState } from "./state.ts";
import { summarize } from "./summarize.ts";

/**
 * The suite's aggregate: sums over sessions and by topic, what judges did, and the summary they give.
 * Source: docs/spec/slots.md, metrics.
 */
export const slotsAggregate: Aggregator<SlotsState, SlotsDetail, SlotsOptions> = {
  empty: noState,
  add: addScored,
  merge: mergeScored,
  finish: summarize,
};
