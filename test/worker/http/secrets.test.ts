import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { platformOf } from "../../../api/index.ts";
import { judgeClient } from "../../../api/providers/judges.ts";
import { keyIdOf, sealer } from "../../../api/security/seal.ts";
import { judgments } from "../../../shared/judges/__fixtures__/judgments.ts";
import { anApp } from "../support/client.ts";
import { allObjects, allRows } from "../support/everything-kept.ts";
import { judgedHarness, judgedRun } from "../support/fake-judges.ts";
import { harness, relayDataset, submitRun } from "../support/harness.ts";

const apiKey = "sk-live+/=&plain-secret-0123456789";
const headers = {
  "x-api-key": "gateway secret/42+~",
  "cf-aig-authorization": "Bearer aig-plain-99",
};
const secrets = [apiKey, "gateway secret/42+~", "aig-plain-99"];

const base64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

const hex = (text: string) => [...text].map((c) => c.charCodeAt(0).toString(16)).join("");

/** Texts that must not appear anywhere: each secret, plain and in base64, JSON and URLs. */
const needles = secrets.flatMap((secret) => {
  const long = secret === apiKey ? [secret.slice(0, 20), secret.slice(20), hex(secret)] : [];
  const plain = base64(secret).replace(/=+$/, "").slice(0, -1);
  const named = base64(`Bearer ${secret}`).replace(/=+$/, "").slice(12, -1);
  const spelled = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];
  return [...long, ...spelled, plain, named, plain.replaceAll("+", "-").replaceAll("/", "_")];
});

