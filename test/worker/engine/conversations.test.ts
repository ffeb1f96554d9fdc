import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { runCron } from "../../../api/cron.ts";
import { registerDataset } from "../../../api/datasets/register-dataset.ts";
import type { Platform } from "../../../api/platform/platform.ts";
import { type AskModel, modelClient } from "../../../api/providers/ask-model.ts";
import { rescoreRun } from "../../../api/runs/rescore-run.ts";
import { partsKey, type RunParts } from "../../../api/runs/run-objects.ts";
import { emptyAnswer } from "../../../shared/contracts/answer.ts";
import type { ChatRequest } from "../../../shared/contracts/chat-request.ts";
import type { Suite } from "../../../shared/contracts/suite.ts";
import { suiteById, suites } from "../../../shared/suites/registry.ts";
import { slots } from "../../../shared/suites/slots/suite.ts";
import { bankRow } from "../../../shared/suites/tools/__fixtures__/bank.ts";
import { tools } from "../../../shared/suites/tools/suite.ts";
import type { ToolsBreakdown } from "../../../shared/suites/tools/sum/breakdown.ts";
import { fakeBatches } from "../support/fake-batches.ts";
import { storedAnswers } from "../support/fake-judges.ts";
import { anAccount, deliver, harness, submitRun } from "../support/harness.ts";

/** The call that the model makes for each message; it answers other messages with "Done.". */
const clerk: Readonly<Record<string, object>> = {
  "How much has Ada?": { name: "balance", arguments: { owner: "ada" } },
  "Send 30 of it to Bob.": {
    name: "transfer",
    arguments: { from: "ada", to: "bob", amount: 30 },
  },
  "Close the account of Cleo.": { name: "close", arguments: { owner: "cleo" } },
};

const suitesPort = { all: suites, byId: suiteById };
const endpoint = { baseUrl: "http://127.0.0.1:8790/v1", model: "m", apiKey: "sk-0123456789" };
const models = [{ name: "Clerk", slug: "acme/clerk", endpoint }];

async function bankDataset(
  platform: Platform,
  rows: readonly object[] = [0, 1, 2].map((n) => ({ ...bankRow, id: `bank-${n}` })),
  suite: Suite = tools as Suite,
): Promise<string> {
  const name = `bank-${crypto.randomUUID().slice(0, 8)}`;
  const file = new TextEncoder().encode(rows.map((row) => JSON.stringify(row)).join("\n"));
  const of = { suite, name, visibility: "public", owner: "local", anyOwner: true } as const;
  const registered = await registerDataset(platform, { ...of, file, allowPartial: false });
  expect(registered).toMatchObject({ ok: true, value: { warnings: [] } });
  return name;
}

async function service(until: (request: number) => number | null = () => null) {
  const asked: ChatRequest[] = [];
  const ask: AskModel = async (_, request) => {
    const postponed = until(asked.length);
    if (postponed !== null) return { kind: "postponed", until: postponed };
    asked.push(request);
    const call = clerk[request.messages.at(-1)?.content ?? ""];
    const reply = { output: call ? null : "Done.", toolCalls: call ? [call] : null };
    const took = { latencyMs: 100, inputTokens: 10 * request.messages.length, outputTokens: 5 };
    const answer = { ...emptyAnswer, requests: 1, attempts: 1, ...reply, ...took };
    return { kind: "answer", answer: answer as typeof emptyAnswer };
  };
  const rig = harness({ ask, suites: suitesPort });
  return { ...rig, asked, dataset: await bankDataset(rig.platform) };
}

/** The endpoint's reply to a request. */
function replyTo(init: RequestInit | undefined): Response {
  const { messages } = JSON.parse(String(init?.body)) as ChatRequest;
  const call = clerk[messages.at(-1)?.content ?? ""];
  const message = { content: call ? null : "Done.", tool_calls: call && [{ function: call }] };
  return Response.json({ choices: [{ message, finish_reason: "stop" }] });
}

const breakdownOf = async ({ runs, objects }: Platform, id: string) =>
  (await objects.get<RunParts>(partsKey((await runs.get(id))!)))
    ?.breakdown as unknown as ToolsBreakdown;

const turnsOf = (turns: ToolsBreakdown["turns"]) =>
  turns.map(({ n, right, requests, latencyP50 }) => [n, right, requests, latencyP50]);

