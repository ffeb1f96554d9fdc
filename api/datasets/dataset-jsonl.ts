import { rowText } from "#shared/contracts/content-hash.ts";
import type { Dataset } from "#shared/contracts/dataset.ts";
import type { DatasetStore } from "./dataset-ports.ts";

/** Rows read at a time: as many as are stored together. */
const PAGE_ROWS = 100;

/** A dataset's rows as JSON lines, page by page, so that it is never held whole. */
export function datasetJsonl(
  datasets: Pick<DatasetStore, "row">,
  { suite, version, samples }: Pick<Dataset, "suite" | "version" | "samples">,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let position = 0;
  return new ReadableStream({
    async pull(controller) {
      const lines: string[] = [];
      for (const end = Math.min(position + PAGE_ROWS, samples); position < end; position++) {
        lines.push(`${rowText(await datasets.row(suite, version, position))}\n`);
      }
      if (lines.length > 0) controller.enqueue(encoder.encode(lines.join("")));
      if (position >= samples) controller.close();
    },
  });
}
