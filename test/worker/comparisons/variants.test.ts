import { describe, expect, it } from "vitest";
import type { Platform } from "../../../api/platform/platform.ts";
import type { ChatRequest } from "../../../shared/contracts/chat-request.ts";
import type { Submission } from "../../../shared/contracts/submissions/submission.ts";
import type { Sweep } from "../../../shared/contracts/submissions/sweep.ts";
import { aSubmission, latestSnapshot, problemOf, serve } from "../support/client.ts";
import { anAccount, answering, harness, relayDataset } from "../support/harness.ts";
import { finished, grid, knobSuite, submitted, suites, warmingUp } from "../support/swept.ts";

describe("a submission with a sweep", () => {
  it("has one run per variant, with the swept options, a label and a note, on no board", async () => {
    const { platform, api, dataset, submission } = await submitted(grid);
    expect(submission.links.sweep).toBe(`/v1/submissions/${submission.id}/sweep`);
    expect(submission.runs.map(({ variant }) => variant)).toEqual([
      { temperature: 0, top_p: 0.9 },
      { temperature: 0, top_p: 1 },
      { temperature: 0.5, top_p: 0.9 },
      { temperature: 0.5, top_p: 1 },
    ]);
    const run = await api.run(submission.runs[1]?.id ?? "");
    expect(run).toMatchObject({
      variant: { temperature: 0, top_p: 1 },
      options: { temperature: 0, topP: 1, maxTokens: 100 },
      notes: [expect.stringContaining("one of 4 variants of a sweep: it is on no board")],
    });
    expect(run.options).not.toHaveProperty("sweep");
    const record = await platform.runs.get(run.id);
    expect(record).toMatchObject({ boardId: null, visibility: "public" });
    expect((await api.get(`/v1/leaderboard?suite=relay&dataset=${dataset}`)).status).toBe(404);
  });

  it("runs every model in every variant, and charges for all", async () => {
    const { platform, deliverAll } = harness({ suites, ask: answering(warmingUp) });
    const dataset = await relayDataset(platform, 5);
    const account = anAccount("acme", { keyId: crypto.randomUUID(), dailySamples: 40 });
    const api = serve(platform, { k: account });
    const model = { name: "A", endpoint: { baseUrl: "http://127.0.0.1:8790/v1", model: "m" } };
    const body = aSubmission(dataset, {
      models: [model, { ...model, name: "B" }],
      options: { sweep: grid },
    });
    const headers = { authorization: "Bearer k" };
    const response = await api.post("/v1/submissions", body, headers);
    const submission = (await response.json()) as Submission;
    expect(submission.runs.map((run) => run.model.slice(-1))).toEqual([..."aaaabbbb"]);
    const usage = await (await api.get("/v1/usage", headers)).json();
    expect(usage).toMatchObject({ usedSamples: 40, remainingSamples: 0 });
    const refused = await api.post("/v1/submissions", body, headers);
    expect(refused.status).toBe(429);
    expect((await problemOf(refused)).detail).toMatch(
      /in 4 variants, needs 40 samples.*options\.sweep/,
    );
    await deliverAll();
    const sweep = (await (await api.get(submission.links.sweep ?? "", headers)).json()) as Sweep;
    expect(sweep.models.map(({ model: { name }, variants }) => [name, variants.length])).toEqual([
      ["A", 4],
      ["B", 4],
    ]);
  });

  it("compares named prompts, with settings of the model and together with a sweep", async () => {
    // The other style is wrong on two of three samples.
    const byStyle = ({ messages: [message] }: ChatRequest) => {
      const [, number = 0] = message?.content.match(/^no: word (\d+)$/) ?? [];
      return Number(number) % 3 === 0 ? { output: `AGAIN: WORD ${number}` } : { output: "no" };
    };
    const own = (request: ChatRequest) =>
      request.messages[0]?.content.startsWith("no") ? byStyle(request) : {};
    const endpoint = { baseUrl: "http://127.0.0.1:8790/v1", model: "m", settings: { topP: 1 } };
    const prompts = { usual: {}, worse: { style: "no" } };
    const options = { prompts };
    const { sweep, api } = await finished(
      {},
      { ask: answering(own), body: { models: [{ name: "A", endpoint }], options } },
    );
    expect(sweep.parameters).toEqual([{ name: "prompt", values: ["usual", "worse"] }]);
    expect(sweep.models[0]?.verdict).toMatch(/^prompt usual is best/);
    const runs = await Promise.all(sweep.models[0]!.variants.map(({ run }) => api.run(run)));
    expect(runs.map(({ options: used }) => used["style"])).toEqual(["again", "no"]);
    expect(new Set(runs.map(({ promptHash }) => promptHash)).size).toBe(2);
    const both = await submitted(
      { temperature: [0, 1] },
      { body: { options: { prompts, sweep: { temperature: [0, 1] } } } },
    );
    expect(both.submission.runs.map(({ variant }) => variant)).toEqual([
      { temperature: 0, prompt: "usual" },
      { temperature: 0, prompt: "worse" },
      { temperature: 1, prompt: "usual" },
      { temperature: 1, prompt: "worse" },
    ]);
  });

  it("is created once per idempotency key", async () => {
    const { platform } = harness({ suites });
    const api = serve(platform);
    const body = aSubmission(await relayDataset(platform, 3), { options: { sweep: grid } });
    const headers = { "idempotency-key": crypto.randomUUID() };
    const [first, again] = [
      await api.post("/v1/submissions", body, headers),
      await api.post("/v1/submissions", body, headers),
    ];
    expect(await again.text()).toBe(await first.text());
    expect(again.headers.get("idempotency-replayed")).toBe("true");
  });

  it("is estimated variant by variant in a dry run", async () => {
    const { platform } = harness({ suites });
    const dataset = await relayDataset(platform, 10);
    const sweep = { max_tokens: [50, 200] };
    const response = await serve(platform).post(
      "/v1/submissions?dryRun=true",
      aSubmission(dataset, { options: { sweep } }),
    );
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      models: [
        { variant: { max_tokens: 50 }, requests: 10, outputTokens: { max: 500 } },
        { variant: { max_tokens: 200 }, requests: 10, outputTokens: { max: 2_000 } },
      ],
      total: { samples: 20, requests: 20, outputTokens: { max: 2_500 } },
    });
  });
});

