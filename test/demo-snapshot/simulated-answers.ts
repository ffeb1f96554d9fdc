import { type Answer, emptyAnswer } from "../../shared/contracts/answer.ts";
import {
  answerOf,
  type SubmittedAnswer,
} from "../../shared/contracts/submissions/submitted-answer.ts";
import { type Draws, drawsFrom } from "../../simulator/draws.ts";
import type { Simulation } from "../../simulator/simulation.ts";
import { askAll, type Bench } from "../simulator/support/evaluate.ts";
import type { DemoModel } from "./demo-models.ts";
import { simulatedJudgments } from "./simulated-judgments.ts";

/** Requests that a run keeps in flight. */
const CONCURRENCY = 10;

/** An answer and its time, ms from the run's start; null for uploaded answers. */
export interface DemoAnswer {
  id: string;
  answer: Answer;
  doneMs: number | null;
}

/** A model's answers to every sample of a suite, with judgments if the suite has judges. */
export const simulatedAnswers = (
  bench: Bench,
  simulation: Simulation,
  model: DemoModel,
  turn: number,
): DemoAnswer[] =>
  demoAnswers(bench, askAll(bench, simulation, model.simulated(bench.suite.id, turn)), model, turn);

/** The answers as the service stores them: called or uploaded, some of them lost or retried. */
export function demoAnswers(
  bench: Bench,
  answers: readonly Answer[],
  model: Pick<DemoModel, "slug" | "lostRate" | "origin">,
  turn: number,
): DemoAnswer[] {
  const { suite, samples } = bench;
  const draws = drawsFrom("demo calls", model.slug, suite.id, turn);
  const kept = answers.map((answer) => (draws.chance(model.lostRate) ? lost : answer));
  const ids = samples.map((sample) => suite.sampleHead(sample).id);
  const isCalled = model.origin === "called";
  const stored = kept.map((answer, i) =>
    isCalled ? called(answer, draws) : answerOf(submitted(ids[i] as string, answer)),
  );
  const judged = withJudgments(bench, stored, draws);
  const doneMs = isCalled ? schedule(judged) : null;
  return judged.map((answer, i) => ({
    id: ids[i] as string,
    doneMs: doneMs?.[i]?.doneMs ?? null,
    answer: doneMs === null ? answer : { ...answer, queueWaitMs: doneMs[i]?.queueWaitMs ?? null },
  }));
}

/** The answers with simulated judgments, or unchanged if the suite has no judges. */
function withJudgments({ suite, samples }: Bench, answers: readonly Answer[], draws: Draws) {
  const options = suite.optionsSchema.parse({});
  const { judging } = suite;
  if (judging === undefined || judging.choice(options) === null) return answers;
  return answers.map((answer, at): Answer => {
    const tasks = judging.tasks(samples[at], answer, options);
    return tasks.length === 0 ? answer : { ...answer, judgments: simulatedJudgments(tasks, draws) };
  });
}

/** An answer in the format of an upload. */
export function submitted(id: string, answer: Answer): SubmittedAnswer {
  if (answer.error !== null) return { id, error: answer.error.class };
  const { output, toolCalls, refusal, finishReason, latencyMs, inputTokens, outputTokens } = answer;
  return {
    id,
    output,
    finishReason,
    latencyMs,
    inputTokens,
    outputTokens,
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

/** Adds the data that the service stores about a call; sometimes the first attempt fails. */
function called(answer: Answer, draws: Draws): Answer {
  const isLost = answer.error !== null;
  const retries = isLost ? 3 : Number(draws.chance(0.02));
  return {
    ...answer,

    requests: Math.max(1, answer.requests),
    attempts: retries + 1,
    retries,
    httpStatus: isLost ? null : 200,
    retryWaitMs: retries * Math.round(1_000 + 500 * draws.unit()),
  };
}

/** Start and end of each request, with a fixed number of requests in flight. */
function schedule(answers: readonly Answer[]): { queueWaitMs: number; doneMs: number }[] {
  const free = Array.from({ length: CONCURRENCY }, () => 0);
  return answers.map(({ latencyMs, retryWaitMs }) => {
    const queueWaitMs = Math.min(...free);
    const doneMs = queueWaitMs + (retryWaitMs ?? 0) + (latencyMs ?? 60_000);
    free[free.indexOf(queueWaitMs)] = doneMs;
    return { queueWaitMs, doneMs };
  });
}
