import type { Answer } from "#shared/contracts/answer.ts";
import type { Json } from "#shared/contracts/json.ts";
import type { StageFindings } from "#shared/contracts/judging/judgment.ts";
import type { Step, Unit } from "#shared/contracts/runs/unit.ts";
import type { SampleScore } from "#shared/contracts/suite.ts";
import { askingOf } from "../judging/ask-judge.ts";
import { runStages } from "../judging/run-stages.ts";
import { forEachInBatch, Postponed } from "../platform/backoff.ts";
import type { Platform } from "../platform/platform.ts";
import type { AskModel } from "../providers/ask-model.ts";
import { reusing, untimedIfReused } from "../providers/kept-answers.ts";
import type { AskLimits } from "../providers/retrying.ts";
import { isBatched, isJudgedLater } from "../runs/schema.ts";
import type { StoredSample } from "../runs/stored-samples.ts";
import { KeptReplies } from "./kept-replies.ts";
import { seqOf } from "./run-plan.ts";
import type { RunWork } from "./run-work.ts";

/** No suite needs more requests per unit; the limit keeps a suite with an endless loop from causing costs. */
const MAX_REQUESTS = 1_000;

/** An answer and its arrival time; null if this service did not send the request. */
export type TimedAnswer = Pick<StoredSample, "answer" | "doneMs">;

/** Returns the answers of a unit's samples, in order. Throws `Postponed`. */
export type AnswerSource = (unit: Unit, samples: readonly unknown[]) => Promise<TimedAnswer[]>;

/** Sends the suite's requests to the model, one by one, until the unit is done. */
export function askingSource(platform: Platform, work: RunWork, limits: AskLimits): AnswerSource {
  let { blockedMs } = limits;
  return async (unit, samples) => {
    const { suite, options } = work;
    const hybrid = work.cloud?.routing ?? null;
    const findings = await findingsOf(platform, work, samples);
    const replies: Answer[] = [];
    const kept = new KeptReplies(platform, work, unit);
    const send = senderOf(platform, work, unit);
    for (;;) {
      const task = { samples, options, repeat: unit.repeat, hybrid, ...(findings && { findings }) };
      const step = suite.next(task, replies);
      if (step.kind === "done") {
        await kept.forget();
        const doneMs = sinceStart(work, platform.now());
        return timedAnswers(step.answers, replies, doneMs, findings);
      }
      if (await kept.addTo(step, replies)) continue;
      checkCount(replies, suite.id);
      const askedAt = platform.now();
      const name = `${unit.samples[0]}-${unit.repeat}-${replies.length}`;
      const asked = withSample(work, unit, samples, step);
      const answer = await ask(send, work, { ...limits, blockedMs, name }, asked).catch(
        async (error) => {
          if (error instanceof Postponed) error.hasReplies = await kept.keep(step, replies);
          throw error;
        },
      );
      if (answer.error === null && !answer.reused) blockedMs = 0;
      const [tookMs, waitedMs] = [platform.now() - askedAt, sinceStart(work, askedAt)];
      replies.push(timedReply(answer, step, tookMs, waitedMs));
    }
  };
}

function checkCount({ length }: readonly Answer[], suite: string): void {
  if (length >= MAX_REQUESTS) {
    throw new Error(`suite ${suite} asked ${MAX_REQUESTS} times for one unit`);
  }
}

/** A reply with its wait in the queue; a failed local call has the duration of its last attempt. */
function timedReply(
  answer: Answer,
  { to }: Ask,
  tookMs: number,
  queueWaitMs: number | null,
): Answer {
  if (answer.reused) return answer;
  const waited = to === "local" && answer.error !== null;
  return { ...answer, ...(waited && { latencyMs: lastCallMs(answer, tookMs) }), queueWaitMs };
}

/** The client of models; it reuses stored answers if the run does. */
function senderOf({ ask, answers }: Platform, { run }: RunWork, { repeat }: Unit): AskModel {
  const isReusing = run.options["reuseAnswers"] === true && answers !== null;
  return isReusing ? reusing(ask, answers, repeat) : ask;
}

/** The answers of a unit with the findings on their samples; answers with reused parts have no times. */
function timedAnswers(
  answers: readonly Answer[],
  replies: readonly Answer[],
  doneMs: number | null,
  findings: readonly StageFindings[] | null,
): TimedAnswer[] {
  return answers.map((given, i) => {
    const answer = untimedIfReused(given, replies);
    const stages = findings === null ? {} : { stages: { ...findings[i] } };
    return { answer: { ...answer, ...stages }, doneMs: answer.reused ? null : doneMs };
  });
}

