import type { FieldRow } from "#shared/contracts/field-table.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { readStored } from "#shared/measures/report/run/read-stored.ts";
import { openRun, type RunWork } from "../engine/run-work.ts";
import type { Ports, RunRecord } from "../platform/ports.ts";
import { datasetRow } from "./dataset-row.ts";
import { type KeptSample, samplePages } from "./sample-pages.ts";
import { textStream } from "./text-stream.ts";
import { csvRows, jsonArray, jsonLines } from "./write-rows.ts";

/** What a row of a run's fields begins with. */
const headColumns = ["id", "repeat"];

/**
 * What was judged of a run's answers part by part, as its suite tells the parts, page by page as they are read.
 * The caller makes sure that the raw answers are kept.
 */
export async function fieldsExport(
  ports: Ports,
  run: RunRecord,
  format: "json" | "jsonl" | "csv",
): Promise<ReadableStream<Uint8Array>> {
  const work = await openRun(ports, { ...run, sealedSecrets: null });
  const rows = fieldPages(ports, work);
  if (format === "csv") {
    const columns = [...headColumns, ...work.suite.fieldTable.columns.map(({ id }) => id)];
    return textStream(csvRows(rows, () => columns));
  }
  async function* lines() {
    for await (const page of rows) yield page.map((row) => JSON.stringify(row));
  }
  return textStream(format === "json" ? jsonArray(lines()) : jsonLines(lines()));
}

async function* fieldPages(ports: Ports, work: RunWork): AsyncGenerator<FieldRow[]> {
  const { run, suite, plan } = work;
  for await (const page of samplePages(ports, run)) {
    const rows: FieldRow[] = [];
    for (const kept of page) {
      const repeat = kept.row.seq % plan.repeats;
      const sample = await datasetRow(ports, work, kept.row.seq);
      for (const row of rowsOf(suite, run, sample, kept)) {
        rows.push({ id: kept.row.sampleId, repeat, ...row });
      }
    }
    yield rows;
  }
}

function rowsOf(
  suite: Suite,
  run: RunRecord,
  row: unknown,
  { row: { sampleId, object }, stored }: KeptSample,
): FieldRow[] {
  // A table that lacks rows in silence would be taken for the whole.
  if (stored === undefined) throw new Error(`missing answer of sample ${sampleId} in ${object}`);
  const checked = suite.checkSample(row);
  if (!checked.ok) return [];
  const { answer, score } = stored;
  const shown = { sample: checked.value.sample, answer, score };
  return readStored(suite, run, () => suite.fieldTable.rows(shown), []);
}
