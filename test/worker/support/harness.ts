import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { consume } from "../../../api/consumers.ts";
import type { Claim, Commit } from "../../../api/engine/commit-store.ts";
import type { LeaseRequest } from "../../../api/engine/lease-store.ts";
import { platformOf } from "../../../api/index.ts";
import type { Account } from "../../../api/keys/account.ts";
import type { Quota } from "../../../api/keys/quota.ts";
import type {
  DeliveryMessage,
  FinishMessage,
  LaneMessage,
} from "../../../api/platform/messages.ts";
import type { Platform } from "../../../api/platform/platform.ts";
import type { AskModel } from "../../../api/providers/ask-model.ts";
import { submit } from "../../../api/submissions/service.ts";
import { type Answer, emptyAnswer } from "../../../shared/contracts/answer.ts";
import type { ChatRequest } from "../../../shared/contracts/chat-request.ts";
import {
  type SubmissionRequest,
  submissionRequestSchema,
} from "../../../shared/contracts/submissions/submission.ts";
import { aDataset } from "./a-dataset.ts";
import { relaySuite } from "./relay-suite.ts";

/** Messages that were sent but not delivered, by queue. */
export interface Mail {
  evaluate: LaneMessage[];
  finish: FinishMessage[];
  webhooks: DeliveryMessage[];
}

/** The real adapters over local D1 and R2, with queues that tests deliver and a fake model. */
export function harness(overrides: Partial<Platform> = {}) {
  const mail: Mail = { evaluate: [], finish: [], webhooks: [] };
  const platform: Platform = {
    ...platformOf({ ...env } as never),
    suites: { all: [relaySuite], byId: (id) => (id === "relay" ? relaySuite : undefined) },
    ask: upperCasing,
    queues: {
      lanes: async (messages) => void mail.evaluate.push(...messages),
      count: async () => 1,
      finish: async (message) => void mail.finish.push(message),
      deliveries: async (messages) => void mail.webhooks.push(...messages),
    },
    ...overrides,
  };
  return { platform, mail, deliverAll: () => deliverAll(platform, mail) };
}

/** Answers every request with its last message in upper case. */
export const upperCasing: AskModel = answering(() => ({}));

/** Answers in upper case, with the changes that `change` returns for a request. */
export function answering(change: (request: ChatRequest) => Partial<Answer>): AskModel {
  return async (_target, request) => ({
    kind: "answer",
    answer: {
      ...emptyAnswer,
      output: request.messages.at(-1)?.content.toUpperCase() ?? "",
      latencyMs: 1,
      requests: 1,
      attempts: 1,
      inputTokens: 10,
      outputTokens: 5,
      ...change(request),
    },
  });
}

/** Collects every event that is announced from now on. */
export function announced(platform: Platform) {
  const events: Parameters<Platform["deliveries"]["record"]>[0][] = [];
  const { record } = platform.deliveries;
  platform.deliveries.record = (event) => {
    events.push(event);
    return record(event);
  };
  return events;
}

/** A request for lane 0, as a consumer would make it. */
export const wish = (runId: string, now: number, expiresAt: number): LeaseRequest => ({
  runId,
  lane: 0,
  place: 0,
  now,
  expiresAt,
  restUntil: now + 5_000,
  endpointCap: 1000,
  holder: crypto.randomUUID(),
  claim: 0,
});

/** A claim of exactly `count` units. */
export const someUnits = (count: number): Claim => ({
  oneIn: 1,
  least: count,
  most: count,
  lastRound: 0,
  atOnce: 0,
});

/** A commit that claims and writes nothing. */
export const emptyCommit = (runId: string, now: number, expiresAt: number): Commit => ({
  runId,
  sampleTable: 0,
  lane: 0,
  attempt: 1,
  commits: 0,
  now,
  endpointCap: 1000,
  rows: [],
  keep: [],
  isCleared: false,
  inFlight: 0,
  claim: null,
  answered: 0,
  overloads: 0,
  notBefore: 0,
  areCounted: false,
  final: false,
  expiresAt,
});

