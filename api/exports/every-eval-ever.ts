import type { Run } from "#shared/contracts/run.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { judgedMetrics } from "#shared/judges/judged-metrics.ts";
import { evaluationRecord } from "#shared/measures/every-eval-ever/evaluation-record.ts";
import { instanceRecord } from "#shared/measures/every-eval-ever/instance-record.ts";
import { openRun, type RunWork } from "../engine/run-work.ts";
import type { Ports, RunRecord } from "../platform/ports.ts";
import { runView } from "../runs/run-view.ts";
import { datasetRow } from "./dataset-row.ts";
import { type KeptSample, samplePages } from "./sample-pages.ts";
import { textStream } from "./text-stream.ts";
import { jsonLines } from "./write-rows.ts";

/** A finished run as a record; `origin` is where it is served. */
export function evaluationExport({ suites }: Pick<Ports, "suites">, run: Run, origin: string) {
  const suite = suites.byId(run.suite);
  if (!suite) throw new Error(`suite ${run.suite} is not registered`);
  return evaluationRecord(run, suite, {
    origin,
    judged: judgedMetrics(suite.judging?.judges ?? []),
  });
}

/**
 * A run's scored samples as instances, page by page as they are read. The caller makes sure that the raw answers
 * are kept.
 */
export async function instancesExport(
  ports: Ports,
  run: RunRecord,
): Promise<ReadableStream<Uint8Array>> {
  const work = await openRun(ports, { ...run, sealedSecrets: null });
  const view = runView(run, ports.now());
  async function* lines() {
    for await (const page of samplePages(ports, run)) {
      const records: string[] = [];
      for (const kept of page) {
        const { score } = kept.row;
        if (score === null) continue;
        const sample = sampleOf(work.suite, await datasetRow(ports, work, kept.row.seq));
        if (sample === null) continue;
        records.push(JSON.stringify(instanceRecord(view, instanceOf(work, kept, sample, score))));
      }
      yield records;
    }
  }
  return textStream(jsonLines(lines()));
}

/** Null: a row that this version of the suite does not read. */
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
  // A file that lacks samples in silence would be taken for the whole.
  if (stored === undefined) throw new Error(`missing answer of sample ${sampleId} in ${object}`);
  const { id, tags } = suite.sampleHead(sample);
  const text = suite.sampleText(sample);
  return { id, repeat: seq % plan.repeats, tags, text, answer: stored.answer, score };
}