/** Null in batches, because the provider's time for a request is unknown. */
const sinceStart = ({ run, startedAt }: RunWork, at: number): number | null =>
  isBatched(run) ? null : at - startedAt;

/** The findings of the suite's stages by sample; null if it has no stages. */
async function findingsOf(platform: Platform, work: RunWork, samples: readonly unknown[]) {
  if (work.suite.stages === undefined) return null;
  const asking = askingOf(platform, work);
  return forEachInBatch(
    samples,
    (sample): Promise<StageFindings> => runStages(platform, work, asking, sample),
  );
}

/** Duration of a request's last call. For a hybrid target, the cloud's answer arrives after the local one. */
const lastCallMs = ({ retryWaitMs }: Answer, elapsedMs: number): number =>
  Math.max(0, elapsedMs - (retryWaitMs ?? 0));

type Ask = Extract<Step, { kind: "ask" }>;

/** A program of the submitter also gets the sample, without the expected answer; an endpoint gets only the request. */
function withSample(
  { plan, suite, target }: RunWork,
  { samples: positions, repeat }: Unit,
  samples: readonly unknown[],
  step: Ask,
): Ask {
  if (target?.relay === undefined) return step;
  const { sample: at = 0, request, isLong } = step;
  const id = plan.heads[positions[at] ?? 0]?.id ?? "";
  const sample = { id, repeat, ...(!isLong && { input: suite.sampleText(samples[at]).input }) };
  return { ...step, request: { ...request, sample } };
}

async function ask(send: AskModel, work: RunWork, limits: AskLimits, step: Ask): Promise<Answer> {
  const reply = await replyTo(send, work, limits, step);
  if (reply.kind === "postponed") throw new Postponed(reply.until);
  return reply.answer;
}

/** The lane backs off if either endpoint of a hybrid target is overloaded. */
async function replyTo(send: AskModel, work: RunWork, limits: AskLimits, { to, request }: Ask) {
  const { target, cloud, memory } = work;
  if (target === null) throw new Error("the run has no endpoint");
  if (to !== "cloud") return send(target, request, limits, memory);
  if (cloud === null) throw new Error("the run has no endpoint in the cloud");
  const reply = await send(cloud.target, request, limits, cloud.memory);
  memory.overloads += cloud.memory.overloads;
  memory.notes.push(...cloud.memory.notes.map((note) => `cloud: ${note}`));
  Object.assign(cloud.memory, { overloads: 0, notes: [] });
  return reply;
}

/** Executes one unit: reads its rows, gets answers and scores them. */
export async function executeUnit(
  platform: Platform,
  work: RunWork,
  unit: Unit,
  source: AnswerSource,
): Promise<StoredSample[]> {
  const { suite, run, plan, options } = work;
  const samples = await Promise.all(
    unit.samples.map((sample) => sampleBody(platform, work, sample)),
  );
  const answers = await source(unit, samples);
  return unit.samples.map((sample, i) => {
    const timed = answers[i];
    if (!timed) throw new Error(`suite ${run.suite} gave no answer ${i} of its unit`);
    const { answer, doneMs } = timed;
    const score = isJudgedLater(run) ? unjudged(answer) : suite.score(samples[i], answer, options);
    const id = plan.heads[sample]?.id ?? "";
    return {
      seq: seqOf(plan, sample, unit.repeat),
      id,
      answer,
      doneMs,
      score: { ...score, detail: score.detail as Json },
    };
  });
}

const unjudged = ({ error }: Answer): SampleScore<Json> => ({
  status: "unscored",
  score: null,
  covered: error === null,
  detail: null,
});

/** A sample of a run by its position in the plan, parsed by the suite. Throws if the stored row is malformed. */
export async function sampleBody(
  platform: Pick<Platform, "datasets">,
  { run, plan, suite }: Pick<RunWork, "run" | "plan" | "suite">,
  sample: number,
): Promise<unknown> {
  const row = await platform.datasets.row(
    run.suite,
    run.datasetVersion,
    plan.positions[sample] as number,
  );
  const checked = checkedRows.get(row as object) ?? suite.checkSample(row);
  if (!checked.ok) throw new Error(`stored row of ${run.datasetName} is malformed`);
  checkedRows.set(row as object, checked);
  return checked.value.sample;
}

/** The dataset cache shares row objects. A check compiles schemas, so each cached row is checked once. */
const checkedRows = new WeakMap<object, ReturnType<RunWork["suite"]["checkSample"]>>();
