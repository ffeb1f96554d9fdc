import { describe, expect, it } from "vitest";
import { createApp } from "../../../api/app.ts";
import type { Platform } from "../../../api/platform/platform.ts";
import type { Run } from "../../../shared/contracts/run.ts";
import type { Submission } from "../../../shared/contracts/submissions/submission.ts";
import { problemOf, serve } from "../support/client.ts";
import { anAccount, answering, harness, relayDataset, submitRun } from "../support/harness.ts";
import { relaySuite } from "../support/relay-suite.ts";

const accounts = {
  owner: anAccount("acme"),
  stranger: anAccount("other"),
  admin: anAccount("operator", { scopes: ["admin"] }),
};
const as = (who: string | null) => (who === null ? {} : { authorization: `Bearer ${who}` });
const key = { endpoint: { apiKey: "sk-again" } };

const error = { class: "timeout" as const, message: "late" };
const failing = answering(({ messages }) => (messages[0]?.content === "word 3" ? { error } : {}));

/** The next version of the suite, so that a run can be rescored. */
const nextVersion = { ...relaySuite, version: "2" };
const later = { all: [nextVersion], byId: () => nextVersion };

/** A finished run with one failed sample, and an API that requires keys. */
async function finishedRun(more: { models?: unknown } = {}, overrides: Partial<Platform> = {}) {
  const rig = harness({ ask: failing });
  const run = await submitRun(rig.platform, await relayDataset(rig.platform, 5), more);
  await rig.deliverAll();
  const settings = { ...rig.platform.settings, requireApiKey: true };
  const platform: Platform = { ...rig.platform, settings, ...overrides };
  const api = serve(platform, accounts);
  const act = (action: string, body?: unknown, who: string | null = "owner", headers = {}) =>
    api.post(`/v1/runs/${run}/${action}`, body, { ...as(who), ...headers });
  return { ...rig, platform, run, api, act };
}

