import type { RunWork } from "../engine/run-work.ts";
import type { Platform } from "../platform/platform.ts";
import type { RunRecord, SampleRecord } from "../runs/schema.ts";
import { type StoredSample, storedBySeq } from "../runs/stored-samples.ts";

/**
 * Number of pages whose rows are read at once: D1 allows 50 queries per invocation on the free plan, 1,000 on others.
 */
const READ_PAGES = 10;
/** Rows per page, which memory holds at once: a stored sample has about 10 kB. */
const PAGE_ROWS = 200;

/** A sample's row and stored object; undefined if that was deleted. */
export interface KeptSample {
  row: SampleRecord;
  stored: StoredSample | undefined;
}

/** A run's samples in order, page by page; with `bare`, rows only. */
export async function* samplePages(
  { runs, objects }: Pick<Platform, "runs" | "objects">,
  { id }: Pick<RunRecord, "id">,
  { bare = false, pageRows = PAGE_ROWS }: { bare?: boolean; pageRows?: number } = {},
): AsyncGenerator<KeptSample[]> {
  const most = READ_PAGES * pageRows;
  for (let after = -1; ; ) {
    const read = await runs.samples(id, after, most);
    for (let start = 0; start < read.length; start += pageRows) {
      const rows = read.slice(start, start + pageRows);
      const stored = bare ? null : await storedBySeq(objects, rows);
      yield rows.map((row) => ({ row, stored: stored?.get(row.seq) }));
    }
    if (read.length < most) return;
    after = read.at(-1)?.seq ?? after;
  }
}

export function datasetRow(
  platform: Pick<Platform, "datasets">,
  { run, plan }: Pick<RunWork, "run" | "plan">,
  seq: number,
): Promise<unknown> {
  const position = plan.positions[Math.floor(seq / plan.repeats)] ?? 0;
  return platform.datasets.row(run.suite, run.datasetVersion, position);
}
