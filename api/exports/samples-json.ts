import { sampleLine } from "#shared/contracts/sample-line.ts";
import { openRun } from "../engine/run-work.ts";
import type { Ports, RunRecord, SampleRecord, StoredSample } from "../platform/ports.ts";
import { areAnswersGone } from "../runs/raw-retention.ts";
import { samplePages } from "./sample-pages.ts";
import { textStream } from "./text-stream.ts";
import { jsonArray, jsonLines } from "./write-rows.ts";

/** A run's samples as JSON, page by page as they are read, so that no run is held whole. */
export async function samplesJson(
  ports: Ports,
  run: RunRecord,
  { fields, format, pageRows }: { fields: boolean; format: "json" | "jsonl"; pageRows?: number },
): Promise<ReadableStream<Uint8Array>> {
  const { plan } = await openRun(ports, { ...run, sealedSecrets: null });
  const bare = areAnswersGone(run, ports.settings, ports.now());
  const pages = samplePages(ports, run, { bare, ...(pageRows !== undefined && { pageRows }) });
  async function* lines() {
    for await (const page of pages) {
      yield page.map(({ row, stored }) => lineOf(row, stored, plan.repeats, fields));
    }
  }
  return textStream(format === "json" ? jsonArray(lines()) : jsonLines(lines()));
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
  return sampleLine({ ...parts, score: judged }, { fields });
}
