import { sampleLine } from "#shared/contracts/sample-line.ts";
import { openRun } from "../lanes/run-work.ts";
import type { Ports, RunRecord, SampleRecord, StoredSample } from "../ports.ts";
import { areAnswersGone } from "./raw-retention.ts";
import { storedBySeq } from "./stored-samples.ts";

/** Rows a page: a stored sample has some ten kilobytes, and a page of them is held at once. */
const PAGE_ROWS = 200;

/** A run's samples as JSON lines, page by page as they are read, so that no run is held whole. */
export async function samplesJsonl(
  ports: Ports,
  run: RunRecord,
  fields: boolean,
  pageRows = PAGE_ROWS,
): Promise<ReadableStream<Uint8Array>> {
  const { plan } = await openRun(ports, { ...run, sealedSecrets: null });
  const areGone = areAnswersGone(run, ports.settings, ports.now());
  const encoder = new TextEncoder();
  let after = -1;
  return new ReadableStream({
    async pull(controller) {
      const rows = await ports.runs.samples(run.id, after, pageRows);
      after = rows.at(-1)?.seq ?? after;
      const stored = areGone ? null : await storedBySeq(ports.objects, rows);
      const lines = rows.map((row) => lineOf(row, stored?.get(row.seq), plan.repeats, fields));
      if (lines.length > 0) controller.enqueue(encoder.encode(lines.join("")));
      if (rows.length < pageRows) controller.close();
    },
  });
}

/** What a row holds is there as long as the run; the rest goes with its raw answers. */
function lineOf(
  row: SampleRecord,
  stored: StoredSample | undefined,
  repeats: number,
  fields: boolean,
): string {
  const { sampleId: id, seq, status, score, covered, errorClass } = row;
  const parts = { id, repeat: seq % repeats, repeats, call: row, errorClass };
  // A judgment to come is as yet none.
  const known = { status: status === "answered" ? ("unscored" as const) : status, score, covered };
  const judged = stored === undefined ? known : { ...known, detail: stored.score.detail };
  return `${sampleLine({ ...parts, score: judged }, { fields })}\n`;
}
