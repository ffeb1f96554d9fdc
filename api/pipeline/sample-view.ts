import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { SampleResult, SampleRow } from "#shared/contracts/run.ts";
import type { Ports, SampleRecord, StoredSample } from "./ports.ts";
import { seqOf } from "./run-plan.ts";
import { openRun } from "./run-work.ts";

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
    errorClass: row.errorClass,
  };
}

type SampleProblem = { type: "not-found" | "not-ready"; detail: string };

/** One sample of a run with the dataset's row, the answer and the scoring in detail. */
export async function sampleResult(
  ports: Ports,
  runId: string,
  sampleId: string,
  repeat: number,
): Promise<Result<SampleResult, SampleProblem>> {
  const run = await ports.runs.get(runId);
  if (run === null) return err({ type: "not-found", detail: `there is no run "${runId}"` });
  const { plan } = await openRun(ports, { ...run, sealedSecrets: null });
  const position = plan.heads.findIndex((head) => head.id === sampleId);
  if (position < 0) {
    return err({ type: "not-found", detail: `run ${runId} has no sample "${sampleId}"` });
  }
  if (repeat >= plan.repeats) {
    const detail = `run ${runId} asked each sample ${plan.repeats} time(s): repeat counts from 0`;
    return err({ type: "not-found", detail });
  }
  const row = await ports.runs.sample(runId, seqOf(plan, position, repeat));
  if (row === null) {
    return err({ type: "not-ready", detail: `sample "${sampleId}" has not been answered yet` });
  }
  const object = (await ports.objects.get<StoredSample[]>(row.object)) ?? [];
  const stored = object.find((sample) => sample.seq === row.seq);
  if (!stored) return err({ type: "not-found", detail: "the answers of this run were removed" });
  const datasetPosition = plan.positions[position] ?? 0;
  const sample = await ports.datasets.row(run.suite, run.datasetVersion, datasetPosition);
  return ok({ ...sampleRowView(row), sample, answer: stored.answer, detail: stored.score.detail });
}
