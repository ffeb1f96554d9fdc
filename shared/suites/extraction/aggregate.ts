import type { Aggregator } from "../../contracts/suite.ts";
import type { ExtractionOptions } from "./options.ts";
import type { ExtractionDetail } from "./score.ts";
import { type ExtractionState, rowsOf, scoreRow } from "./state.ts";
import { summarize } from "./summarize.ts";

/**
 * The suite's aggregate: one small row an answer, keyed by its place in the run. Merging is the union
 * of rows, so grouping and order never matter and a row that comes twice counts once.
 * Source: specification of the extraction suite, section 6.
 */
export const extractionAggregate: Aggregator<ExtractionState, ExtractionDetail, ExtractionOptions> =
  {
    empty: () => ({ rows: {} }),
    add(state, sample) {
      state.rows[sample.seq] = scoreRow(sample);
      return state;
    },
    merge: (a, b) => ({ rows: { ...a.rows, ...b.rows } }),
    finish: summarize,
    vector(state) {
      const eqsOf = new Map<string, number[]>();
      for (const row of rowsOf(state)) eqsOf.set(row.id, [...(eqsOf.get(row.id) ?? []), row.eqs]);
      return Object.fromEntries([...eqsOf].map(([id, scores]) => [id, meanOf(scores)]));
    },
  };

function meanOf(scores: readonly number[]): number {
  return scores.reduce((sum, score) => sum + score, 0) / scores.length;
}
