import { describe, expect, it } from "vitest";
import { type Answer, emptyAnswer } from "#shared/contracts/answer.ts";
import type { ChatRequest } from "#shared/contracts/chat-request.ts";
import type { Endpoint } from "#shared/contracts/submissions/submission.ts";
import type { AskModel } from "./ask-model.ts";
import { endpointMemory } from "./endpoint-memory.ts";
import { keptAnswers, keptKey, reusing, untimedIfReused } from "./kept-answers.ts";

const endpoint: Endpoint = {
  baseUrl: "http://localhost:1/v1",
  model: "m",
  apiKey: "sk-1",
  headers: { "X-Team": "a" },
  maxTokensParam: "max_tokens",
};
const request: ChatRequest = { messages: [{ role: "user", content: "Hi" }], temperature: 0 };
const limits = { timeoutMs: 1, maxRetries: 0, blockedMs: null };
const answer: Answer = {
  ...emptyAnswer,
  output: "Hello",
  latencyMs: 300,
  firstByteMs: 100,
  firstTokenMs: 90,
  inputTokens: 5,
  requests: 1,
  attempts: 2,
  retries: 1,
  retryWaitMs: 20,
};

/** Storage of one process, with the texts that it holds. */
function storage() {
  const texts = new Map<string, string>();
  const fetch = async (url: string, init?: { body: string }) => {
    if (init) texts.set(url, init.body);
    const text = texts.get(url);
    return new Response(text ?? null, { status: text === undefined ? 404 : 200 });
  };
  return { texts, kept: keptAnswers({ fetch } as never) };
}

/** A client that records its calls. */
function counting(reply: Answer = answer) {
  const calls: ChatRequest[] = [];
  const ask: AskModel = async (_, asked) => {
    calls.push(asked);
    return { kind: "answer", answer: reply };
  };
  return { calls, ask };
}

const asked = async (ask: AskModel, to = endpoint, sent = request) => {
  const reply = await ask(to, sent, limits, endpointMemory());
  return reply.kind === "answer" ? reply.answer : null;
};

describe("reusing()", () => {
  it("asks once, then returns the same answer without times and calls", async () => {
    const { texts, kept } = storage();
    const { calls, ask } = counting();
    expect(await asked(reusing(ask, kept, 0))).toEqual(answer);
    const { firstTokenMs: _, ...untimed } = answer;
    expect(await asked(reusing(ask, kept, 0))).toEqual({
      ...untimed,
      latencyMs: null,
      firstByteMs: null,
      retryWaitMs: null,
      attempts: 0,
      retries: 0,
      reused: true,
    });
    expect(calls).toHaveLength(1);
    expect([...texts].join()).not.toContain("sk-1");
  });

  it("asks for each repeat, endpoint, setting and message that differs", async () => {
    const { kept } = storage();
    const { calls, ask } = counting();
    await asked(reusing(ask, kept, 0));
    await asked(reusing(ask, kept, 1));
    await asked(reusing(ask, kept, 0), { ...endpoint, baseUrl: "http://localhost:2/v1" });
    await asked(reusing(ask, kept, 0), { ...endpoint, model: "n" });
    await asked(reusing(ask, kept, 0), { ...endpoint, settings: { seed: 1 } });
    await asked(reusing(ask, kept, 0), { ...endpoint, headers: { "X-Team": "b" } });
    await asked(reusing(ask, kept, 0), endpoint, { ...request, maxTokens: 9 });
    await asked(reusing(ask, kept, 0), { ...endpoint, apiKey: "sk-2" });
    expect(calls).toHaveLength(7);
  });

  it("neither stores nor reuses answers at a temperature other than 0, or of a program", async () => {
    expect(keptKey({ ...endpoint, relay: "program" }, request, 0)).toBeNull();
    const warm = { ...request, temperature: 0.7 };
    expect(keptKey(endpoint, warm, 0)).toBeNull();
    expect(keptKey(endpoint, { ...request, temperature: null }, 0)).toBeNull();
    expect(keptKey({ ...endpoint, settings: { temperature: 0.5 } }, request, 0)).toBeNull();
    expect(keptKey({ ...endpoint, settings: { temperature: 0 } }, warm, 0)).not.toBeNull();
  });

  it("stores no failed answer, and asks again if storage fails or holds invalid data", async () => {
    const { texts, kept } = storage();
    const error = { class: "timeout", message: "" } as const;
    const failing = counting({ ...emptyAnswer, error });
    await asked(reusing(failing.ask, kept, 0));
    expect(texts.size).toBe(0);
    const { calls, ask } = counting();
    await asked(reusing(ask, kept, 0));
    for (const url of texts.keys()) texts.set(url, '{"output": 5}');
    await asked(reusing(ask, kept, 0));
    const down = keptAnswers({ fetch: () => Promise.reject(new Error("down")) } as never);
    expect(await asked(reusing(ask, down, 0))).toEqual(answer);
    expect(calls).toHaveLength(3);
  });
});

it("untimedIfReused() removes the time of an answer that is partly a stored one", () => {
  const stored = { ...answer, attempts: 0, reused: true as const };
  expect(untimedIfReused(answer, [stored, answer])).toBe(answer);
  const joined = { ...answer, requests: 2, attempts: 1, retries: 0 };
  expect(untimedIfReused(joined, [answer, answer])).toBe(joined);
  expect(untimedIfReused(joined, [stored, answer])).toMatchObject({
    latencyMs: null,
    reused: true,
  });
});
