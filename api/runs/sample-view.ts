import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { SampleResult, SampleRow } from "#shared/contracts/run.ts";
import { withoutThoughts } from "#shared/measures/thoughts/without-thoughts.ts";
import { seqOf } from "../engine/run-plan.ts";
import { openRun, type RunWork } from "../engine/run-work.ts";
import type { Ports, RunRecord, SampleRecord, StoredSample } from "../platform/ports.ts";
import { answersGoneDetail, areAnswersGone } from "./raw-retention.ts";

/** A sample's row as the API shows it. */
export function sampleRowView(row: SampleRecord): SampleRow {
  return {
    seq: row.seq,
    id: row.sampleId,
    status: row.status,
    covered: row.covered,
    score: row.score,
    latencyMs: row.latencyMs,
    inputTokens: row.inputTokens,
    outputTokens: row.outputTokens,
    requests: row.requests,
    attempts: row.attempts,
    queueWaitMs: row.queueWaitMs,
    retryWaitMs: row.retryWaitMs,
    errorClass: row.errorClass,
  };
}

export type SampleProblem = { type: "not-found" | "not-ready" | "gone"; detail: string };

/** One sample of a run with the dataset's row, the answer and the scoring in detail. */
export async function sampleResult(
  ports: Ports,
  run: RunRecord,
  sampleId: string,
  repeat: number,
): Promise<Result<SampleResult, SampleProblem>> {
  const { plan } = await openRun(ports, { ...run, sealedSecrets: null });
  const position = plan.heads.findIndex((head) => head.id === sampleId);
  if (position < 0) {
    return err({ type: "not-found", detail: `run ${run.id} has no sample "${sampleId}"` });
  }
  if (repeat >= plan.repeats) {
    const detail = `run ${run.id} asked each sample ${plan.repeats} time(s): repeat counts from 0`;
    return err({ type: "not-found", detail });
  }
  const row = await ports.runs.sample(run.id, seqOf(plan, position, repeat));
  if (row === null) {
    return err({ type: "not-ready", detail: `sample "${sampleId}" has not been answered yet` });
  }
  const stored = await storedSample(ports, run, row);
  if (!stored) return err({ type: "gone", detail: answersGoneDetail(run) });
  return ok(await wholeSample(ports, { run, plan }, row, stored));
}

/** A sample's row together with what is stored of it and the dataset's row. */
export async function wholeSample(
  ports: Ports,
  { run, plan }: Pick<RunWork, "run" | "plan">,
  row: SampleRecord,
  { answer, score }: StoredSample,
): Promise<SampleResult> {
  const position = plan.positions[Math.floor(row.seq / plan.repeats)] ?? 0;
  const sample = await ports.datasets.row(run.suite, run.datasetVersion, position);
  const { output, thoughts } = withoutThoughts(answer);
  const said = thoughts === undefined ? {} : { said: { answer: output, thoughts } };
  return { ...sampleRowView(row), sample, answer, ...said, detail: score.detail };
}

async function storedSample(ports: Ports, run: RunRecord, { object, seq }: SampleRecord) {
  if (areAnswersGone(run, ports.settings, ports.now())) return undefined;
  return (await ports.objects.get<StoredSample[]>(object))?.find((sample) => sample.seq === seq);
}
