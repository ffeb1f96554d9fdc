import { csvRecord } from "#shared/contracts/csv.ts";
import { samplePageSchema } from "#shared/contracts/run.ts";
import type { RunStore } from "../ports.ts";
import { sampleRowView } from "./sample-view.ts";

/** Rows a page: a few hundred kilobytes of text at the most. */
const PAGE_ROWS = 2_000;

/** The columns are the fields of a sample in a list. */
const columns = Object.keys(samplePageSchema.shape.samples.element.shape);

/** A run's samples as CSV, page by page as they are read, so that no run is held whole. */
export function samplesCsv(
  runs: Pick<RunStore, "samples">,
  runId: string,
  pageRows = PAGE_ROWS,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let after = -1;
  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode(csvRecord(columns))),
    async pull(controller) {
      const rows = await runs.samples(runId, after, pageRows);
      after = rows.at(-1)?.seq ?? after;
      const records = rows.map((row) => {
        const fields: Record<string, unknown> = { ...sampleRowView(row) };
        return csvRecord(columns.map((column) => fields[column]));
      });
      if (records.length > 0) controller.enqueue(encoder.encode(records.join("")));
      if (rows.length < pageRows) controller.close();
    },
  });
}