const found = (text: string) => {
  const unescaped = text.replace(/\\+u00([0-9a-f]{2})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return needles.filter((needle) => unescaped.toLowerCase().includes(needle.toLowerCase()));
};

/** All headers and secrets of a request, plain and encoded, as a hostile endpoint would repeat them. */
function echoOf(request: Request, known: readonly string[] = secrets): string {
  const sent = [...request.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
  const spelled = known.flatMap((secret) => [
    secret,
    base64(secret),
    base64(`Bearer ${secret}`),
    encodeURIComponent(secret),
  ]);
  return [sent, ...spelled].join(" ");
}

const json = (body: unknown, status = 200, more: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json", ...more },
  });

const message = (content: object) =>
  json({ choices: [{ finish_reason: "stop", message: content }] });

/** Every character as a JSON escape, which a parser decodes. */
const jsonEscaped = (text: string): string =>
  text.replace(/[a-z0-9]/gi, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);

const percentEscaped = (text: string): string =>
  text.replace(/[^a-z]/gi, (char) => `%${char.charCodeAt(0).toString(16).padStart(2, "0")}`);

/** Responses that repeat the request in different ways, used one after another. */
const echoes: ((echo: string) => Response)[] = [
  (echo) => message({ content: echo }),
  (echo) => message({ refusal: echo }),
  (echo) => message({ tool_calls: [{ function: { name: echo, arguments: `{"${apiKey}": 1}` } }] }),
  (echo) => message({ tool_calls: [{ function: { name: "f", arguments: { deep: [echo] } } }] }),
  (echo) => json({ choices: [{ finish_reason: echo, message: { content: "x" } }], source: echo }),
  () =>
    json({ choices: [{ message: { content: "x" } }] }, 200, {
      "x-inference-source": apiKey,
      "x-request-id": apiKey,
    }),
  (echo) =>
    json({
      id: echo,
      object: echo,
      created: echo,
      model: echo,
      service_tier: echo,
      system_fingerprint: echo,
      usage: { prompt_tokens: 1, completion_tokens: 1, [echo]: echo },
      choices: [
        {
          index: echo,
          finish_reason: echo,
          logprobs: { content: [{ token: echo, logprob: -1, bytes: [], top_logprobs: [] }] },
          message: { role: echo, content: echo, refusal: echo, reasoning_content: echo },
        },
      ],
      [echo]: { deep: [echo] },
    }),
  (echo) => message({ content: jsonEscaped(echo) }),
  (echo) => message({ content: JSON.stringify(jsonEscaped(echo)) }),
  (echo) =>
    message({ content: [...echo].map((c) => `&#x${c.charCodeAt(0).toString(16)};`).join("") }),
  (echo) => message({ content: percentEscaped(jsonEscaped(echo)) }),
  () => message({ content: hex(apiKey) }),
  () => message({ content: apiKey.toUpperCase(), refusal: null }),
  () =>
    message({ tool_calls: [{ function: { name: "f", arguments: jsonEscaped(`["${apiKey}"]`) } }] }),
  () => message({ content: apiKey.slice(0, 20), refusal: apiKey.slice(20) }),
  (echo) => json({ error: { message: echo, param: echo, code: echo, type: echo } }, 400),
  (echo) => json({ error: { message: "x".repeat(480) + echo } }, 401),
  (echo) => new Response(echo, { status: 403 }),
  (echo) => json({ error: echo }, 404),
  (echo) => json({ detail: [{ msg: echo }] }, 422),
  (echo) => json({ error: { message: echo } }, 429),
  (echo) => new Response(`<pre>${echo}</pre>`, { status: 500 }),
  (echo) => new Response(echo, { status: 200, headers: { "content-type": "text/html" } }),
  (echo) =>
    new Response(`{"choices": ["${echo}`, { headers: { "content-type": "application/json" } }),
  () =>
    new Response(null, { status: 302, headers: { location: `https://x.example/?k=${apiKey}` } }),
  () => {
    throw new TypeError(`invalid header value "${apiKey}"`);
  },
];

const levels = ["log", "info", "debug", "warn", "error", "trace"] as const;

describe("a run whose endpoint repeats the run's secrets in every way", () => {
  it("leaves them in no table, object, log line, message or reply", {
    timeout: 60_000,
  }, async () => {
    const logged = levels.map((level) => vi.spyOn(console, level).mockImplementation(() => {}));
    const { platform, deliverAll } = harness({ ask: platformOf({ ...env } as never).ask });
    const sent = [vi.spyOn(platform.queues, "lanes"), vi.spyOn(platform.queues, "finish")];
    let requests = 0;
    vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
      const request = new Request(input as RequestInfo, init as RequestInit);
      expect(request.headers.get("authorization")).toBe(`Bearer ${apiKey}`);
      return (echoes[requests++ % echoes.length] as (echo: string) => Response)(echoOf(request));
    });

    const app = anApp(platform);
    const replies: string[] = [];
    const call = async (path: string, body?: unknown) => {
      const init = { method: "POST", headers: { "content-type": "application/json" } };
      const response = await app.request(
        `http://assay.test${path}`,
        body === undefined ? {} : { ...init, body: JSON.stringify(body) },
      );
      const text = await response.text();
      replies.push([...response.headers].join("\n"), text);
      return text;
    };

    const endpoint = { baseUrl: "http://127.0.0.1:8790/v1", model: "m", apiKey, headers };
    const submission = (change: object) => ({
      suite: "relay",
      dataset,
      models: [{ name: "Echo", slug: "local/echo", endpoint: { ...endpoint, ...change } }],
      options: { maxRetries: 0, concurrency: 3 },
    });
    const dataset = await relayDataset(platform, 3 * echoes.length);
    for (const change of [
      { apiKey: `${apiKey}\n` },
      { apiKey: 7 },
      { headers: { ...headers, Host: apiKey } },
      { headers: { "x-a": `${apiKey}\u0000` } },
      { baseUrl: `https://me:${encodeURIComponent(apiKey)}@api.example.com/v1` },
    ]) {
      expect(await call("/v1/submissions", submission(change))).toContain("invalid-request");
    }
    await call("/v1/submissions?dryRun=true", submission({}));
    const created = JSON.parse(await call("/v1/submissions", submission({})));
    const run = created.runs[0].id;
    expect(found(await allRows())).toEqual([]);
    await deliverAll();

    expect(await platform.runs.get(run)).toMatchObject({ status: "finished", sealedSecrets: null });
    expect(requests).toBeGreaterThan(3 * echoes.length);
    const before = requests;
    await call(`/v1/runs/${run}/retry`, { endpoint: { apiKey, headers } });
    expect(found(await allRows())).toEqual([]);
    await deliverAll();
    expect(requests).toBeGreaterThan(before);
    for (const path of [
      `/v1/submissions/${created.id}`,
      `/v1/runs/${run}`,
      `/v1/runs/${run}/samples`,
      `/v1/runs/${run}/samples.csv`,
      `/v1/runs/${run}/samples/none`,
      `/v1/leaderboard?suite=relay&dataset=${dataset}`,
      `/v1/leaderboard.csv?suite=relay&dataset=${dataset}`,
      "/v1/snapshot",
      "/badge/local/echo.svg",
      "/badge/local/echo.json",
    ]) {
      await call(path);
    }
    const samples = await Promise.all(
      Array.from({ length: 3 * echoes.length }, (_, i) => call(`/v1/runs/${run}/samples/s${i}`)),
    );
    expect(samples.join()).toContain("[redacted]");
    expect(found(replies.join("\n"))).toEqual([]);
    expect(found(await allRows())).toEqual([]);
    expect(found(await allObjects())).toEqual([]);
    const lines = [...logged, ...sent].flatMap(({ mock }) => mock.calls as unknown[][]);
    expect(
      found(lines.map((line) => line.map(String).join() + JSON.stringify(line)).join()),
    ).toEqual([]);
  });
});