describe("POST /v1/runs/{id}/retry", () => {
  it("answers with the run, which continues", async () => {
    const { act, run, platform, deliverAll } = await finishedRun();
    const response = await act("retry", key);
    expect(response.status).toBe(200);
    const body = await response.text();
    expect(body).not.toContain("sk-again");
    expect(JSON.parse(body) as Run).toMatchObject({
      id: run,
      status: "running",
      metrics: null,
      finishedAt: null,
      progress: { total: 5, done: 4, failed: 0 },
    });
    await deliverAll();
    expect(await platform.runs.get(run)).toMatchObject({ status: "finished", done: 5 });
  });

  it("carries out one of two concurrent requests", async () => {
    const { act } = await finishedRun();
    const both = await Promise.all([act("retry", key), act("retry", key)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  it.each([[undefined], [{}], [{ endpoint: {} }], [{ endpoint: { headers: {} } }]])(
    "requires the endpoint's key again: %j",
    async (body) => {
      const { act, platform, run } = await finishedRun();
      const response = await act("retry", body);
      expect(response.status).toBe(422);
      const { detail, errors } = await problemOf(response);
      expect(detail).toContain("they are not stored");
      expect(errors).toEqual([
        {
          pointer: "/endpoint/apiKey",
          detail: expect.stringContaining("deleted when the run ended"),
        },
      ]);
      expect((await platform.runs.get(run))?.status).toBe("finished");
    },
  );

  it("needs no body if the endpoint had no secrets", async () => {
    const endpoint = { baseUrl: "http://127.0.0.1:8790/v1", model: "m" };
    const models = [{ name: "Open", slug: "acme/open", endpoint }];
    const { api, run } = await finishedRun({ models });
    const none = as("owner");
    expect((await api.post(`/v1/runs/${run}/retry`, undefined, none)).status).toBe(200);
  });

  it("refuses a run that has not ended, was cancelled, or has no failed sample", async () => {
    const { platform, deliverAll } = harness();
    const api = serve(platform, accounts);
    const dataset = await relayDataset(platform, 3);
    const detailOf = async (run: string) => {
      const response = await api.post(`/v1/runs/${run}/retry`, key, as("owner"));
      expect(response.status).toBe(409);
      return (await problemOf(response)).detail;
    };
    const run = await submitRun(platform, dataset);
    expect(await detailOf(run)).toBe(
      "a run that is queued can't be retried: wait until it has ended",
    );
    await deliverAll();
    expect(await detailOf(run)).toBe(
      `no sample of run "${run}" failed, so there is nothing to retry`,
    );
    const cancelled = await submitRun(platform, dataset);
    await platform.runs.cancel(cancelled, platform.now());
    expect(await detailOf(cancelled)).toBe(
      "a run that is cancelled can't be retried: submit the model again",
    );
  });

  it("refuses answers made elsewhere", async () => {
    const models = [{ name: "Mine", slug: "acme/mine", answers: [{ id: "s0", output: "x" }] }];
    const { act } = await finishedRun({ models });
    const response = await act("retry");
    expect(response.status).toBe(409);
    expect((await problemOf(response)).detail).toContain("there is no endpoint to ask");
  });

  it("refuses a run whose suite has changed or was removed", async () => {
    const changed = await (await finishedRun({}, { suites: later })).act("retry", key);
    expect(changed.status).toBe(409);
    expect((await problemOf(changed)).detail).toContain(
      'suite "relay" has changed since the run (version 1, now 2)',
    );
    const suites = { all: [], byId: () => undefined };
    const gone = await (await finishedRun({}, { suites })).act("retry", key);
    expect((await problemOf(gone)).detail).toContain('"relay" is no longer part of this service');
  });

  it("refuses a rescored run, which asked no endpoint", async () => {
    const { act, api, deliverAll } = await finishedRun({}, { suites: later });
    const { runs } = (await (await act("rescore")).json()) as Submission;
    await deliverAll();
    const response = await api.post(`/v1/runs/${runs[0]?.id}/retry`, key, as("owner"));
    expect(response.status).toBe(409);
  });
});

describe("POST /v1/runs/{id}/rescore", () => {
  it("answers with a new submission, whose run names its parent", async () => {
    const { act, api, run, platform } = await finishedRun({}, { suites: later });
    const response = await act("rescore");
    expect(response.status).toBe(202);
    const created = (await response.json()) as Submission;
    expect(response.headers.get("location")).toBe(`/v1/submissions/${created.id}`);
    const read = await api.get(`/v1/submissions/${created.id}`);
    expect(await read.json()).toEqual(created);
    expect(created).toMatchObject({
      status: "queued",
      suite: "relay",
      runs: [{ status: "queued" }],
    });
    const parent = await platform.runs.get(run);
    expect(created.id).not.toBe(parent?.submissionId);
    expect(await api.run(created.runs[0]?.id ?? "")).toMatchObject({ parent: run });
    expect(await api.run(run)).toMatchObject({ parent: null, status: "finished" });
  });

  it.each([{}, { "content-type": "application/json" }])(
    "accepts a request without a body, with the headers %j",
    async (headers) => {
      const { act } = await finishedRun({}, { suites: later });
      expect((await act("rescore", undefined, "owner", headers)).status).toBe(202);
    },
  );

  it("makes a submission of the run's owner when an admin asks for it", async () => {
    const { act, platform } = await finishedRun({}, { suites: later });
    const created = (await (await act("rescore", {}, "admin")).json()) as Submission;
    expect((await platform.runs.submission(created.id))?.submission.owner).toBe("acme");
  });

  it("refuses an unfinished run and a hidden run", async () => {
    const { platform } = harness({ suites: later });
    const api = serve(platform, accounts);
    const run = await submitRun(platform, await relayDataset(platform, 3));
    const live = await api.post(`/v1/runs/${run}/rescore`, {}, as("owner"));
    expect((await problemOf(live)).detail).toContain("a run that is queued can't be rescored");
    const finished = await finishedRun({}, { suites: later });
    await finished.platform.runs.hide(finished.run, "spam", Date.now());
    const hidden = await finished.act("rescore");
    expect(hidden.status).toBe(409);
    expect((await problemOf(hidden)).detail).toContain("is hidden (spam)");
  });

  it("refuses a run whose suite was removed", async () => {
    const suites = { all: [], byId: () => undefined };
    const response = await (await finishedRun({}, { suites })).act("rescore");
    expect(response.status).toBe(409);
  });
});

describe.each(["retry", "rescore"])("POST /v1/runs/{id}/%s", (action) => {
  const body = action === "retry" ? key : {};

  it.each<[string, string | null, number]>([
    ["no key", null, 401],
    ["an unknown key", "nobody", 401],
    ["a stranger", "stranger", 403],
  ])("refuses %s", async (_case, who, status) => {
    const { act } = await finishedRun({}, { suites: later });
    const response = await act(action, body, who);
    expect(response.status).toBe(status);
    expect(response.headers.get("content-type")).toContain("application/problem+json");
  });

  it("answers 404 for an unknown run", async () => {
    const { api } = await finishedRun();
    const response = await api.post(`/v1/runs/run_x/${action}`, body, as("owner"));
    expect(response.status).toBe(404);
    expect((await problemOf(response)).detail).toBe('there is no run "run_x"');
  });

  it.each<[string, unknown, string]>([
    ["an unknown field", { endpiont: {} }, "/endpiont"],
    ["a list", [], ""],
    ["a wrong type", { endpoint: 3, options: 3 }, action === "retry" ? "/endpoint" : "/options"],
  ])("refuses %s in the body", async (_case, wrong, pointer) => {
    const { act } = await finishedRun({}, { suites: later });
    const response = await act(action, wrong);
    expect(response.status).toBe(422);
    expect((await problemOf(response)).errors?.map((one) => one.pointer)).toContain(pointer);
  });

  it.each([
    ["text/plain", "hello", 415],
    ["application/json", "{", 400],
  ])("refuses a body of type %s: %s", async (type, text, status) => {
    const { run, platform } = await finishedRun();
    const app = createApp({
      platform: () => platform,
      account: async () => accounts.owner,
      site: async () => new Response(),
    });
    const headers = { "content-type": type, ...as("owner") };
    const path = `/v1/runs/${run}/${action}`;
    expect((await app.request(path, { method: "POST", headers, body: text })).status).toBe(status);
  });
});
