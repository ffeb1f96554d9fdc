import { failedJudgments } from "#shared/measures/performance/request-failures.ts";
import { isJudgedLater, type RunRecord, type SampleRecord } from "../runs/schema.ts";
import type { StoredSample } from "../runs/stored-samples.ts";

/** The row of a stored sample: what lists, counters and statistics need, without the answer. */
export function sampleRecord(
  run: Pick<RunRecord, "id" | "judging" | "phase">,
  sample: StoredSample,
  object: string,
): SampleRecord {
  const { answer, score } = sample;
  return {
    runId: run.id,
    seq: sample.seq,
    sampleId: sample.id,
    status: isJudgedLater(run) ? "answered" : score.status,
    covered: score.covered,
    score: score.score,
    latencyMs: answer.latencyMs,
    inputTokens: answer.inputTokens,
    outputTokens: answer.outputTokens,
    requests: answer.requests,
    attempts: answer.attempts,
    queueWaitMs: answer.queueWaitMs,
    retryWaitMs: answer.retryWaitMs,
    doneMs: sample.doneMs,
    errorClass: answer.error?.class ?? null,
    object,
    failedJudgments: failedJudgments(answer).length,
  };
}

/** Whether a run's answers were counted when they arrived, before their judgment. */
export const areCounted = ({
  phase,
  endpoint,
  parentId,
}: Pick<RunRecord, "phase" | "endpoint" | "parentId">): boolean =>
  phase === "judging" && endpoint !== null && parentId === null;
