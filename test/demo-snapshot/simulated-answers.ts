import { type Answer, emptyAnswer } from "../../shared/contracts/answer.ts";
import { answerOf, type SubmittedAnswer } from "../../shared/contracts/submitted-answer.ts";
import { type Draws, drawsFrom } from "../simulator/draws.ts";
import type { Simulation } from "../simulator/simulation.ts";
import { askAll, type Bench } from "../simulator/support/evaluate.ts";
import { judgeAll } from "../simulator/support/judge-all.ts";
import type { DemoModel } from "./demo-models.ts";
import { judgeModel, judgePrice } from "./judge-settings.ts";

/** Requests that a run keeps in flight. */
const CONCURRENCY = 10;

/** An answer and when it was in, ms from the run's start; null where it was made elsewhere. */
export interface DemoAnswer {
  id: string;
  answer: Answer;
  doneMs: number | null;
}

/** What a model answers to every sample of a suite, judged where judges are asked. */
export function simulatedAnswers(
  bench: Bench,
  simulation: Simulation,
  model: DemoModel,
): DemoAnswer[] {
  const { suite, samples } = bench;
  const draws = drawsFrom("demo calls", model.slug, suite.id);
  const name = model.simulated(suite.id);
  const said = askAll(bench, simulation, name).map((answer) =>
    draws.chance(model.lostRate) ? lost : answer,
  );
  const ids = samples.map((sample) => suite.sampleHead(sample).id);
  const isCalled = model.origin === "called";
  const given = said.map((answer, i) =>
    isCalled ? called(answer, draws) : answerOf(submitted(ids[i] as string, answer)),
  );
  const judged = judgeAll(bench, simulation, given, [judgeModel]).map((answer) =>
    withJudgingCost(answer, draws),
  );
  const doneMs = isCalled ? schedule(judged) : null;
  return judged.map((answer, i) => ({
    ...{ id: ids[i] as string, doneMs: doneMs?.[i]?.doneMs ?? null },
    answer: doneMs === null ? answer : { ...answer, queueWaitMs: doneMs[i]?.queueWaitMs ?? null },
  }));
}

/** An answer as somebody else would submit it. */
export function submitted(id: string, answer: Answer): SubmittedAnswer {
  if (answer.error !== null) return { id, error: answer.error.class };
  const { output, toolCalls, refusal, finishReason, latencyMs, inputTokens, outputTokens } = answer;
  return {
    ...{ id, output, finishReason, latencyMs, inputTokens, outputTokens },
    ...(toolCalls !== null && { toolCalls }),
    ...(refusal !== null && { refusal }),
    ...(answer.source !== null && { source: answer.source }),
    ...(answer.confidence !== null && { confidence: answer.confidence }),
  };
}

const lost: Answer = {
  ...emptyAnswer,
  error: { class: "timeout", message: "no answer in 60 s" },
};

/** What the service notes of a call beside the answer; now and then the first try fails. */
function called(answer: Answer, draws: Draws): Answer {
  const isLost = answer.error !== null;
  const retries = isLost ? 3 : Number(draws.chance(0.02));
  return {
    ...answer,
    ...{ requests: 1, attempts: retries + 1, retries, httpStatus: isLost ? null : 200 },
    retryWaitMs: retries * Math.round(1_000 + 500 * draws.unit()),
  };
}

/** A judgment's tokens, time and cost, none of which moves a score. */
function withJudgingCost(answer: Answer, draws: Draws): Answer {
  if (answer.judgments === undefined) return answer;
  const entries = Object.entries(answer.judgments).map(([metric, records]) => [
    metric,
    records.map((record) => {
      if (record.judge !== judgeModel) return record;
      const [inputTokens, outputTokens] = [900 + draws.index(300), 60 + draws.index(120)];
      const { inputPer1k, outputPer1k } = judgePrice;
      const costUsd = (inputTokens * inputPer1k + outputTokens * outputPer1k) / 1_000;
      const latencyMs = 300 + draws.index(500);
      return { ...record, provider: "simulated", inputTokens, outputTokens, latencyMs, costUsd };
    }),
  ]);
  return { ...answer, judgments: Object.fromEntries(entries) };
}

/** When each answer is asked for and in, a fixed number of requests being in flight. */
function schedule(answers: readonly Answer[]): { queueWaitMs: number; doneMs: number }[] {
  const free = Array.from({ length: CONCURRENCY }, () => 0);
  return answers.map(({ latencyMs, retryWaitMs }) => {
    const queueWaitMs = Math.min(...free);
    const doneMs = queueWaitMs + (retryWaitMs ?? 0) + (latencyMs ?? 60_000);
    free[free.indexOf(queueWaitMs)] = doneMs;
    return { queueWaitMs, doneMs };
  });
}
