import {
  addJudgeSpend,
  type JudgeSpend,
  withoutStageCalls,
} from "#shared/measures/judging/judge-spend.ts";
import { failedJudgments } from "#shared/measures/performance/request-failures.ts";
import { dayOf } from "../keys/quota.ts";
import { paidSpend } from "../operator/spend-store.ts";
import { hasOwnAnswers, isJudgedLater, type RunRecord, type SampleRecord } from "../runs/schema.ts";
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

/** Paid calls for samples. When a run's own answers are judged, their stages were counted earlier. */
export function spendOf(samples: readonly StoredSample[], run: RunRecord, now: number) {
  const isOwn = run.phase === "judging" && hasOwnAnswers(run);
  const paidFor = ({ answer }: StoredSample) => (isOwn ? withoutStageCalls(answer) : answer);
  const spend: JudgeSpend = new Map();
  for (const sample of samples) addJudgeSpend(spend, paidFor(sample));
  return paidSpend(dayOf(now), spend);
}

/** For longer answers, `charsOf` includes their scores, which list every field. */
const LONG_ANSWER = 20_000;

/** About the bytes that a sample takes. */
export function charsOf(sample: StoredSample): number {
  const chars = JSON.stringify(sample.answer).length;
  return chars > LONG_ANSWER ? JSON.stringify(sample).length : chars;
}
