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
import type { Asking } from "./ask-judge.ts";

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

/** Findings that a lane is asking for: repeats of a sample run at the same time, and ask once. */
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
    const finding = await other;
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
  if (wanted.kind === "speech") {
    if (speak === undefined) return nothing("nobody can speak", ask.model);
    const recording = await spoken(objects, asking, { speak, folder }, wanted.text);
    if (typeof recording === "string") return nothing(recording, ask.model);
    request = { ...request, audio: recording };
  }
  const reply = await asking.client.ask(ask, request, asking.limits, asking.memory);
  if (reply.kind === "postponed") throw new Postponed(reply.until);
  const read = stage.read(reply.answer);
  if (!read.ok) return nothing(reply.answer.error?.class ?? read.error, ask.model);
  if (await objects.putOnce(key, JSON.stringify({ value: read.value }))) {
    return { value: read.value, failure: null, model: ask.model, isReused: false };
  }
  // Another run may have stored it meanwhile: all runs use the first stored value.
  const first = await objects.get<{ value: Json }>(key);
  return { value: first?.value ?? read.value, failure: null, model: ask.model, isReused: false };
}

/** A recording of the text, stored by content; a string states why there is none. */
async function spoken(
  objects: ObjectStore,
  { client, limits, memory }: Asking,
  { speak: route, folder }: { speak: NonNullable<StageRoutes["speak"]>; folder: string },
  text: string,
): Promise<Recording | string> {
  const { provider, model } = route;
  const key = `${folder}speech/${contentHash({ provider, model, text })}.json`;
  const kept = await objects.get<Recording>(key);
  if (kept !== null) return kept;
  const reply = await client.speak(route, text, limits, memory);
  if (reply.kind === "postponed") throw new Postponed(reply.until);
  if (!reply.recording) return reply.error ?? "no recording";
  if (await objects.putOnce(key, JSON.stringify(reply.recording))) return reply.recording;
  return (await objects.get<Recording>(key)) ?? reply.recording;
}

const nothing = (failure: string, model: string | null): StageFinding => ({
  value: null,
  failure,
  model,
  isReused: false,
});
