import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Platform } from "../../../api/platform/platform.ts";
import { problemOf, serve } from "../support/client.ts";
import { anAccount, answering, harness, relayDataset } from "../support/harness.ts";

const levels = ["log", "info", "debug", "warn", "error"] as const;
const accounts = { bearer_secret_1: anAccount("acme", { keyId: "key_1" }) };
const as = { authorization: "Bearer bearer_secret_1" };

let lines: string[] = [];
beforeEach(() => {
  lines = [];
  for (const level of levels) {
    vi.spyOn(console, level).mockImplementation((...args) => void lines.push(args.join(" ")));
  }
});
/** Lines of one event; every line is JSON. */
const events = (name: string) =>
  lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ event }) => event === name);

/** A service that logs requests and lanes, over HTTP with keys. */
function logged(more: Partial<Platform> = {}) {
  const rig = harness(more);
  const settings = { ...rig.platform.settings, requireApiKey: true, logsActivity: true };
  Object.assign(rig.platform, { settings });
  return { ...rig, api: serve(rig.platform, accounts) };
}

const secrets = {
  bearer: "bearer_secret_1",
  unknown: "sk-unknown-bearer-2",
  endpointKey: "sk-endpoint-key-3",
  header: "gateway-header-4",
  prompt: "the prompt of a patient 5",
  answer: "the answer to a patient 6",
  reply: "sk-quoted-by-endpoint-7",
  query: "share-token-8",
  json: "sk-in-broken-json-9",
  parameter: "sk-parameter-of-a-query-10",
  reason: "message of an error 11",
};
const leaks = () => {
  const text = lines.join("\n");
  return Object.entries(secrets).filter(([, secret]) =>
    [secret, encodeURIComponent(secret), secret.toUpperCase()].some((form) => text.includes(form)),
  );
};

const submission = (dataset: string) => ({
  suite: "relay",
  dataset,
  options: { system: secrets.prompt },
  models: [
    {
      name: "Model",
      slug: `acme/${crypto.randomUUID().slice(0, 8)}`,
      endpoint: {
        baseUrl: "https://api.acme.example/v1",
        model: "m",
        apiKey: secrets.endpointKey,
        headers: { "x-gateway": secrets.header },
      },
    },
  ],
});

describe("the log", () => {
  it("links a request to its lanes by ids of run and submission", async () => {
    const { api, platform, deliverAll } = logged();
    const body = { ...submission(await relayDataset(platform, 3)), options: {} };
    const response = await api.post("/v1/submissions", body, as);
    expect(response.status).toBe(202);
    const { id, runs } = (await response.json()) as { id: string; runs: { id: string }[] };
    const run = runs[0]?.id;
    await deliverAll();
    await api.get(`/v1/runs/${run}?reason=${secrets.query}`, as);
    expect(events("request")).toMatchObject([
      {
        requestId: response.headers.get("x-request-id"),
        method: "POST",
        route: "/v1/submissions",
        status: 202,
        account: "acme",
        key: "key_1",
        submission: id,
      },
      { method: "GET", route: "/v1/runs/:id", status: 200, run },
    ]);
    expect(events("lane")[0]).toMatchObject({
      run,
      submission: id,
      phase: "answering",
      lane: 0,
      attempt: 1,
      outcome: "complete",
    });
    expect(leaks()).toEqual([]);
  });

  it("has no secrets of invalid requests", async () => {
    const { api, platform } = logged();
    const body = submission(await relayDataset(platform, 1));
    const calls = [
      api.post("/v1/submissions", { ...body, suite: secrets.prompt }, as),
      api.post("/v1/submissions", body, { authorization: `Bearer ${secrets.unknown}` }),
      api.post("/v1/submissions", `{"apiKey": "${secrets.json}"`, as),
      api.get(`/v1/runs/run_x?token=${secrets.query}`, as),
      api.get(`/v1/nothing/${secrets.query}`, as),
      api.get(`/badge/${secrets.query}.svg`),
    ];
    const statuses = await Promise.all(calls).then((all) => all.map(({ status }) => status));
    expect(statuses.slice(0, 5)).toEqual([422, 401, 422, 422, 404]);
    expect(events("request")).toHaveLength(6);
    expect(leaks()).toEqual([]);
  });

  it("has no prompts, answers or keys when endpoints fail or repeat the request", async () => {
    const error = { class: "unauthorized" as const, message: `401: key ${secrets.reply} is wrong` };
    const asks = [
      answering(() => ({ output: secrets.answer, error: null })),
      answering(() => ({ output: null, error })),
      () => Promise.reject(new SyntaxError(`Unexpected token in "${secrets.answer}"`)),
      () => Promise.reject(new Error(`x\n    at ${secrets.reply} (a.ts:1:1)`)),
    ];
    for (const ask of asks) {
      const { api, platform, deliverAll } = logged({ ask });
      const body = { ...submission(await relayDataset(platform, 2)), options: {} };
      expect((await api.post("/v1/submissions", body, as)).status).toBe(202);
      await deliverAll();
    }
    expect(events("unit-failed").map((line) => line["error"])).toEqual([
      "SyntaxError",
      "SyntaxError",
      "Error",
      "Error",
    ]);
    expect(events("unit-failed")[0]).toHaveProperty("run");
    expect(leaks()).toEqual([]);
  });

  it("names the error but leaves out query parameters and quoted text", async () => {
    const { platform } = logged();
    const cause = new Error(`D1_ERROR: no such column "${secrets.parameter}"`);
    const failure = new Error(`Failed query: select\nparams: ${secrets.parameter}`, { cause });
    const runs = { ...platform.runs, get: () => Promise.reject(failure) };
    const failed = await serve({ ...platform, runs }, accounts).get("/v1/runs/run_1", as);
    expect(failed.status).toBe(500);
    expect((await problemOf(failed)).requestId).toBe(events("request-failed")[0]?.["requestId"]);
    expect(events("request-failed")).toMatchObject([
      { error: "Error", reason: "D1_ERROR: no such column ", at: expect.stringMatching(/^at /) },
    ]);
    expect(events("request")).toMatchObject([{ status: 500, run: "run_1" }]);
    expect(leaks()).toEqual([]);
  });

  it("names the run of a failed message", async () => {
    const { platform, mail, api, deliverAll } = logged();
    const body = { ...submission(await relayDataset(platform, 1)), options: {} };
    await api.post("/v1/submissions", body, as);
    const [message] = mail.evaluate;
    const { takeLease } = platform.runs;
    platform.runs.takeLease = () => Promise.reject(new Error(secrets.reason));
    await deliverAll();
    platform.runs.takeLease = takeLease;
    expect(events("message-failed")[0]).toMatchObject({
      kind: "lane",
      run: message?.run,
      lane: 0,
      error: "Error",
      attempts: 1,
    });
    expect(leaks()).toEqual([]);
  });

  it("has only errors if logging of activity is off", async () => {
    const { platform } = harness();
    await serve(platform).get("/v1/suites");
    expect(lines).toEqual([]);
  });
});
