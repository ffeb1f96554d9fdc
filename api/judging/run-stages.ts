import { emptyAnswer } from "#shared/contracts/answer.ts";
import { contentHash } from "#shared/contracts/content-hash.ts";
import type { Json } from "#shared/contracts/json.ts";
import type { Stage, StageRequest } from "#shared/contracts/judging/judging.ts";
import type { StageFinding, StageFindings } from "#shared/contracts/judging/judgment.ts";
import type { RunWork } from "../engine/run-work.ts";
import { forEachInBatch, Postponed } from "../platform/backoff.ts";
import type { ObjectStore } from "../platform/object-store.ts";
import type { Platform } from "../platform/platform.ts";
import type { SpeakReply } from "../providers/judges.ts";
import { accountFolder } from "../runs/run-objects.ts";
import { type Asking, usageOf } from "./ask-judge.ts";
import { speechTokens } from "./stage-cost.ts";

type StageRoutes = NonNullable<NonNullable<RunWork["run"]["judging"]>["stages"][string]>;
type Recording = NonNullable<Extract<SpeakReply, { kind: "recording" }>["recording"]>;

/**
 * The results of the suite's stages for a sample, each by one request to the deployment's models. Results are stored by
 * content and shared by the runs of an account. A failed stage has no result, and the model is still called. Throws `Postponed`.
 * Source: docs/spec/memory.md, generation.
 */
export async function runStages(
  { objects }: Pick<Platform, "objects">,
  { suite, options, run }: Pick<RunWork, "suite" | "options" | "run">,
  asking: Asking,
  sample: unknown,
): Promise<StageFindings> {
  const findings: Record<string, StageFinding> = {};
  await forEachInBatch(suite.stages ?? [], async (stage) => {
    const request = stage.ask(sample, options);
    if (request === null) return;
    findings[stage.id] = await findingOf(objects, asking, stage, request, run);
  });
  return findings;
}

async function findingOf(
  objects: ObjectStore,
  asking: Asking,
  stage: Stage,
  wanted: StageRequest,
  { judging, owner }: RunWork["run"],
): Promise<StageFinding> {
  const routes = judging?.stages[stage.id] ?? null;
  if (routes === null) return nothing("nobody can be asked", null);
  const { ask, speak } = routes;
  const folder = accountFolder(owner);
  const key = `${folder}stages/${contentHash({ stage: stage.id, ask, speak: speak ?? null, wanted: wanted as unknown as Json })}.json`;
  return onceInLane(asking, key, async () => {
    const kept = await objects.get<{ value: Json }>(key);
    if (kept !== null) return { ...kept, failure: null, model: ask.model, isReused: true };
    return askedFor(objects, asking, stage, wanted, { ...routes, key, folder });
  });
}

/** Findings that a lane is requesting: repeats of a sample run concurrently and share one request. */
const underWay = new WeakMap<Asking["memory"], Map<string, Promise<StageFinding>>>();

async function onceInLane(
  { memory }: Asking,
  key: string,
  find: () => Promise<StageFinding>,
): Promise<StageFinding> {
  const its = underWay.get(memory) ?? new Map<string, Promise<StageFinding>>();
  underWay.set(memory, its);
  const other = its.get(key);
  if (other !== undefined) {
    const { calls: _, ...finding } = await other;
    return { ...finding, isReused: finding.failure === null };
  }
  const found = find().finally(() => its.delete(key));
  its.set(key, found);
  return found;
}

async function askedFor(
  objects: ObjectStore,
  asking: Asking,
  stage: Stage,
  wanted: StageRequest,
  { ask, speak, key, folder }: StageRoutes & { key: string; folder: string },
): Promise<StageFinding> {
  let { request } = wanted;
  const paid: PaidCalls = [];
  if (wanted.kind === "speech") {
    if (speak === undefined) return nothing("nobody can speak", ask.model);
    const recording = await spoken(objects, asking, { speak, folder, paid }, wanted.text);
    if (typeof recording === "string") return withCalls(nothing(recording, ask.model), paid);
    request = { ...request, audio: recording };
  }
  const reply = await asking.client.ask(ask, request, asking.limits, asking.memory);
  if (reply.kind === "postponed") throw new Postponed(reply.until);
  addPaid(paid, asking, ask, reply.answer);
  const read = stage.read(reply.answer);
  if (!read.ok) {
    return withCalls(nothing(reply.answer.error?.class ?? read.error, ask.model), paid);
  }
  const isFirst = await objects.putOnce(key, JSON.stringify({ value: read.value }));
  // Another run may have stored it meanwhile: all runs use the first stored value.
  const first = isFirst ? null : await objects.get<{ value: Json }>(key);
  const value = first?.value ?? read.value;
  return withCalls({ value, failure: null, model: ask.model, isReused: false }, paid);
}

type PaidCalls = NonNullable<StageFinding["calls"]>;

/** Records a call, unless it costs nobody anything. */
function addPaid(
  paid: PaidCalls,
  asking: Asking,
  route: StageRoutes["ask"],
  call: Parameters<typeof usageOf>[2][number],
): void {
  if (route.simulated || call.attempts === 0) return;
  const { latencyMs: _, ...usage } = usageOf(asking, route, [call]);
  paid.push({ provider: route.provider, ...usage });
}

const withCalls = (finding: StageFinding, calls: PaidCalls): StageFinding =>
  calls.length === 0 ? finding : { ...finding, calls };

/** A recording of the text, stored by content; a string states why there is none. */
async function spoken(
  objects: ObjectStore,
  asking: Asking,
  {
    speak: route,
    folder,
    paid,
  }: { speak: NonNullable<StageRoutes["speak"]>; folder: string; paid: PaidCalls },
  text: string,
): Promise<Recording | string> {
  const { client, limits, memory } = asking;
  const { provider, model } = route;
  const key = `${folder}speech/${contentHash({ provider, model, text })}.json`;
  const kept = await objects.get<Recording>(key);
  if (kept !== null) return kept;
  const reply = await client.speak(route, text, limits, memory);
  if (reply.kind === "postponed") throw new Postponed(reply.until);
  const tokens = reply.recording ? speechTokens(text, reply.seconds) : noTokens;
  addPaid(paid, asking, route, { ...emptyAnswer, ...tokens, attempts: reply.attempts });
  if (!reply.recording) return reply.error ?? "no recording";
  if (await objects.putOnce(key, JSON.stringify(reply.recording))) return reply.recording;
  return (await objects.get<Recording>(key)) ?? reply.recording;
}

/** A failed call costs nothing. */
const noTokens = { inputTokens: 0, outputTokens: 0 };

const nothing = (failure: string, model: string | null): StageFinding => ({
  value: null,
  failure,
  model,
  isReused: false,
});
