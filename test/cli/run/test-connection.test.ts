import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Check } from "../../../shared/contracts/submissions/connection.ts";
import { type Simulator, startSimulator } from "../../../simulator/start-simulator.ts";
import { assay } from "../support/assay.ts";
import { fakeService } from "../support/fake-service.ts";
import { folderWith } from "../support/folder-with.ts";

const folder = folderWith({});
let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({ latencyScale: 0, apiKey: "sk-good" });
});
afterAll(async () => {
  await simulator.close();
  folder.dispose();
});

async function tried(model: string, endpoint = simulator.baseUrl, key: string | null = "sk-good") {
  if (key !== null) vi.stubEnv("MODEL_KEY", key);
  const { code, stdout, stderr } = await assay(folder.path, [
    "test-connection",
    "--endpoint",
    endpoint,
    "--model",
    model,
    "--json",
    ...(key === null ? [] : ["--api-key-env", "MODEL_KEY"]),
  ]);
  const { passed, endpoints } = JSON.parse(stdout);
  const checks: Check[] = endpoints[0].checks;
  const outcomes = Object.fromEntries(checks.map(({ id, outcome }) => [id, outcome]));
  const failed = checks.find(({ outcome }) => outcome === "failed");
  return { code, passed, outcomes, checks, failed, latency: endpoints[0].latency, stderr, stdout };
}

