import { setTimeout } from "node:timers/promises";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { modelClient } from "../../api/providers/ask-model.ts";
import { endpointConnector } from "../../api/providers/connect-endpoint.ts";
import { endpointMemory } from "../../api/providers/endpoint-memory.ts";
import { endpointClient } from "../../cli/connection/endpoint-client.ts";
import type { Answer } from "../../shared/contracts/answer.ts";
import type { InferenceSettings } from "../../shared/contracts/submissions/inference-settings.ts";
import { type ProtocolName, protocols } from "../../shared/contracts/submissions/providers.ts";
import { endpointOf } from "../faults/stage.ts";
import { serve } from "../security/support/ask-server.ts";
import { aChat } from "../simulator/support/ask.ts";
import { firstRow } from "../simulator/support/rows.ts";
import { useSimulator } from "../simulator/support/simulator.ts";

const simulator = useSimulator();

beforeEach(() => {
  // The SDK logs events that are not JSON.
  vi.spyOn(console, "error").mockImplementation(() => {});
});

interface Asked {
  faults?: string;
  streams?: boolean;
  retries?: number;
  maxTokens?: number;
  settings?: InferenceSettings;
}

/** The answer of an endpoint whose streams have worked before, and the waits between requests in ms. */
async function ask(protocol: ProtocolName, model: string, given: Asked = {}) {
  const { streams = true, retries = 1, maxTokens = 2048, settings } = given;
  const waits: number[] = [];
  const sleep = async (ms: number) => void waits.push(ms);
  const client = modelClient({ now: Date.now, sleep, random: () => 0 });
  const [message] = aChat("m", firstRow).messages;
  const memory = endpointMemory({ parameters: streams ? [] : ["stream"] });
  memory.streams.work = true;
  const reply = await client(
    {
      ...endpointOf(simulator(), protocol),
      model,
      apiKey: "sk-any",
      maxTokensParam: "max_completion_tokens",
      ...(settings && { settings }),
    },
    { messages: [{ role: "user", content: message?.content as string }], maxTokens },
    { timeoutMs: 5_000, maxRetries: retries, blockedMs: null },
    memory,
  );
  if (reply.kind !== "answer") throw new Error("it was postponed");
  return { answer: reply.answer, waits };
}

/** Expects the text received before a stream failed to be the beginning of the whole text. */
function expectBeginning({ error }: Answer, whole: string | null | undefined) {
  expect(error?.received).toBeTruthy();
  expect(error?.received).not.toBe(whole);
  expect(whole?.startsWith(error?.received ?? "?")).toBe(true);
}

const broken = [
  ["cut", "network"],
  ["truncated-json", "invalid_response"],
  ["error-in-200", "server_error"],
] as const;

describe.each(protocols)("a stream of %s", (protocol) => {
  it.each(broken)("with %s is retried and fails as %s with partial text", async (fault, kind) => {
    const { answer } = await ask(protocol, `sim-instant?faults=${fault}`);
    expect(answer).toMatchObject({ output: null, attempts: 2, error: { class: kind } });
    expectBeginning(answer, (await ask(protocol, "sim-instant")).answer.output);
  });

  it.each(broken)("with %s during thoughts keeps the thoughts received", async (fault) => {
    // The answer is so short that half of the stream is thoughts.
    const short = { maxTokens: 1 };
    const name = "sim-instant?thoughts=field";
    const { answer } = await ask(protocol, `${name}&faults=${fault}`, short);
    expectBeginning(answer, (await ask(protocol, name, short)).answer.thoughts);
  });

  it.each(broken)("with %s at a rate of 0.5 succeeds after retries", async (fault) => {
    const { answer } = await ask(protocol, `sim-instant?faults=${fault}:0.5`, { retries: 20 });
    expect(answer).toMatchObject({ error: null, finishReason: "stop" });
  });

  it("that stalls ends at the maximum silence, with the text received", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const asked = ask(protocol, "sim-instant?faults=stall", { retries: 0 });
    while (vi.getTimerCount() === 0) await setTimeout(1);
    // The first half may arrive in two pieces, and the timer starts with the first.
    await setTimeout(50);
    vi.advanceTimersByTime(36_000);
    const { answer } = await asked;
    expect(answer.error).toMatchObject({
      class: "timeout",
      message: "the stream sent nothing for 30 s",
    });
    expectBeginning(answer, (await ask(protocol, "sim-instant")).answer.output);
  });

  it("that stalls and continues in time is an answer", async () => {
    const { answer } = await ask(protocol, "sim-instant?faults=stall&timeoutMs=60");
    expect(answer).toMatchObject({ error: null, attempts: 1, finishReason: "stop" });
    expect(answer.latencyMs).toBeGreaterThanOrEqual(55);
  });
});

/** Statuses that differ from the fault's name: an invalid key at Google, an unknown model at OpenAI's Responses. */
const otherStatuses: Readonly<Record<string, number>> = {
  "generate_content 401": 400,
  "responses 404": 400,
};

describe.each(protocols)("an error of %s", (protocol) => {
  it.each([
    ["429", "rate_limited", 2],
    ["500", "server_error", 2],
    ["503", "server_error", 2],
    ["529", "server_error", 2],
    ["401", "unauthorized", 1],
    ["404", "not_found", 1],
  ])("%s is of class %s after %i requests", async (fault, kind, attempts) => {
    const { answer } = await ask(protocol, `sim-instant?faults=${fault}`);
    const httpStatus = otherStatuses[`${protocol} ${fault}`] ?? Number(fault);
    expect(answer).toMatchObject({ error: { class: kind }, attempts, httpStatus });
  });

  it("400 is of class bad_request, and names the refused setting", async () => {
    const { answer } = await ask(protocol, "sim-instant", { settings: { temperature: 3 } });
    expect(answer).toMatchObject({
      attempts: 1,
      httpStatus: 400,
      error: { class: "bad_request", message: expect.stringContaining("'temperature'") },
    });
  });

  it.each(["429", "503"])("%s is retried after the time that it names", async (fault) => {
    const { waits } = await ask(protocol, `sim-instant?faults=${fault}&retryAfter=3`);
    expect(waits).toEqual([3_000]);
  });

  it("with status 200 is of class server_error", async () => {
    const { answer } = await ask(protocol, "sim-instant?faults=error-in-200", { streams: false });
    expect(answer).toMatchObject({ output: null, attempts: 2, error: { class: "server_error" } });
  });
});

it("endpointClient() and endpointConnector() end at the timeout if a reply never ends", async () => {
  const baseUrl = await serve((_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.write('{"data": [');
  });
  const target = { baseUrl, model: "m", apiKey: null, timeoutMs: 200 };
  const ofService = endpointConnector({ allowPrivateEndpoints: true, ownHosts: [] }, Date.now);
  for (const client of [ofService(Date.now() + 60_000)(target), endpointClient(target)]) {
    const late = { ok: false, message: expect.stringMatching(/^no (answer|reply) within/) };
    expect(await client.models()).toMatchObject(late);
    expect(await client.chat({ messages: [{ role: "user", content: "hi" }] })).toMatchObject(late);
  }
});
