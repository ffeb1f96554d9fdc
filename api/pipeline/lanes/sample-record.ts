import type { SampleRecord, StoredSample } from "../ports.ts";

/** The row of a stored sample: what lists, counters and statistics need, without the answer. */
export function sampleRecord(runId: string, sample: StoredSample, object: string): SampleRecord {
  const { answer, score } = sample;
  return {
    runId,
    seq: sample.seq,
    sampleId: sample.id,
    status: score.status,
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
  };
}