describe("assay test-connection", () => {
  it("detects every feature of a capable endpoint", async () => {
    const { code, passed, outcomes, latency } = await tried("sim-vllm");
    expect([code, passed]).toEqual([0, true]);
    const { dns, thoughts, effort, ...others } = outcomes;
    expect([dns, thoughts, effort]).toEqual(["skipped", "no", "no"]);
    expect(Object.keys(others)).toEqual([
      "tcp",
      "http",
      "models",
      "protocol",
      "chat",
      "usage",
      "json_schema_strict",
      "json_schema",
      "structured_outputs",
      "guided_json",
      "json_object",
      "none",
      "tools",
      "parallel_tools",
      "logprobs",
      "stream",
    ]);
    expect(new Set(Object.values(others))).toEqual(new Set(["ok"]));
    expect(latency).toMatchObject({ n: 5, asked: 5, rateLimits: {} });
    expect(latency.minMs).toBeLessThanOrEqual(latency.medianMs);
    expect(latency.medianMs).toBeLessThanOrEqual(latency.maxMs);
  });

  it("reports missing features and adapts its parameters to the endpoint", async () => {
    const basic = await tried("sim-basic");
    expect([basic.code, basic.outcomes]).toMatchObject([
      0,
      { json_schema_strict: "no", json_schema: "no", json_object: "ok", none: "ok" },
    ]);
    const reasoning = await tried("sim-reasoning");
    expect([reasoning.code, reasoning.outcomes]).toMatchObject([
      0,
      { chat: "ok", maxTokens: "ok", temperature: "ok", logprobs: "no", json_schema_strict: "ok" },
    ]);
    const hints = reasoning.checks.flatMap(({ hint }) => hint ?? []);
    expect(hints).toContain("max_tokens_param: max_completion_tokens in the config");
    expect(hints).toContain("temperature: null in the config leaves it out");
  });

  it("prints a table with hints by default", async () => {
    vi.stubEnv("MODEL_KEY", "sk-good");
    const { code, stdout, stderr } = await assay(
      folder.path,
      `test-connection --base-url ${simulator.baseUrl} --model sim-tyni --api-key-env MODEL_KEY`,
    );
    expect(code).toBe(1);
    const lines = stdout.split("\n");
    expect(lines.some((line) => /^Model listed +no +sim-tyni is not in/.test(line))).toBe(true);
    expect(lines).toContain("    → did you mean sim-tiny?");
    expect(stdout).not.toContain("\x1b");
    expect(stderr).toMatch(
      /^sim-tyni cannot be evaluated: 404: The model `sim-tyni` does not exist/,
    );
  });

  it.each<[string, () => Promise<Awaited<ReturnType<typeof tried>>>, string, RegExp]>([
    [
      "an address without /v1",
      () => tried("sim-tiny", simulator.url),
      "http",
      /^give the address with \/v1: http:\/\/127\.0\.0\.1:\d+\/v1$/,
    ],
    ["no key", () => tried("sim-tiny", undefined, null), "key", /^it requires a key: /],
    [
      "a wrong key",
      () => tried("sim-tiny", undefined, "sk-wrong"),
      "key",
      /^the key is wrong, expired or for another provider/,
    ],
    [
      "a closed port",
      () => tried("sim-tiny", "http://127.0.0.1:9/v1"),
      "tcp",
      /^nothing listens on port 9: /,
    ],
    ["an unknown name", () => tried("sim-tiny", "http://nowhere.invalid/v1"), "dns", /./],
    [
      "https for an http port",
      () => tried("sim-tiny", simulator.baseUrl.replace("http:", "https:")),
      "tls",
      /^the port may expect http/,
    ],
  ])("recognizes %s and prints a hint", async (_, attempt, id, hint) => {
    const { code, passed, failed, latency, stdout, stderr } = await attempt();
    expect([code, passed, latency]).toEqual([1, false, null]);
    expect(failed?.id).toBe(id);
    expect(failed?.hint).toMatch(hint);
    expect(stdout + stderr).not.toContain("sk-wrong");
  });

  it("redacts a key that an endpoint quotes in an error, an answer, a name or a header", async () => {
    const key = "sk-live-0123456789-abcdef";
    const headers = { "content-type": "application/json", "x-ratelimit-of": key };
    let status = 200;
    await using endpoint = await fakeService(({ call }) => {
      if (status !== 200) return { status, headers, body: { error: { message: `bad ${key}` } } };
      const message = { role: "assistant", content: `You sent ${btoa(key)} and ${key}` };
      return call.endsWith("/models")
        ? { headers, body: { data: [{ id: "m" }, { id: key }] } }
        : { headers, body: { choices: [{ index: 0, finish_reason: "stop", message }] } };
    });
    for (status of [200, 400, 401, 500]) {
      for (const model of ["m", "n"]) {
        const { stdout, stderr } = await tried(model, `${endpoint.url}/v1`, key);
        expect(stdout + stderr).not.toContain(key);
        expect(stdout + stderr).not.toContain(btoa(key).slice(0, 20));
        expect(stdout + stderr).toContain("[redacted]");
      }
    }
  });

  it("shows rate limits, and sends no authorization header without a key", async () => {
    const choice = {
      index: 0,
      finish_reason: "stop",
      message: { role: "assistant", content: "{}" },
    };
    await using endpoint = await fakeService(({ call }) =>
      call.endsWith("/models")
        ? { body: { data: [{ id: "m" }] } }
        : {
            headers: { "x-ratelimit-remaining-requests": "59", "content-type": "application/json" },
            body: { choices: [choice] },
          },
    );
    const { code, latency, outcomes } = await tried("m", `${endpoint.url}/v1`, null);
    expect(code).toBe(0);
    expect(latency.rateLimits).toEqual({ "x-ratelimit-remaining-requests": "59" });
    expect(outcomes).toMatchObject({ json_schema_strict: "no", tools: "no", logprobs: "no" });
    expect(endpoint.asked.some(({ headers }) => "authorization" in headers)).toBe(false);
  });

  it("retries after a 429 and reports a feature that stays rate-limited as not known", async () => {
    const limited = { status: 429, headers: { "retry-after": "0" }, body: { error: "slow down" } };
    const message = { role: "assistant", content: "{}" };
    let calls = 0;
    await using endpoint = await fakeService(({ body }) => {
      const isProbe = JSON.stringify(body ?? {}).includes("get_weather");
      if (isProbe || calls++ % 2 === 0) return limited;
      return { body: { data: [{ id: "m" }], choices: [{ index: 0, message }] } };
    });
    const { code, checks } = await tried("m", `${endpoint.url}/v1`, null);
    expect(code).toBe(0);
    const found = checks.filter(({ detail }) => detail.includes("429"));
    expect(found.map(({ id, outcome }) => [id, outcome])).toEqual([
      ["tools", "skipped"],
      ["parallel_tools", "skipped"],
    ]);
    expect(found[0]?.detail).toMatch(/^not known: rate limited, 429: /);
  });

  it("describes errors without a message and closed connections", async () => {
    await using endpoint = await fakeService(({ call }) =>
      call.endsWith("/models") ? { body: { data: [{ id: "m" }] } } : { status: 500, body: "" },
    );
    expect((await tried("m", `${endpoint.url}/v1`, null)).failed?.detail).toBe("500: no message");
    const closing = createServer((socket) => socket.destroy());
    await once(closing.listen(0, "127.0.0.1"), "listening");
    const { port } = closing.address() as AddressInfo;
    const { failed } = await tried("m", `http://127.0.0.1:${port}/v1`, null);
    closing.close();
    expect(failed?.detail).toContain("the connection was closed without an answer (");
  });

  it.each([
    ["responses", {}],
    ["messages", { logprobs: "no" }],
    ["generate_content", { logprobs: "no" }],
  ])("supports the API %s", async (protocol, lacking) => {
    vi.stubEnv("MODEL_KEY", "sk-good");
    const url = simulator.baseUrl.replace(/v1$/, protocol === "generate_content" ? "v1beta" : "v1");
    const { code, stdout } = await assay(
      folder.path,
      `test-connection --endpoint=${url} --model=sim-vllm?thoughts=field --protocol=${protocol} --api-key-env=MODEL_KEY --json`,
    );
    const [tested] = JSON.parse(stdout).endpoints;
    const outcomes = Object.fromEntries(
      tested.checks.map(({ id, outcome }: Check) => [id, outcome]),
    );
    expect([code, tested.protocol]).toEqual([0, protocol]);
    expect(outcomes).toMatchObject({
      chat: "ok",
      thoughts: "ok",
      usage: "ok",
      json_schema_strict: "ok",
      tools: "ok",
      stream: "ok",
      ...lacking,
    });
  });

  it("detects thoughts that appear only with a reasoning effort", async () => {
    const headers = { "content-type": "application/json" };
    await using endpoint = await fakeService(({ call, body }) => {
      if (call.startsWith("GET")) return { headers, body: { data: [{ id: "m" }] } };
      const { reasoning_effort: effort } = body as { reasoning_effort?: string };
      const thoughts = effort === "low" ? { reasoning_content: "A greeting." } : {};
      const message = { role: "assistant", content: "Hello", ...thoughts };
      return { headers, body: { choices: [{ index: 0, finish_reason: "stop", message }] } };
    });
    const { code, stdout } = await assay(folder.path, [
      "test-connection",
      `--endpoint=${endpoint.url}/v1`,
    ]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/Interface +ok +chat_completions/);
    expect(stdout).toMatch(/Thoughts +no +none/);
    expect(stdout).toMatch(/Thoughts with an effort +ok .*apart from the text/);
    expect(stdout).toContain("\n  # reasoning_effort: low");
  });

  it("chooses a listed model, detects the API and prints a config", async () => {
    const headers = { "content-type": "application/json" };
    await using endpoint = await fakeService(({ call }) => {
      if (call.startsWith("GET")) {
        return { headers, body: { data: [{ id: "embed-1" }, { id: "claude-9" }] } };
      }
      if (call !== "POST /v1/messages") {
        return { status: 404, headers, body: { error: { message: "no route" } } };
      }
      return {
        headers,
        body: {
          type: "message",
          model: "claude-9",
          content: [{ type: "text", text: "Hello" }],
          stop_reason: "end_turn",
          usage: { input_tokens: 9, cache_read_input_tokens: 4, output_tokens: 1 },
        },
      };
    });
    const { code, stdout } = await assay(folder.path, [
      "test-connection",
      `--endpoint=${endpoint.url}/v1`,
    ]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/Interface +ok +messages, not chat_completions/);
    expect(stdout).toMatch(/Token counts +ok +13 in, 1 out, 4 from a cache/);
    expect(stdout.split("\n\n").at(-1)).toBe(
      `model:\n  name: "claude-9"\n  base_url: ${endpoint.url}/v1\n  protocol: messages\n  structured_output: none # none: not asked for\n`,
    );
  });

  it.each([
    ["enforces", true, "constrained", "structured_output: auto # json_schema_strict: constrained"],
    ["ignores", false, "ignored", "structured_output: json_object # json_object: asked for"],
  ])(
    "detects that an endpoint %s schemas even if the model follows the prompt",
    async (...example) => {
      const [, isEnforced, word, line] = example;
      const headers = { "content-type": "application/json" };
      await using endpoint = await fakeService(({ call, body }) => {
        if (call.startsWith("GET")) return { headers, body: { data: [{ id: "m" }] } };
        const { messages, response_format: format } = body as {
          messages: object[];
          response_format?: { json_schema?: { strict?: boolean } };
        };
        const isProbe = /greeting/.test(JSON.stringify(messages));
        const told = isProbe
          ? '{"greeting":"hello"}'
          : '{"name":"Mia Berg","city":"Oslo","age":34}';
        const isHeld = isEnforced && isProbe && format?.json_schema?.strict === true;
        const content = isHeld ? '{"colour":"teal"}' : told;
        const choice = { index: 0, finish_reason: "stop", message: { role: "assistant", content } };
        return { headers, body: { choices: [choice] } };
      });
      const { code, stdout } = await assay(folder.path, [
        "test-connection",
        `--endpoint=${endpoint.url}/v1`,
      ]);
      expect(code).toBe(0);
      expect(stdout).toMatch(new RegExp(`JSON schema, strict +(ok|no) .*${word}`));
      expect(stdout).toMatch(/JSON schema +no .*ignored/);
      expect(stdout).toMatch(/Schema in the prompt +ok/);
      expect(stdout.split("\n\n").at(-1)).toContain(`\n  ${line}\n`);
    },
  );

  it("suggests a gateway for an endpoint that requires signed requests", async () => {
    const endpoint = "https://bedrock-runtime.eu-west-1.amazonaws.com/model/m";
    const { code, stdout } = await assay(
      folder.path,
      `test-connection --endpoint ${endpoint} --model m --json`,
    );
    expect(code).toBe(1);
    expect(JSON.parse(stdout).endpoints[0].checks).toEqual([
      expect.objectContaining({
        id: "address",
        outcome: "failed",
        detail: "takes requests that are each signed, which Assay does not do",
        hint: expect.stringMatching(/^give the address of a gateway .*\/openai\/v1/),
      }),
    ]);
  });

  it("tests all models of a config", async () => {
    vi.stubEnv("MODEL_KEY", "sk-good");
    const file = join(folder.path, "two.yaml");
    const common = `base_url: "${simulator.baseUrl}", api_key_env: MODEL_KEY`;
    writeFileSync(
      file,
      `models:\n  - { name: One, model: sim-instant, ${common} }\n  - { name: no-such, ${common} }\n`,
    );
    const { code, stdout } = await assay(folder.path, `test-connection --config ${file} --json`);
    const { endpoints } = JSON.parse(stdout);
    expect(code).toBe(1);
    expect(endpoints.map((one: { usable: boolean }) => one.usable)).toEqual([true, false]);
  });

  it.each([
    [["--model", "m"], "give --endpoint URL, or --config FILE"],
    [
      ["--endpoint", "http://localhost/v1", "--protocol", "grpc"],
      "--protocol must be one of chat_completions, responses, messages, generate_content",
    ],
    [["--model", "m", "--endpoint", "here"], /^--endpoint must be an address such as/],
    [
      ["--model", "m", "--endpoint", "http://me:sk-1@localhost/v1"],
      "--endpoint must not contain a user name or password: remove them, and give a key with --api-key-env",
    ],
    [["http://localhost/v1"], /; did you mean --endpoint http:\/\/localhost\/v1\?$/],
    [["--config", "/none.yaml"], "/none.yaml: there is no such file"],
    [["--config", "/a.yaml", "--model", "m"], "--model and --config exclude each other"],
    [["--endpont", "x"], "unknown flag --endpont; did you mean --endpoint?"],
    [
      ["--endpoint", "http://localhost/v1", "--model", "m", "--timeout", "soon"],
      '--timeout must be seconds above 0 and up to 600, not "soon"',
    ],
  ])("refuses %j", async (args, message) => {
    const { code, stderr } = await assay(folder.path, ["test-connection", ...args]);
    expect(code).toBe(2);
    expect(stderr.trimEnd()).toEqual(
      typeof message === "string" ? message : expect.stringMatching(message),
    );
  });
});
