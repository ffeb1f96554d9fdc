import { scoredRunSchema } from "#shared/contracts/boards/scored-run.ts";
import { type Run, sampleRowSchema } from "#shared/contracts/run.ts";
import { sampleLine } from "#shared/contracts/submissions/sample-line.ts";
import type { FieldRow, Suite } from "#shared/contracts/suite.ts";
import { readStored } from "#shared/measures/report/run/read-stored.ts";
import type { RunPlan } from "../engine/run-plan.ts";
import { openRun, type RunWork } from "../engine/run-work.ts";
import type { Platform } from "../platform/platform.ts";
import { areAnswersGone, type SummedRun, scoresKey } from "../runs/run-objects.ts";
import { sampleRowView } from "../runs/samples.ts";
import type { RunRecord, SampleRecord } from "../runs/schema.ts";
import { datasetRow, type KeptSample, samplePages } from "./sample-pages.ts";
import { csvRows, jsonArray, jsonLines, textStream } from "./write-rows.ts";

/** JSON calls it `outcome`, too, because a suite may have a `status` of its own. */
const columnOf = (field: string) => (field === "status" ? "outcome" : field);
const rowColumns = Object.keys(sampleRowSchema.shape).map(columnOf);

/** A sample that is waiting for its judgment is not scored yet. */
const outcomeOf = ({ status }: SampleRecord) => (status === "answered" ? "unscored" : status);

/**
 * A run's samples as CSV, page by page as they are read: their rows, the number of the repeat, and their values of the
 * compared metrics.
 */
export async function samplesCsv(
  platform: Platform,
  run: RunRecord,
  pageRows?: number,
): Promise<ReadableStream<Uint8Array>> {
  const { plan, suite } = await openRun(platform, { ...run, sealedSecrets: null });
  const pages = pagesOf(platform, run, pageRows);
  async function* rows() {
    for await (const page of pages) {
      yield page.map((kept) => {
        const { status: _, ...row } = sampleRowView(kept.row);
        const repeat = kept.row.seq % plan.repeats;
        return { ...row, outcome: outcomeOf(kept.row), repeat, ...figuresOf(suite, run, kept) };
      });
    }
  }
  const columnsOf = (first: readonly object[]) => [
    ...new Set([...rowColumns, "repeat", ...first.flatMap((row) => Object.keys(row))]),
  ];
  return textStream(csvRows(rows(), columnsOf));
}

/** Values of the compared metrics, the headline first; null if not judged, or a share of nothing. */
function figuresOf(suite: Suite, run: RunRecord, { stored }: KeptSample) {
  if (stored === undefined) return {};
  const values = () =>
    Object.entries(suite.sampleValues(stored.score)).map(([metric, value]) => {
      if (value === null || typeof value === "number") return [metric, value];
      return [metric, value.over === 0 ? null : value.of / value.over];
    });
  return readStored(suite, run, () => Object.fromEntries(values()), {});
}

function pagesOf(platform: Platform, run: RunRecord, pageRows: number | undefined) {
  const bare = areAnswersGone(run, platform.settings, platform.now());
  return samplePages(platform, run, { bare, ...(pageRows !== undefined && { pageRows }) });
}

/** A run's samples as JSON, page by page as they are read, so that memory never holds a whole run. */
export async function samplesJson(
  platform: Platform,
  run: RunRecord,
  { fields, format, pageRows }: { fields: boolean; format: "json" | "jsonl"; pageRows?: number },
): Promise<ReadableStream<Uint8Array>> {
  const { plan } = await openRun(platform, { ...run, sealedSecrets: null });
  const pages = pagesOf(platform, run, pageRows);
  async function* lines() {
    for await (const page of pages) {
      yield page.map((kept) => lineOf(kept, plan, fields));
    }
  }
  return textStream(format === "json" ? jsonArray(lines()) : jsonLines(lines()));
}

/** The row exists as long as the run; the rest is deleted with the raw answers. */
function lineOf(
  { row, stored }: KeptSample,
  { repeats, heads }: Pick<RunPlan, "repeats" | "heads">,
  fields: boolean,
): string {
  const { sampleId: id, seq, score, covered, errorClass } = row;
  const cluster = heads[Math.floor(seq / repeats)]?.tags["cluster"] ?? null;
  const parts = { id, repeat: seq % repeats, repeats, cluster, call: row, errorClass };
  const known = { status: outcomeOf(row), score, covered };
  const judged = stored === undefined ? known : { ...known, detail: stored.score.detail };
  return sampleLine({ ...parts, score: judged }, { fields });
}

/** A finished run with its scores by sample, as JSON of a `ScoredRun`; `view`: the run as the API shows it. */
export async function scoresJson(
  { objects }: Pick<Platform, "objects">,
  run: SummedRun,
  view: Run,
): Promise<string> {
  const scores = await objects.getText(scoresKey(run));
  if (scores === null) throw new Error(`run ${run.id} has no scores by sample`);
  // Not parsed: a long run has millions of numbers.
  return `{"run":${JSON.stringify(scoredRunSchema.shape.run.parse(view))},"scores":${scores}}\n`;
}

const headColumns = ["id", "repeat"];

/**
 * Scores of the parts of each answer, as the suite defines parts, page by page as they are read. The caller must check
 * that the raw answers still exist.
 */
export async function fieldsExport(
  platform: Platform,
  run: RunRecord,
  format: "json" | "jsonl" | "csv",
): Promise<ReadableStream<Uint8Array>> {
  const work = await openRun(platform, { ...run, sealedSecrets: null });
  const rows = fieldPages(platform, work);
  if (format === "csv") {
    const columns = [...headColumns, ...work.suite.fieldTable.columns.map(({ id }) => id)];
    return textStream(csvRows(rows, () => columns));
  }
  async function* lines() {
    for await (const page of rows) yield page.map((row) => JSON.stringify(row));
  }
  return textStream(format === "json" ? jsonArray(lines()) : jsonLines(lines()));
}

async function* fieldPages(platform: Platform, work: RunWork): AsyncGenerator<FieldRow[]> {
  const { run, suite, plan } = work;
  for await (const page of samplePages(platform, run)) {
    const rows: FieldRow[] = [];
    for (const kept of page) {
      const repeat = kept.row.seq % plan.repeats;
      const sample = await datasetRow(platform, work, kept.row.seq);
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
  // Fail loudly: readers would take a table with silently missing rows for the whole.
  if (stored === undefined) throw new Error(`missing answer of sample ${sampleId} in ${object}`);
  const checked = suite.checkSample(row);
  if (!checked.ok) return [];
  const { answer, score } = stored;
  const shown = { sample: checked.value.sample, answer, score };
  return readStored(suite, run, () => suite.fieldTable.rows(shown), []);
}