/** The row of an answered sample. */
export const aRow = (runId: string, seq: number) => ({
  runId,
  seq,
  sampleId: `s${seq}`,
  status: "scored" as const,
  covered: true,
  score: 1,
  latencyMs: 1,
  inputTokens: 100,
  outputTokens: 100,
  requests: 1,
  attempts: 1,

  queueWaitMs: 0,
  retryWaitMs: 0,
  doneMs: 1,
  errorClass: null,
  failedJudgments: 0,
  object: "runs/x/answers/1.json",
});

/** Delivers one message, and returns whether the handler acknowledged it. */
export async function deliver(
  platform: Platform,
  queue: string,
  body: unknown,
): Promise<"ack" | "retry"> {
  const message = {
    id: crypto.randomUUID(),
    timestamp: new Date(platform.now()),
    attempts: 1,
    body,
  };
  const batch = createMessageBatch(`assay-${queue}-local`, [message]);
  await consume(platform, batch);
  const result = await getQueueResult(batch, createExecutionContext());
  return result.explicitAcks.includes(message.id) ? "ack" : "retry";
}

/** Delivers all messages of runs, and keeps those for webhooks. */
export async function workOff(platform: Platform, mail: Mail): Promise<void> {
  for (;;) {
    const lane = mail.evaluate.shift();
    const finish = lane ? undefined : mail.finish.shift();
    if (lane) await deliver(platform, lane.phase === "judging" ? "judge" : "evaluate", lane);
    else if (finish) await deliver(platform, "finish", finish);
    else return;
  }
}

async function deliverAll(platform: Platform, mail: Mail): Promise<void> {
  for (;;) {
    await workOff(platform, mail);
    const delivery = mail.webhooks.shift();
    if (!delivery) return;
    await deliver(platform, "webhooks", delivery);
  }
}

/** An account without a key. */
export const anAccount = (owner: string, more: Partial<Account> = {}): Account => ({
  owner,
  scopes: ["submit"],
  keyId: null,
  dailySamples: null,
  ...more,
});

/** Registers a dataset of `count` relay samples with a new name. */
export const relayDataset = (platform: Platform, count: number): Promise<string> =>
  aDataset(
    platform,
    relaySuite,
    Array.from({ length: count }, (_, i) => ({
      id: `s${i}`,
      first: `word ${i}`,
      expected: `AGAIN: WORD ${i}`,
    })),
  );

/** For tests that are not about lanes: each lane takes as many queries as the rest of a small run. */
export const oneLane = { concurrency: 5 };

/** Submits one model on a dataset, and returns the run's id. */
export async function submitRun(
  platform: Platform,
  dataset: string,
  more: Partial<Record<keyof SubmissionRequest, unknown>> = {},
  quota: Quota | null = null,
): Promise<string> {
  const endpoint = { baseUrl: "http://127.0.0.1:8790/v1", model: "m", apiKey: "sk-plain-secret" };
  const request = submissionRequestSchema.parse({
    suite: "relay",
    dataset,
    visibility: "public",
    models: [{ name: "Model", slug: `acme/${crypto.randomUUID().slice(0, 8)}`, endpoint }],
    ...more,
  });
  const created = await submit(platform, request, { owner: "acme", anyOwner: false, quota });
  if (!created.ok) throw new Error(JSON.stringify(created.error));
  const stored = await platform.runs.submission(created.value);
  return stored?.runs[0]?.id ?? "";
}

/** A clock that only sleeping advances, so that a slow machine has no effect; sleeping is `speed` times faster. */
export function sleepClock(speed: number) {
  let time = Date.now();
  return {
    now: () => time,
    sleep: async (ms: number) => {
      const until = time + ms;
      await new Promise<void>((resolve) => setTimeout(resolve, ms / speed));
      time = Math.max(time, until);
    },
  };
}
