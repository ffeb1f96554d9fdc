import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { platformOf } from "../../../api/index.ts";
import type { Connection } from "../../../shared/contracts/submissions/connection.ts";
import { problemOf, serve } from "../support/client.ts";
import { allObjects, allRows } from "../support/everything-kept.ts";
import { anAccount, harness } from "../support/harness.ts";

const apiKey = "sk-live-0123456789-abcdefgh";
const baseUrl = "https://models.acme.dev/v1";

/** A service with production settings whose fetches are answered by `reply`, and the requests it sent. */
function production(reply: (request: Request) => Response | Promise<Response>) {
  const closed = {
    ...(env as object),
    ALLOW_PRIVATE_ENDPOINTS: "false",
    OWN_HOSTS: "assay.example",
  };
  const { connect, settings } = platformOf(closed as never);
  const { platform } = harness({ connect, settings });
  const sent: Request[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const request = new Request(input as RequestInfo, init as RequestInit);
    sent.push(request.clone() as Request);
    return reply(request);
  });
  const api = serve(platform, { key: anAccount("acme") });
  const test = (endpoint: object, key = "key") =>
    api.post("/v1/connections", { endpoint }, { authorization: `Bearer ${key}` });
  const tested = async (endpoint: object): Promise<Connection> =>
    (await (await test({ baseUrl, apiKey, ...endpoint })).json()) as Connection;
  return { test, tested, sent };
}

const json = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });

/** A model that answers everything with "Hello". */
const hello = ({ method }: Request) =>
  method === "GET"
    ? json({ data: [{ id: "embed-1" }, { id: "m" }, { id: "n" }] })
    : json({
        choices: [{ index: 0, finish_reason: "stop", message: { content: "Hello" } }],
        usage: { prompt_tokens: 3, completion_tokens: 1 },
      });

const outcomesOf = ({ checks }: Connection) =>
  Object.fromEntries(checks.map(({ id, outcome }) => [id, outcome]));

describe("POST /v1/connections", () => {
  it.each([
    ["getaddrinfo ENOTFOUND models.acme.dev", "check the spelling of models.acme.dev"],
    ["connect ECONNREFUSED 192.0.2.1:443", "nothing answers at models.acme.dev"],
  ])("gives a hint for an address that fails with %s", async (message, hint) => {
    const { tested } = production(() => Promise.reject(new TypeError(message)));
    const { checks } = await tested({ model: "m" });
    expect(checks).toEqual([
      expect.objectContaining({ id: "http", outcome: "failed", hint: expect.stringMatching(hint) }),
    ]);
  });

  it("reports the abilities of a model after fewer than 25 requests", async () => {
    const { tested, sent } = production(hello);
    const found = await tested({ model: "m" });
    expect(found).toMatchObject({ usable: true, model: "m", models: ["embed-1", "m", "n"] });
    expect(outcomesOf(found)).toMatchObject({ models: "ok", chat: "ok", usage: "ok", tools: "no" });
    expect(found.latency).toMatchObject({ n: 5, asked: 5 });
    expect(sent.length).toBeLessThan(25);
    const keys = sent.map(({ headers }) => headers.get("authorization"));
    expect(new Set(keys)).toEqual(new Set([`Bearer ${apiKey}`]));
  });

  it("lists the models with a single request if none is named", async () => {
    const { tested, sent } = production(hello);
    const found = await tested({});
    expect(found).toMatchObject({ usable: false, latency: null, models: ["embed-1", "m", "n"] });
    expect(sent.map(({ method, url }) => `${method} ${url}`)).toEqual([`GET ${baseUrl}/models`]);
  });

  it.each([
    ["a refused key", () => json({ error: { message: "no such key" } }, 401), "key", /^the key is/],
    ["a missing path", () => json({ error: { message: "what?" } }, 404), "chat", /no model m/],
    [
      "a redirect",
      () => new Response(null, { status: 302, headers: { location: "http://169.254.169.254/" } }),
      "http",
      /redirects are not followed/,
    ],
  ])("gives a hint for %s", async (_, reply, id, hint) => {
    const { tested, sent } = production(reply);
    const found = await tested({ model: "m" });
    const failed = found.checks.find(({ outcome }) => outcome === "failed");
    expect([found.usable, failed?.id]).toEqual([false, id]);
    expect(failed?.hint).toMatch(hint);
    expect(sent.every(({ url }) => url.startsWith("https://models.acme.dev/"))).toBe(true);
  });

  it("sends nothing more after its time limit", async () => {
    const clock = Date.now;
    let passedMs = 0;
    const { tested, sent } = production((request) => {
      passedMs += 100_000;
      return hello(request);
    });
    vi.spyOn(Date, "now").mockImplementation(() => clock() + passedMs);
    const found = await tested({ model: "m" });
    expect(sent).toHaveLength(1);
    expect(found.checks.at(-1)).toMatchObject({
      id: "chat",
      outcome: "failed",
      detail: "not tried, because the time for a test is over",
    });
  });
});

describe("keys and addresses", () => {
  it("a key that the endpoint repeats appears in no reply, row or object", async () => {
    const logged = ["log", "warn", "error"] as const;
    const lines = logged.map((level) => vi.spyOn(console, level).mockImplementation(() => {}));
    const echo = (text: string) => json({ error: { message: `bad key ${text}` } }, 400);
    const ways: ((request: Request) => Response)[] = [
      () => echo(apiKey),
      () => echo(`${"x".repeat(280)}${apiKey}`),
      () => json({ data: [{ id: apiKey }, { id: btoa(apiKey) }] }),
      () => json({ data: [{ id: "m" }] }, 200, { "x-ratelimit-key": apiKey }),
      ({ method }) =>
        method === "GET"
          ? json({ data: [{ id: "m" }] })
          : json({ choices: [{ message: { content: apiKey } }] }, 200, { "ratelimit-of": apiKey }),
    ];
    for (const way of ways) {
      const { test } = production(way);
      const reply = await (await test({ baseUrl, apiKey, model: "m" })).text();
      expect(reply).not.toContain(apiKey);
      expect(reply).not.toContain(btoa(apiKey).slice(0, 20));
    }
    const kept = JSON.stringify([await allRows(), await allObjects()]);
    expect(kept).not.toContain(apiKey);
    expect(JSON.stringify(lines.map(({ mock }) => mock.calls))).not.toContain(apiKey);
  });

  it.each([
    "http://models.acme.dev/v1",
    "https://127.0.0.1/v1",
    "https://localhost/v1",
    "https://10.0.0.1.nip.io/v1",
    "https://metadata.google.internal/v1",
    "https://api.assay.example/v1",
    "https://models.acme.dev:6379/v1",
    "https://me:secret@models.acme.dev/v1",
  ])("no request is sent to %s", async (address) => {
    const { test, sent } = production(hello);
    const response = await test({ baseUrl: address, model: "m" });
    expect(response.status).toBe(422);
    const { errors } = await problemOf(response);
    expect(errors?.[0]?.pointer).toBe("/endpoint/baseUrl");
    expect(sent).toEqual([]);
  });

  it.each([
    ["an unknown key", { baseUrl, model: "m" }, "guess", 401],
    ["a runner", { baseUrl, model: "m", runner: "r" }, "key", 422],
    ["a forbidden header", { baseUrl, headers: { host: "x.dev" } }, "key", 422],
  ])("refuses %s", async (_, endpoint, key, status) => {
    const { test, sent } = production(hello);
    expect((await test(endpoint, key)).status).toBe(status);
    expect(sent).toEqual([]);
  });
});
