import type { RunWork } from "../engine/run-work.ts";
import type { Platform } from "../platform/platform.ts";
import type { RunRecord, SampleRecord } from "../runs/schema.ts";
import { type StoredSample, storedBySeq } from "../runs/stored-samples.ts";

/** Pages whose rows are read at once: an invocation may ask D1 50 times on the free plan, 1,000 times on the others. */
const READ_PAGES = 10;
/** Rows a page: a stored sample has some ten kilobytes, and a page of them is held at once. */
const PAGE_ROWS = 200;

/** A sample's row, with what is stored of it; undefined where that is gone. */
export interface KeptSample {
  row: SampleRecord;
  stored: StoredSample | undefined;
}

/** A run's samples in order, page by page; `bare` leaves what is stored unread. */
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

/** The dataset's row of a place in the run. */
export function datasetRow(
  platform: Pick<Platform, "datasets">,
  { run, plan }: Pick<RunWork, "run" | "plan">,
  seq: number,
): Promise<unknown> {
  const position = plan.positions[Math.floor(seq / plan.repeats)] ?? 0;
  return platform.datasets.row(run.suite, run.datasetVersion, position);
}
