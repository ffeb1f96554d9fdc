import { type Aggregates, aggregateRowSchema } from "#shared/contracts/boards/aggregate-row.ts";
import { suiteFor } from "#shared/contracts/boards/ranking.ts";
import type { Dataset } from "#shared/contracts/datasets/dataset.ts";
import type { Metric } from "#shared/contracts/metric.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { Run } from "#shared/contracts/run.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { csvRecord } from "#shared/contracts/text/csv.ts";
import { judgedMetrics } from "#shared/judges/judge-prompt.ts";
import { evaluationRecord } from "#shared/measures/every-eval-ever/evaluation-record.ts";
import { instanceRecord } from "#shared/measures/every-eval-ever/instance-record.ts";
import { aggregateRows } from "#shared/measures/exports/aggregate-rows.ts";
import { openRun, type RunWork } from "../engine/run-work.ts";
import type { Account } from "../keys/account.ts";
import type { Platform } from "../platform/platform.ts";
import type { RunRecord } from "../runs/schema.ts";
import { runView, wholeRun } from "../runs/view.ts";
import { datasetRow, type KeptSample, samplePages } from "./sample-pages.ts";
import { jsonLines, textStream } from "./write-rows.ts";

/** A finished run as a record of Every Eval Ever; `origin`: where it is served. */
export async function evaluationExport(
  { suites, datasets }: Pick<Platform, "suites" | "datasets">,
  run: Run,
  origin: string,
) {
  const known = suites.byId(run.suite);
  if (!known) throw new Error(`suite ${run.suite} is not registered`);
  const suite = suiteFor(known, run.options);
  return evaluationRecord(run, suite, {
    origin,
    judged: judgedMetrics(suite.judging?.judges ?? []),
    source: sourceOf(
      run,
      await datasets.find(run.suite, run.dataset.name, run.dataset.version),
      origin,
    ),
  });
}

/** Where readers find the dataset: its origin, or this service; null unless it is public. */
function sourceOf({ suite, dataset }: Run, found: Dataset | null, origin: string): string | null {
  if (found?.visibility !== "public") return null;
  return found.source ?? `${origin}/v1/datasets/${suite}/${dataset.name}@${dataset.version}`;
}

/**
 * A run's scored samples as instances, page by page as they are read. The caller must check that the raw answers still
 * exist.
 */
export async function instancesExport(
  platform: Platform,
  run: RunRecord,
): Promise<ReadableStream<Uint8Array>> {
  const work = await openRun(platform, { ...run, sealedSecrets: null });
  const view = runView(run, platform.now());
  async function* lines() {
    for await (const page of samplePages(platform, run)) {
      const records: string[] = [];
      for (const kept of page) {
        const { score } = kept.row;
        if (score === null) continue;
        const sample = sampleOf(work.suite, await datasetRow(platform, work, kept.row.seq));
        if (sample === null) continue;
        records.push(JSON.stringify(instanceRecord(view, instanceOf(work, kept, sample, score))));
      }
      yield records;
    }
  }
  return textStream(jsonLines(lines()));
}

/** Null for a row that this version of the suite rejects. */
function sampleOf(suite: Suite, row: unknown): unknown {
  const checked = suite.checkSample(row);
  return checked.ok ? checked.value.sample : null;
}

function instanceOf(
  { suite, plan }: RunWork,
  { row: { seq, sampleId, object }, stored }: KeptSample,
  sample: unknown,
  score: number,
) {
  // Fail loudly: readers would take a file with silently missing samples for the whole.
  if (stored === undefined) throw new Error(`missing answer of sample ${sampleId} in ${object}`);
  const { id, tags } = suite.sampleHead(sample);
  const text = suite.sampleText(sample);
  return { id, repeat: seq % plan.repeats, tags, text, answer: stored.answer, score };
}

const columns = Object.keys(aggregateRowSchema.shape) as (keyof typeof aggregateRowSchema.shape)[];

/** A run's metrics and every cell of its breakdown. JSON includes the run itself. */
export function aggregatesExport(
  run: Run,
  catalogue: readonly Metric[],
  format: "json" | "jsonl" | "csv",
): string {
  const rows = [...aggregateRows(run, catalogue)];
  if (format === "jsonl") return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  if (format === "csv") {
    const records = rows.map((row) => csvRecord(columns.map((column) => row[column])));
    return [csvRecord(columns), ...records].join("");
  }
  const whole: Aggregates = { run, aggregates: rows };
  return `${JSON.stringify(whole)}\n`;
}

type Unfinished = { type: "not-ready" | "conflict"; detail: string };

/** A finished run with its breakdown and other parts. */
export async function finishedRun(
  platform: Platform,
  run: RunRecord,
  account: Account | null,
): Promise<Result<Run, Unfinished>> {
  if (run.status === "finished") return ok(await wholeRun(platform, run, account));
  const isOver = run.status === "cancelled" || run.status === "failed";
  const detail = `run "${run.id}" is ${run.status}; its figures are computed when it finishes`;
  return err({ type: isOver ? "conflict" : "not-ready", detail });
}