describe("a run whose judges repeat the deployment's keys in every field", () => {
  it("leaves them in no table, object or log line", async () => {
    const logged = levels.map((level) => vi.spyOn(console, level).mockImplementation(() => {}));
    const keys = {
      JUDGE_KEY_OPENAI: apiKey,
      JUDGE_KEY_ANTHROPIC: apiKey,
      JUDGE_KEY_GOOGLE: apiKey,
    };
    const around = { now: Date.now, sleep: async () => {}, random: () => 0 };
    const rig = judgedHarness(
      judgeClient({ JUDGES: JSON.stringify({ maxRetries: 0 }), ...keys }, around),
    );
    let requests = 0;
    vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
      const request = new Request(input as RequestInfo, init as RequestInit);
      const echo = echoOf(request, [apiKey]);
      const body = (await request.json()) as {
        response_format?: { json_schema?: { name: string } };
      };
      const metric = body.response_format?.json_schema?.name ?? "";
      const judgment = judgments[metric]?.judgment as object | undefined;
      requests += 1;
      if (request.url.endsWith("/embeddings")) {
        const data = [0, 1].map((index) => ({ index, embedding: [1, index], object: echo }));
        return json({ object: echo, model: echo, data, usage: { prompt_tokens: 1, [echo]: 1 } });
      }
      const echoed = {
        ...judgment,
        reasoning: jsonEscaped(echo),
        explanation: echo,
        [echo]: [echo],
      };
      const odd = echoes[requests % echoes.length] as (echo: string) => Response;
      if (judgment === undefined || requests % 3 === 0) return odd(echo);
      return json({
        id: echo,
        model: echo,
        system_fingerprint: echo,
        choices: [
          { finish_reason: "stop", message: { role: echo, content: JSON.stringify(echoed) } },
        ],
      });
    });
    const { run } = await judgedRun(rig, {}, undefined, 4);
    expect((await rig.platform.runs.get(run))?.status).toBe("finished");
    const kept = await allObjects();
    expect(kept).toContain("[redacted]");
    expect(found(await allRows())).toEqual([]);
    expect(found(kept)).toEqual([]);
    const lines = logged.flatMap(({ mock }) => mock.calls as unknown[][]);
    expect(found(lines.map((line) => line.map(String).join()).join())).toEqual([]);
  });
});

describe("a run whose sealed key can't be opened", () => {
  const sealedBy = async (master: string) => {
    const sealing = harness({ sealer: sealer(master) });
    const run = await submitRun(sealing.platform, await relayDataset(sealing.platform, 3));
    return { run, mail: sealing.mail };
  };

  async function carried(master: string, previous: string) {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const { run, mail } = await sealedBy("replaced");
    const { platform, mail: own, deliverAll } = harness({ sealer: sealer(master, previous) });
    own.evaluate.push(...mail.evaluate);
    await deliverAll();
    return platform.runs.get(run);
  }

  it("fails with advice for the operator, and deletes the key", async () => {
    const run = await carried("newest", "");
    expect(run).toMatchObject({ status: "failed", sealedSecrets: null });
    expect(run?.statusReason).toContain(keyIdOf("replaced"));
    expect(run?.statusReason).toContain("SECRETS_KEY_PREVIOUS");
    expect(run?.statusReason).not.toMatch(/sk-plain-secret|newest/);
  });

  it("continues if the replaced secret is still configured", async () => {
    expect(await carried("newest", "older, replaced")).toMatchObject({
      status: "finished",
      done: 3,
    });
  });
});