describe("a variant's run", () => {
  it("can be retried; its sweep is computed again", async () => {
    let isDown = true;
    const lost = { error: { class: "timeout", message: "late" }, output: null } as const;
    const ask = answering((request) => (isDown && request.temperature === 0.5 ? lost : {}));
    const { sweep, api, path, deliverAll } = await finished(
      { temperature: [0, 0.5] },
      { ask, samples: 4 },
    );
    const [, failed] = sweep.models[0]?.variants ?? [];
    expect(failed?.leftOut).toBe("coverage 0% is below 95%");
    isDown = false;
    expect((await api.post(`/v1/runs/${failed?.run}/retry`, {})).status).toBe(200);
    expect((await api.get(path)).status).toBe(409);
    await deliverAll();
    const again = (await (await api.get(path)).json()) as Sweep;
    expect(again.models[0]?.variants.map(({ leftOut }) => leftOut)).toEqual([null, null]);
  });

  it("keeps its label when it is rescored, and is on no board and in no new sweep", async () => {
    const { platform, sweep, api, path } = await finished(
      { temperature: [0, 0.5] },
      { samples: 4 },
    );
    const newer = { ...knobSuite, version: "2" };
    const later = serve({ ...platform, suites: { all: [newer], byId: () => newer } });
    const run = sweep.models[0]?.variants[1]?.run ?? "";
    const rescored = await later.post(`/v1/runs/${run}/rescore`, {});
    expect(rescored.status).toBe(202);
    const { runs, links } = (await rescored.json()) as Submission;
    expect(runs[0]?.variant).toEqual({ temperature: 0.5 });
    expect(links.sweep).toBeNull();
    expect(await platform.runs.get(runs[0]?.id ?? "")).toMatchObject({
      boardId: null,
      parentId: run,
    });
    expect(await (await api.get(path)).json()).toEqual(sweep);
  });
});

describe("the snapshot", () => {
  const listed = async (platform: Platform) => (await latestSnapshot(platform))?.sweeps ?? [];

  it("lists a public sweep once all of its runs have ended", async () => {
    const { platform, deliverAll, api, submission } = await submitted({ temperature: [0, 0.5] });
    const isListed = async () =>
      (await listed(platform)).some((sweep) => sweep.submission === submission.id);
    const [first, second] = submission.runs;
    await api.post(`/v1/runs/${second?.id}/pause`);
    await deliverAll();
    expect(await platform.runs.get(first?.id ?? "")).toMatchObject({ status: "finished" });
    expect(await isListed()).toBe(false);
    await api.post(`/v1/runs/${second?.id}/resume`);
    await deliverAll();
    expect(await isListed()).toBe(true);
    expect(JSON.stringify(await latestSnapshot(platform))).toContain(
      '"variant":{"temperature":0.5}',
    );
  });

  it("does not list an unlisted sweep", async () => {
    const { platform, deliverAll, submission, sweep } = await finished(
      { temperature: [0, 0.5] },
      { body: { visibility: "unlisted" }, samples: 3 },
    );
    const other = await relayDataset(platform, 2);
    await serve(platform).post("/v1/submissions", aSubmission(other));
    await deliverAll();
    expect(sweep.models[0]?.variants.map(({ links }) => links.report)).toEqual([null, null]);
    expect(JSON.stringify(await latestSnapshot(platform))).not.toContain(submission.id);
  });
});
