import { describe, expect, it } from "vitest";
import type { Platform } from "../../../api/platform/platform.ts";
import type { RunRecord } from "../../../api/runs/schema.ts";
import { hideRun } from "../../../api/runs/service.ts";
import type { ChatRequest } from "../../../shared/contracts/chat-request.ts";
import type { Submission } from "../../../shared/contracts/submissions/submission.ts";
import { type Sweep, sweepSchema } from "../../../shared/contracts/submissions/sweep.ts";
import { aSubmission, problemOf, serve } from "../support/client.ts";
import { anAccount, answering, deliver, harness, relayDataset } from "../support/harness.ts";
import { knobSuite } from "../support/knob-suite.ts";
import { latestSnapshot } from "../support/latest-snapshot.ts";

const suites = { all: [knobSuite], byId: (id: string) => (id === "relay" ? knobSuite : undefined) };

/** Wrong on the share of samples that the temperature says, whatever top_p is. */
const warmingUp = (request: ChatRequest) => {
  const number = Number(request.messages[0]?.content.match(/\d+$/)?.[0]);
  return (number % 10) / 10 < (request.temperature ?? 0) ? { output: "no" } : {};
};

/** A submission with a sweep of the knob suite, its runs not delivered yet. */
async function submitted(
  sweep: object,
  more: { samples?: number; ask?: Platform["ask"]; body?: object } = {},
) {
  const made = harness({ suites, ask: more.ask ?? answering(warmingUp) });
  const api = serve(made.platform);
  const dataset = await relayDataset(made.platform, more.samples ?? 60);
  const body = aSubmission(dataset, { options: { sweep }, ...more.body });
  const response = await api.post("/v1/submissions", body);
  expect(response.status).toBe(202);
  const submission = (await response.json()) as Submission;
  return { ...made, api, dataset, submission, path: `/v1/submissions/${submission.id}/sweep` };
}

async function finished(...args: Parameters<typeof submitted>) {
  const made = await submitted(...args);
  await made.deliverAll();
  const response = await made.api.get(made.path);
  expect(response.status).toBe(200);
  return { ...made, sweep: sweepSchema.strict().parse(await response.json()) };
}

const grid = { temperature: [0, 0.5], top_p: [0.9, 1] };

