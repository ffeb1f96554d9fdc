import { sampleRowSchema } from "#shared/contracts/run.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { sampleFigures } from "#shared/measures/exports/sample-figures.ts";
import { readStored } from "#shared/measures/report/run/read-stored.ts";
import { openRun } from "../engine/run-work.ts";
import type { Ports, RunRecord } from "../platform/ports.ts";
import { areAnswersGone } from "../runs/raw-retention.ts";
import { sampleRowView } from "../runs/sample-view.ts";
import { type KeptSample, samplePages } from "./sample-pages.ts";
import { textStream } from "./text-stream.ts";
import { csvRows } from "./write-rows.ts";

/** The fields of a sample in a list. */
const rowColumns = Object.keys(sampleRowSchema.shape);

/**
 * A run's samples as CSV, page by page as they are read, so that no run is held whole: their rows, which repeat
 * they are, and what they are worth by each metric that runs are compared by.
 */
export async function samplesCsv(
  ports: Ports,
  run: RunRecord,
  pageRows?: number,
): Promise<ReadableStream<Uint8Array>> {
  const { plan, suite } = await openRun(ports, { ...run, sealedSecrets: null });
  const bare = areAnswersGone(run, ports.settings, ports.now());
  const pages = samplePages(ports, run, { bare, ...(pageRows !== undefined && { pageRows }) });
  async function* rows() {
    for await (const page of pages) {
      yield page.map((kept) => ({
        ...sampleRowView(kept.row),
        repeat: kept.row.seq % plan.repeats,
        ...figuresOf(suite, run, kept),
      }));
    }
  }
  const columnsOf = (first: readonly object[]) => [
    ...new Set([...rowColumns, "repeat", ...first.flatMap((row) => Object.keys(row))]),
  ];
  return textStream(csvRows(rows(), columnsOf));
}

function figuresOf(suite: Suite, run: RunRecord, { stored }: KeptSample) {
  if (stored === undefined) return {};
  return readStored(suite, run, () => sampleFigures(suite, stored.score), {});
}
