import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { Postponed } from "../../api/platform/backoff.ts";
import { endpointMemory } from "../../api/providers/endpoint-memory.ts";
import { judgeClient } from "../../api/providers/judges.ts";
import { anExchange } from "../../shared/judges/__fixtures__/judgments.ts";
import { defaultModels, defaultPrices } from "../../shared/judges/default-models.ts";
import { judgeRequest } from "../../shared/judges/judge-request.ts";
import { empathy } from "../../shared/judges/metrics/empathy.ts";
import { readReply } from "../../shared/judges/read-judgment.ts";
import { type Simulator, startSimulator } from "../../simulator/start-simulator.ts";

const key = "sk-judge-0123456789";
const limits = { timeoutMs: 2_000, maxRetries: 2, blockedMs: 0 };
const request = judgeRequest(empathy, anExchange());

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({ latencyScale: 0, apiKey: key });
});
afterAll(() => simulator.close());

/** The judge client of a deployment whose only provider is the simulator. */
const port = (apiKey = key) =>
  judgeClient(
    {
      JUDGES: { providers: { sim: { baseUrl: simulator.baseUrl, simulated: true } } },
      JUDGE_KEY_SIM: apiKey,
    },
    { now: () => Date.now(), sleep: async () => {}, random: () => 0 },
  );

const route = (model: string) => ({ provider: "sim", model });

async function judged(model: string, memory = endpointMemory(), apiKey = key) {
  const reply = await port(apiKey).ask(route(model), request, limits, memory);
  if (reply.kind !== "answer") throw new Error("postponed");
  return reply.answer;
}

describe("a judge", () => {
  it.each(["sim-judge-a", "sim-judge-b", "sim-judge-c"])("%s gives a judgment", async (model) => {
    const answer = await judged(model);
    expect(readReply(empathy, answer).ok).toBe(true);
    expect(answer.inputTokens).toBeGreaterThan(100);
  });

  it("that refuses a schema is asked for plain JSON from then on", async () => {
    const memory = endpointMemory();
    const model = "sim-judge-b?seed=4";
    expect((await judged(model, memory)).structuredMode).toBe("json_object");
    expect(memory.notes[0]).toContain(`judge ${model}: `);
    const before = simulator.log.entries.length;
    expect((await judged(model)).structuredMode).toBe("json_object");
    expect(simulator.log.entries.length).toBe(before + 1);
  });

  it("that is overloaded is retried, then postponed, and counted as overloaded", async () => {
    const memory = endpointMemory();
    const judging = judged("sim-judge-a?faults=429&retryAfter=0", memory);
    await expect(judging).rejects.toThrow("postponed");
    expect(memory).toMatchObject({ overloads: 3, requests: { sent: 3 } });
  });

  it("counts towards the requests of the invocation", async () => {
    const memory = endpointMemory({ requests: { sent: 9, most: 10 } });
    await judged("sim-judge-a", memory);
    await expect(judged("sim-judge-a", memory)).rejects.toThrow(Postponed);
    expect(memory.requests.sent).toBe(10);
  });

  it("that names a long retry-after is postponed", async () => {
    const model = route("sim-judge-a?faults=429&retryAfter=900");
    const reply = await port().ask(model, request, limits, endpointMemory());
    expect(reply.kind).toBe("postponed");
  });

  it("that rejects the key gives an error without the key", async () => {
    const answer = await judged("sim-judge-a", endpointMemory(), "sk-wrong-0123456789");
    expect(answer.error?.class).toBe("unauthorized");
    expect(JSON.stringify(answer)).not.toContain("sk-wrong-0123456789");
  });
});

describe("embeddings", () => {
  const embed = (model: string) =>
    port().embed(route(model), ["a short walk", "a short walk home"], limits, endpointMemory());

  it("come in the order of the texts", async () => {
    const reply = await embed("sim-embedding");
    if (reply.kind !== "vectors" || reply.vectors === null) throw new Error("no vectors");
    expect(reply.vectors).toHaveLength(2);
    expect(reply.vectors[0]).not.toEqual(reply.vectors[1]);
    expect(reply).toMatchObject({ error: null, attempts: 1 });
    expect(reply.inputTokens).toBeGreaterThan(0);
  });

  it("report why they failed", async () => {
    expect(await embed("sim-embedding?faults=404")).toMatchObject({
      kind: "vectors",
      vectors: null,
      error: { class: "not_found" },
    });
    expect(await embed("sim-embedding?faults=html")).toMatchObject({
      vectors: null,
      error: { class: "invalid_response" },
    });
  });
});

describe("speech", () => {
  const speak = (model: string) =>
    port().speak(route(model), "Can I run?", limits, endpointMemory());

  it("is a recording that an audio model accepts", async () => {
    const reply = await speak("sim-speech");
    if (reply.kind !== "recording" || !reply.recording) throw new Error("no recording");
    expect(atob(reply.recording.data).slice(0, 4)).toBe("RIFF");
    expect([reply.attempts, reply.seconds > 0]).toEqual([1, true]);
    const audio = reply.recording;
    const answer = await port().ask(
      route("sim-audio"),
      { ...request, audio },
      limits,
      endpointMemory(),
    );
    expect(answer).toMatchObject({ kind: "answer", answer: { error: null } });
  });

  it("reports why it failed", async () => {
    expect(await speak("sim-speech?faults=401")).toMatchObject({
      recording: null,
      error: "unauthorized",
    });
  });

  it("ends at the timeout", async () => {
    const shortly = { timeoutMs: 150, maxRetries: 0, blockedMs: 0 };
    const model = route("sim-speech?faults=slow-body");
    const reply = await port().speak(model, "Can I run?", shortly, endpointMemory());
    expect(reply).toMatchObject({ recording: null, error: "timeout" });
  });
});