describe("a submission with a sweep", () => {
  it("has one run a variant, with the swept options, a label and a note, on no board", async () => {
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

  it("compares named prompts, next to settings of the model, and with a sweep", async () => {
    // The other style is wrong on two samples of three.
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
    expect(runs.map(({ options: its }) => its["style"])).toEqual(["again", "no"]);
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

  it("is made once for one idempotency key", async () => {
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

describe("GET /v1/submissions/{id}/sweep", () => {
  it("tests variants against the leader, names the best and maps what was swept", async () => {
    const { sweep, submission, api, path, platform } = await finished({
      temperature: [0.5, 0.2, 0],
      top_p: [1, 0.9],
    });
    expect(sweep.parameters).toEqual([
      { name: "temperature", values: [0, 0.2, 0.5] },
      { name: "top_p", values: [0.9, 1] },
    ]);
    const [model] = sweep.models;
    expect(model?.variants.map(({ variant }) => Object.values(variant))).toEqual([
      [0, 0.9],
      [0, 1],
      [0.2, 0.9],
      [0.2, 1],
      [0.5, 0.9],
      [0.5, 1],
    ]);
    expect(model?.variants.map(({ metrics }) => metrics?.["passed"]?.value)).toEqual([
      1, 1, 0.8, 0.8, 0.5, 0.5,
    ]);
    const [test] = model?.tests ?? [];
    expect(test).toMatchObject({ metric: "passed", samples: 60, best: null });
    expect([test?.leader, ...(test?.tied ?? [])]).toEqual(
      model?.variants.slice(0, 2).map(({ run }) => run),
    );
    expect(model?.verdict).toBe(
      "No variant can be named best: temperature 0, top_p 0.9 has the highest Passed on 1.000, but is not significantly different from 1 of the other 5: temperature 0, top_p 1.",
    );
    const cell = (value: number) => ({ value, variants: 1, of: 1 });
    expect(model?.maps).toEqual([
      {
        x: "top_p",
        y: "temperature",
        metrics: [
          {
            metric: "passed",
            rows: [1, 0.8, 0.5].map((value) => [cell(value), cell(value)]),
          },
        ],
      },
    ]);
    expect(submission.runs).toHaveLength(6);
    const kept = {
      ...platform,
      objects: { ...platform.objects, putOnce: () => expect.unreachable() },
    };
    const again = await serve(kept as never).get(path);
    expect(await again.text()).toBe(await (await api.get(path)).text());
  });

  it("names the best variant where every other is significantly worse", async () => {
    const { sweep } = await finished({ temperature: [0, 0.5] });
    const [model] = sweep.models;
    expect(model?.tests[0]?.best).toBe(model?.variants[0]?.run);
    expect(model?.verdict).toMatch(
      /^temperature 0 is best: Passed on 1\.000, significantly higher/,
    );
    expect(model?.maps).toMatchObject([{ x: "temperature", y: null }]);
  });

  it("answers 409 with retry-after until the last run has ended", async () => {
    const { api, path, deliverAll } = await submitted(grid, { samples: 3 });
    const response = await api.get(path);
    expect(response.status).toBe(409);
    expect(response.headers.get("retry-after")).toBe("2");
    expect(await problemOf(response)).toMatchObject({
      type: expect.stringMatching(/not-ready\/$/),
      detail: expect.stringContaining("4 of the sweep's 4 runs have not ended"),
    });
    await deliverAll();
    expect((await api.get(path)).status).toBe(200);
  });

  it("shows failed, cancelled, uncovered and refused variants and leaves them out", async () => {
    const lost = { error: { class: "timeout", message: "late" }, output: null } as const;
    const ask: Platform["ask"] = async (target, request, limits, memory) => {
      if (request.temperature === 1) {
        memory.refusedParameters.add("temperature");
        memory.notes.push("the endpoint refuses temperature: requested without it");
      }
      const change = request.temperature === 0.7 ? () => lost : warmingUp;
      return answering(change)(target, request, limits, memory);
    };
    const made = await submitted({ temperature: [0, 0.5, 0.7, 1, 1.5, null] }, { ask });
    const byTemperature = new Map(
      made.submission.runs.map(({ id, variant }) => [variant?.["temperature"] ?? null, id]),
    );
    const { platform, api } = made;
    expect((await api.post(`/v1/runs/${byTemperature.get(1.5)}/cancel`)).status).toBe(200);
    await platform.runs.fail(byTemperature.get(null) ?? "", "the key was refused", platform.now());
    await made.deliverAll();
    const sweep = (await (await api.get(made.path)).json()) as Sweep;
    const [model] = sweep.models;
    expect(
      model?.variants.map(({ variant, leftOut }) => [variant["temperature"], leftOut]),
    ).toEqual([
      [null, "failed: the key was refused"],
      [0, null],
      [0.5, null],
      [0.7, "coverage 0% is below 95%"],
      [1, "the endpoint refuses temperature, so it was asked without"],
      [1.5, "cancelled"],
    ]);
    expect(model?.tests[0]?.variants).toHaveLength(2);
    expect(model?.verdict).toContain("4 of 6 variants are left out.");
    expect(model?.maps[0]?.metrics[0]?.rows).toEqual([
      [null, 1, 0.5, null, null, null].map((value) => ({
        value,
        variants: Number(value !== null),
        of: 1,
      })),
    ]);
  });

  it("says so where nothing can be tested", async () => {
    const { sweep } = await finished({ temperature: [0] }, { samples: 3 });
    expect(sweep.models[0]).toMatchObject({
      tests: [],
      maps: [],
      untested: "only one variant has scores that can be compared",
      verdict: "No variant can be named best: only one variant has scores that can be compared.",
    });
  });

  it("leaves large ones to the queue, and tests none that no Worker could hold", async () => {
    const { platform, mail, path, deliverAll } = await submitted({ temperature: [0, 0.5] });
    await deliverAll();
    const of = (total: number): Platform => {
      const grown = (run: RunRecord | null) => run && { ...run, total };
      return {
        ...platform,
        runs: {
          ...platform.runs,
          get: async (id) => grown(await platform.runs.get(id)),
          submission: async (id) => {
            const stored = await platform.runs.submission(id);
            return stored && { ...stored, runs: stored.runs.map((run) => grown(run) as RunRecord) };
          },
        },
      };
    };
    const large = of(4_000);
    const first = await serve(large).get(path);
    expect([first.status, first.headers.get("retry-after")]).toEqual([202, "3"]);
    expect(await first.json()).toEqual({ status: "running" });
    expect(mail.finish).toHaveLength(1);
    for (const message of [...mail.finish, ...mail.finish]) {
      expect(await deliver(large, "finish", message)).toBe("ack");
    }
    const done = await serve(large).get(path);
    expect(await done.text()).toBe(await (await serve(platform).get(path)).text());
    const mostSamples = platform.settings.plan.comparedSamples;
    const huge = (await (await serve(of(mostSamples)).get(path)).json()) as Sweep;
    expect(huge.models[0]).toMatchObject({
      tests: [],
      untested: expect.stringContaining(`at most ${mostSamples} can be tested`),
    });
    expect(huge.models[0]?.maps).toHaveLength(1);
  });

  it("is not there for another submission, nor for one without a sweep", async () => {
    const { platform, api, dataset } = await submitted({ temperature: [0] }, { samples: 2 });
    expect((await api.get("/v1/submissions/sub_none/sweep")).status).toBe(404);
    const plain = await serve(platform).post("/v1/submissions", aSubmission(dataset));
    const { id, links } = (await plain.json()) as Submission;
    expect(links.sweep).toBeNull();
    const response = await api.get(`/v1/submissions/${id}/sweep`);
    expect(response.status).toBe(404);
    expect((await problemOf(response)).detail).toContain("has no sweep");
  });

  it("shows no hidden variant to strangers", async () => {
    const { platform, api, path, sweep } = await finished(
      { temperature: [0, 0.5] },
      { samples: 4 },
    );
    const hidden = sweep.models[0]?.variants[1]?.run ?? "";
    await hideRun(platform, hidden, "spam");
    const closed = { ...platform, settings: { ...platform.settings, requireApiKey: true } };
    const seen = await (await serve(closed).get(path)).text();
    expect(seen).not.toContain(hidden);
    expect(await (await api.get(path)).text()).toContain(hidden);
  });
});

describe("a variant's run", () => {
  it("is retried as any run: its sweep is worked out again", async () => {
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

  it("keeps its label when it is scored again, still on no board, and is in no new sweep", async () => {
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

  it("lists no unlisted sweep, which is read by its id", async () => {
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
