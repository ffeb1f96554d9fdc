import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { SampleResult, SampleRow } from "#shared/contracts/run.ts";
import { counted } from "#shared/contracts/text/counted.ts";
import { withoutThoughts } from "#shared/measures/thoughts/without-thoughts.ts";
import { seqOf } from "../engine/run-plan.ts";
import { openRun, type RunWork } from "../engine/run-work.ts";
import type { Platform } from "../platform/platform.ts";
import { answersGoneDetail, areAnswersGone } from "./run-objects.ts";
import type { RunRecord, SampleRecord } from "./schema.ts";
import type { StoredSample } from "./stored-samples.ts";

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

/** One sample of a run with its dataset row, answer and detailed score. */
export async function sampleResult(
  platform: Platform,
  run: RunRecord,
  sampleId: string,
  repeat: number,
): Promise<Result<SampleResult, SampleProblem>> {
  const { plan } = await openRun(platform, { ...run, sealedSecrets: null });
  const position = plan.heads.findIndex((head) => head.id === sampleId);
  if (position < 0) {
    return err({ type: "not-found", detail: `run ${run.id} has no sample "${sampleId}"` });
  }
  if (repeat >= plan.repeats) {
    const detail = `run ${run.id} asked each sample ${counted(plan.repeats, "time")}: repeat starts at 0`;
    return err({ type: "not-found", detail });
  }
  const row = await platform.runs.sample(run.id, seqOf(plan, position, repeat));
  if (row === null) {
    return err({ type: "not-ready", detail: `sample "${sampleId}" has not been answered yet` });
  }
  const stored = await storedSample(platform, run, row);
  if (!stored) return err({ type: "gone", detail: answersGoneDetail(run) });
  return ok(await wholeSample(platform, { run, plan }, row, stored));
}

/** A sample's row, its stored object and the dataset row. */
export async function wholeSample(
  platform: Platform,
  { run, plan }: Pick<RunWork, "run" | "plan">,
  row: SampleRecord,
  { answer, score }: StoredSample,
): Promise<SampleResult> {
  const position = plan.positions[Math.floor(row.seq / plan.repeats)] ?? 0;
  const sample = await platform.datasets.row(run.suite, run.datasetVersion, position);
  const { output, thoughts } = withoutThoughts(answer);
  const said = thoughts === undefined ? {} : { said: { answer: output, thoughts } };
  return { ...sampleRowView(row), sample, answer, ...said, detail: score.detail };
}

async function storedSample(platform: Platform, run: RunRecord, { object, seq }: SampleRecord) {
  if (areAnswersGone(run, platform.settings, platform.now())) return undefined;
  return (await platform.objects.get<StoredSample[]>(object))?.find((sample) => sample.seq === seq);
}
