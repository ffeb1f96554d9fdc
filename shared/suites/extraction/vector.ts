import { columnAt, columnValues } from "./columns.ts";
import { samplesOf } from "./samples.ts";
import type { ExtractionState } from "./state.ts";

/**
 * The mean EQS of each sample by its id, repeats averaged; of a run that is kept in blocks, that of each
 * block, since the same samples make the same blocks in every run.
 * Source: specification of statistics, two models on the same samples.
 * @example scoreVector(state)["s1"] // 0–1
 */
export function scoreVector({ rows, blocks }: ExtractionState): Record<string, number> {
  if (blocks === null) {
    const samples = samplesOf(Object.values(rows));
    return Object.fromEntries(samples.map(({ rows, numbers }) => [rows[0]!.id, numbers.eqs]));
  }
  return Object.fromEntries(
    Object.entries(blocks.columns).map(([block, sums]) => {
      const values = columnValues(sums);
      return [`block ${block.padStart(4, "0")}`, values[columnAt.eqs]! / values[columnAt.samples]!];
    }),
  );
}
