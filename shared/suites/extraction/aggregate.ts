import type { Aggregator } from "../../contracts/suite.ts";
import type { ExtractionOptions } from "./options.ts";
import type { ExtractionDetail, UnscoredDetail } from "./score.ts";
import { addAnswer, type ExtractionState, mergeStates, noAnswers } from "./state.ts";
import { summarize } from "./summarize.ts";

/**
 * The suite's aggregate: a bounded state (`state.ts`) and the summary it gives. A sample that is added
 * twice counts once while the run is kept in rows; pieces to merge have no sample in common.
 * Source: docs/spec/extraction.md, section 6.
 */
export const extractionAggregate: Aggregator<
  ExtractionState,
  ExtractionDetail | UnscoredDetail,
  ExtractionOptions
> = {
  empty: noAnswers,
  add: addAnswer,
  merge: (a, b) => mergeStates(mergeStates(noAnswers(), a), b),
  finish: summarize,
};