describe("a run on conversations", () => {
  it("gives the model the results of its calls, and stores requests, time and tokens of each turn", async () => {
    const { platform, dataset, asked, deliverAll } = await service();
    const run = await submitRun(platform, dataset, { suite: "tools", models });
    await deliverAll();
    expect(await platform.runs.get(run)).toMatchObject({
      status: "finished",
      metrics: {
        avgF1: { value: 1 },
        conversationRate: { value: 1, n: 3 },
        turnRate: { value: 1 },
        stateRate: { value: 1 },
        avgTime: { value: expect.closeTo(100, 9) },
      },
    });
    expect(asked).toHaveLength(18);
    expect(asked.some(({ messages }) => messages.at(-1)?.content === '{"left":70}')).toBe(true);
    const { turns } = await breakdownOf(platform, run);
    expect(turnsOf(turns)).toEqual([1, 2, 3].map(() => [3, 3, 2, expect.closeTo(200, 0)]));
    // The two requests of each turn have 2 and 4 messages, then 6 and 8, then 10 and 12.
    expect(turns.map(({ inputTokens }) => inputTokens)).toEqual([60, 140, 220]);
    const [answer] = await storedAnswers(platform, run);
    expect(answer?.turns?.flat().map(({ output }) => output)).toEqual([
      null,
      "Done.",
      null,
      "Done.",
      null,
      "Done.",
    ]);
  });

  it("resumes a postponed conversation, and deletes its stored replies at the end", async () => {
    let isFull = true;
    const { platform, dataset, asked, deliverAll } = await service((requests) => {
      if (!isFull || requests < 7) return null;
      isFull = false;
      return Date.now();
    });
    const run = await submitRun(platform, dataset, {
      suite: "tools",
      models,
      options: { concurrency: 1 },
    });
    await deliverAll();
    expect(isFull).toBe(false);
    expect(await platform.runs.get(run)).toMatchObject({
      status: "finished",
      metrics: { conversationRate: { value: 1 } },
    });
    expect(asked).toHaveLength(18);
    expect(await platform.objects.keys(`runs/${run}/replies/`)).toEqual([]);
  });

  it("repeats no session of a user after a later one was postponed", async () => {
    let isFull = true;
    const { platform, asked, deliverAll } = await service((requests) => {
      if (!isFull || requests < 3) return null;
      isFull = false;
      return Date.now();
    });
    const sessions = [1, 2, 3, 4].map((session) => ({
      id: `s${session}`,
      user: "ada",
      session,
      turns: [{ role: "user", content: `I have ${session} cats.` }],
      topics: { pets: ["cats"] },
      expected: { pets: { cats: `${session}` } },
    }));
    const dataset = await bankDataset(platform, sessions, slots as Suite);
    const options = { memory: "cumulative" };
    const run = await submitRun(platform, dataset, { suite: "slots", models, options });
    await deliverAll();
    expect(await platform.runs.get(run)).toMatchObject({ status: "finished", done: 4 });
    expect(isFull).toBe(false);
    expect(asked).toHaveLength(4);
  });

  it("continues conversations that need more requests than an invocation may send", async () => {
    const { platform, mail, dataset } = await service();
    platform.settings = {
      ...platform.settings,
      plan: { ...platform.settings.plan, requests: 10 },
    };
    const calls = vi
      .spyOn(globalThis, "fetch")
      .mockImplementation(async (_, init) => replyTo(init));
    const around = { now: Date.now, sleep: async () => {}, random: () => 0 };
    const patched = { ...platform, ask: modelClient(around) };
    const run = await submitRun(patched, dataset, { suite: "tools", models });
    for (let left = 20; mail.evaluate.length > 0 && left > 0; left--) {
      await deliver(patched, "evaluate", mail.evaluate.shift());
    }
    for (const message of mail.finish) await deliver(patched, "finish", message);
    expect(await platform.runs.get(run)).toMatchObject({
      status: "finished",
      metrics: { conversationRate: { value: 1 } },
    });
    expect(calls).toHaveBeenCalledTimes(18);
  });

  it("keeps waiting for an endpoint that accepts one request per minute", async () => {
    let clock = Date.now();
    let answeredAt = 0;
    vi.spyOn(globalThis, "fetch").mockImplementation(async (_, init) => {
      if (clock - answeredAt < 60_000) return Response.json({ error: "later" }, { status: 429 });
      answeredAt = clock;
      return replyTo(init);
    });
    const sleep = async (ms: number) => {
      clock += ms;
    };
    const ask = modelClient({ now: () => clock, sleep, random: () => 0 });
    const { platform, mail } = harness({ ask, suites: suitesPort, now: () => clock });
    const dataset = await bankDataset(platform);
    const run = await submitRun(platform, dataset, { suite: "tools", models });
    for (let left = 500; mail.evaluate.length > 0 && left > 0; left--) {
      await deliver(platform, "evaluate", mail.evaluate.shift());
      clock = Math.max(clock, (await platform.runs.get(run))?.notBefore ?? 0);
    }
    for (const message of mail.finish) await deliver(platform, "finish", message);
    expect(await platform.runs.get(run)).toMatchObject({ status: "finished", done: 3, failed: 0 });
  });

  it("rescores stored conversations with other options, without asking the model", async () => {
    const { platform, dataset, asked, deliverAll } = await service();
    const run = await submitRun(platform, dataset, { suite: "tools", models });
    await deliverAll();
    const requests = asked.length;
    const request = { options: { rankBy: "conversations", strictArguments: true } };
    const again = await rescoreRun(platform, anAccount("acme"), run, request, "sub-again");
    expect(again).toMatchObject({ ok: true });
    await deliverAll();
    const { results } = await env.DB.prepare("SELECT id FROM runs WHERE parent_id = ?1")
      .bind(run)
      .all<{ id: string }>();
    const [rescored] = results;
    expect(await platform.runs.get(rescored?.id ?? "")).toMatchObject({
      status: "finished",
      headline: "conversationRate",
      metrics: { conversationRate: { value: 1 }, avgF1: { value: 1 } },
    });
    expect(turnsOf((await breakdownOf(platform, rescored!.id)).turns)[0]?.slice(0, 3)).toEqual([
      3, 3, 2,
    ]);
    expect(asked).toHaveLength(requests);
  });

  it("scores submitted answers turn by turn", async () => {
    const { platform, dataset, deliverAll } = await service();
    const [balance, transfer, close] = Object.values(clerk).map((call) => ({ toolCalls: [call] }));
    const right = [[balance, { output: "100." }], [transfer], [close]];
    const answers = [
      { id: "bank-0", turns: right },
      { id: "bank-1", turns: [[{ output: "100." }], [transfer], [close]] },
      { id: "bank-2", error: "timeout" },
    ];
    const run = await submitRun(platform, dataset, {
      suite: "tools",
      models: [{ name: "Elsewhere", slug: "acme/elsewhere", answers }],
      options: { rankBy: "conversations" },
    });
    await deliverAll();
    expect(await platform.runs.get(run)).toMatchObject({
      headline: "conversationRate",
      metrics: { conversationRate: { value: expect.closeTo(1 / 3, 9) }, allRight: {} },
    });
    const { turns } = await breakdownOf(platform, run);
    expect(turns.map(({ failures }) => failures.empty)).toEqual([1, 0, 0]);
    expect(turns.map(({ failures }) => failures.ended)).toEqual([1, 1, 1]);
  });

  it("sends one batch for each request of a conversation", async () => {
    const fake = fakeBatches({
      answer: ({ body }) => {
        const own = body.messages.filter(({ content }) => !content.startsWith("These functions"));
        const call = clerk[own.at(-1)!.content];
        return call ? JSON.stringify([call]) : "Done.";
      },
    });
    let clock = Date.now();
    const { platform, deliverAll, mail } = harness({ suites: suitesPort, now: () => clock });
    const dataset = await bankDataset(platform);
    const batched = [{ ...models[0], endpoint: { ...endpoint, batches: "openai" } }];
    const run = await submitRun(platform, dataset, {
      suite: "tools",
      models: batched,
      options: { mode: "batch", toolMode: "prompt" },
    });
    await deliverAll();
    for (let i = 0; i < 20 && (await platform.runs.get(run))?.status === "running"; i++) {
      fake.end();
      clock += 900_000;
      await runCron(platform);
      mail.finish = mail.finish.filter((message) => "run" in message);
      await deliverAll();
    }
    expect(await platform.runs.get(run)).toMatchObject({
      status: "finished",
      metrics: { conversationRate: { value: 1 }, avgTime: { value: null } },
    });
    expect(fake.batches).toHaveLength(6);
  });
});