describe("a provider that is no longer configured", () => {
  it("throws an error", async () => {
    const gone = { provider: "gone", model: "m" };
    await expect(port().ask(gone, request, limits, endpointMemory())).rejects.toThrow(
      /no longer has a key/,
    );
  });
});

describe("the providers' own interfaces", () => {
  const aliases = {
    "claude-opus-5-5": { model: "sim-judge-c" },
    "gemini-3.8-flash": { model: "sim-judge-c" },
    "gpt-6-luna": { model: "sim-judge-a", ends: "2100-01-01" },
    "gpt-5-luna": { model: "sim-judge-a", ends: "2026-01-01" },
    "text-embedding-3-small": { model: "sim-embedding" },
  };

  /** A deployment whose providers are all simulated. */
  async function home() {
    const host = await startSimulator({ latencyScale: 0, apiKey: key, aliases });
    onTestFinished(() => host.close());
    const providers = {
      openai: { baseUrl: host.baseUrl },
      anthropic: { baseUrl: host.baseUrl, protocol: "messages" },
      google: { baseUrl: `${host.url}/v1beta`, protocol: "generate_content" },
    };
    const keys = ["OPENAI", "ANTHROPIC", "GOOGLE"].map((name) => [`JUDGE_KEY_${name}`, key]);
    const around = { now: () => Date.now(), sleep: async () => {}, random: () => 0 };
    const client = judgeClient({ JUDGES: { providers }, ...Object.fromEntries(keys) }, around);
    const ask = async (provider: string, model: string) => {
      const reply = await client.ask({ provider, model }, request, limits, endpointMemory());
      if (reply.kind !== "answer") throw new Error("postponed");
      return reply.answer;
    };
    return { ...host, client, ask };
  }

  it.each([
    ["openai", "gpt-6-luna", "/v1/chat/completions"],
    ["anthropic", "claude-opus-5-5", "/v1/messages"],
    ["google", "gemini-3.8-flash", "/v1beta/models/gemini-3.8-flash:"],
  ])("of %s enforce the schema of a judgment", async (provider, model, path) => {
    const { ask, log } = await home();
    const answer = await ask(provider, model);
    expect(readReply(empathy, answer).ok).toBe(true);
    expect(answer.structuredMode).toBe("json_schema_strict");
    expect(log.entries[0]?.path).toContain(path);
  });

  it.each(["openai", "anthropic", "google"])("of %s report an unknown model", async (of) => {
    const { ask } = await home();
    const read = readReply(empathy, await ask(of, "gpt-5-luna"));
    expect(read).toMatchObject({ ok: false, error: { reason: "no_such_model" } });
  });

  it("list models, with the retirement date if it is known", async () => {
    const { client } = await home();
    const luna = { id: "gpt-6-luna", ends: "2100-01-01", replacement: null };
    expect(await client.list("openai")).toContainEqual(luna);
    // Anthropic and Google give no date.
    expect(await client.list("anthropic")).toContainEqual({ ...luna, ends: null });
    const list = await client.list("google");
    expect(list).toContainEqual({ ...luna, ends: null });
    expect(JSON.stringify(list)).not.toContain("gpt-5-luna");
  });

  it("report why models can't be listed, without the key", async () => {
    const { url } = await home();
    const client = judgeClient(
      { JUDGES: { providers: { openai: { baseUrl: `${url}/nowhere` } } }, JUDGE_KEY_OPENAI: key },
      { now: () => Date.now(), sleep: async () => {}, random: () => 0 },
    );
    const result = await client.list("openai");
    expect(result).toMatch(/^not_found: /);
    expect(result).not.toContain(key);
  });

  it("use the deployment's price, or the maker's price at the maker's own URL", () => {
    const priceAt = (baseUrl: string | null, prices: object = {}) =>
      judgeClient(
        {
          JUDGES: { prices, providers: baseUrl === null ? {} : { openai: { baseUrl } } },
          JUDGE_KEY_OPENAI: key,
        },
        { now: () => Date.now(), sleep: async () => {}, random: () => 0 },
      ).priceOf(defaultModels.logic);
    const own = { inputPerMillion: 1, outputPerMillion: 2 };
    expect(priceAt(null)).toEqual(defaultPrices[defaultModels.logic.model]);
    expect(priceAt("https://judges.acme.example/v1")).toBeUndefined();
    const priced = { [defaultModels.logic.model]: own };
    expect(priceAt("https://judges.acme.example/v1", priced)).toEqual(own);
  });

  it("of Google use the OpenAI-compatible path for embeddings", async () => {
    const called: string[] = [];
    vi.stubGlobal("fetch", async (url: string) => {
      called.push(url);
      return Response.json({ error: { message: "no" } }, { status: 400 });
    });
    const client = judgeClient(
      { JUDGE_KEY_GOOGLE: key },
      { now: () => Date.now(), sleep: async () => {}, random: () => 0 },
    );
    const google = { provider: "google", model: "gemini-embedding-001" };
    await client.embed(google, ["a", "b"], limits, endpointMemory());
    expect(called).toEqual(["https://generativelanguage.googleapis.com/v1beta/openai/embeddings"]);
  });
});
