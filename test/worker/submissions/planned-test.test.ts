import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import type { AskModel } from "../../../api/providers/ask-model.ts";
import { deleteRun, hideRun } from "../../../api/runs/service.ts";
import type { Submission } from "../../../shared/contracts/submissions/submission.ts";
import { aSubmission, latestSnapshot, problemOf, serve } from "../support/client.ts";
import {
  anAccount,
  answering,
  harness,
  relayDataset,
  submitRun,
  workOff,
} from "../support/harness.ts";

async function setUp(ask?: AskModel, samples = 3) {
  const all = harness(ask === undefined ? {} : { ask });
  const dataset = await relayDataset(all.platform, samples);
  const base = await submitRun(all.platform, dataset);
  await workOff(all.platform, all.mail);
  const api = serve(all.platform);
  /** Submits a model with a planned test, and returns the id of its run. */
  const plan = async (test: object, model: object = {}, more: object = {}) => {
    const plannedTest = { metric: "passed", margin: 0.02, against: base, ...test };
    const body = aSubmission(dataset, { options: { plannedTest }, ...more }, model);
    const reply = await api.post("/v1/submissions", body);
    expect(reply.status).toBe(202);
    return ((await reply.json()) as Submission).runs[0]!.id;
  };
  const report = async (id: string) =>
    (await (await api.get(`/v1/runs/${id}/report.md`)).text()).replaceAll("\\", "");
  return { ...all, ...api, dataset, base, plan, report };
}

it("a planned test is stored with its run and shown with its verdict", async () => {
  const { run, base, platform, mail, plan, report } = await setUp();
  const id = await plan({});
  // The number of samples is fixed at the submission.
  const plannedTest = { metric: "passed", margin: 0.02, against: base, samples: 3 };
  expect((await run(id)).options).toMatchObject({ plannedTest });
  expect(await report(id)).toMatch(/Result of the planned test \| not yet/);
  await workOff(platform, mail);
  const shown = await run(id);
  expect(shown.options).toMatchObject({ plannedTest });
  expect(shown.plannedResult).toEqual({
    result: {
      base: 1,
      tested: 1,
      difference: 0,
      interval: expect.any(Array),
      samples: 3,
      verdict: "no-worse",
    },
    note: null,
    changes: expect.any(Array),
    tests: { number: 1, of: 1 },
    retries: 0,
  });
  const markdown = await report(id);
  expect(markdown).toContain(`Passed on no worse than ${base} by more than 0.02, on 3 samples`);
  expect(markdown).toMatch(/Result of the planned test \| no worse: difference 0.0/);
  expect(markdown).toMatch(/Differs from the plan \| nothing/);
});

it("a planned test finds a worse model, names different settings, and is published", async () => {
  const ask: AskModel = (endpoint, ...more) =>
    answering(() => (endpoint.model === "bad" ? { output: "no" } : {}))(endpoint, ...more);
  const { run, base, platform, mail, plan, report, get } = await setUp(ask, 30);
  const endpoint = { baseUrl: "http://127.0.0.1:8790/v1", model: "bad" };
  const settings = { temperature: 1 };
  const id = await plan({ samples: 30 }, { name: "Bad", endpoint: { ...endpoint, settings } });
  await workOff(platform, mail);
  const { plannedResult } = await run(id);
  expect(plannedResult).toMatchObject({
    result: { base: 1, tested: 0, difference: -1, samples: 30, verdict: "worse" },
    changes: expect.arrayContaining(["temperature (none, 1)"]),
  });
  expect(await report(id)).toMatch(/Differs from the other run \| .*temperature \(none, 1\)/);
  const { runs } = await latestSnapshot(platform);
  expect(runs.find((one) => one.id === id)?.plannedResult).toEqual(plannedResult);

  await hideRun(platform, base, "spam");
  const note = `not possible: run ${base} was withdrawn`;
  expect((await run(id)).plannedResult).toMatchObject({ result: null, note, changes: [] });
  expect((await get(`/v1/runs/${id}`)).status).toBe(200);
});

it("a planned test has no result if the other run has another scoring version", async () => {
  const { run, platform, mail, plan, base } = await setUp();
  const id = await plan({});
  await workOff(platform, mail);
  const other = "UPDATE runs SET scoring_version = 'other' WHERE id = ?";
  await env.DB.prepare(other).bind(base).run();
  const { plannedResult } = await run(id);
  expect(plannedResult?.result).toBeNull();
  expect(plannedResult?.note).toMatch(
    /^not possible: the runs differ in scoring version \(other, /,
  );
  await env.DB.prepare("UPDATE runs SET status = 'running' WHERE id = ?").bind(base).run();
  expect((await run(id)).plannedResult?.note).toBe(`not yet: run ${base} is running`);
});

it("planned tests against the same run are counted, also of deleted runs, and the count is published", async () => {
  const { platform, mail, plan, report } = await setUp();
  const ids = [];
  for (const margin of [0.02, 0.03, 0.04]) {
    ids.push(await plan({ margin }));
    await workOff(platform, mail);
    platform.now = (
      (at) => () =>
        at
    )(platform.now() + 1000);
  }
  const [first = "", second = "", third = ""] = ids;
  const text = (n: number) => `; test ${n} of 3 that its account planned against that run;`;
  expect(await report(first)).toContain(text(1));
  const { runs } = await latestSnapshot(platform);
  const shown = runs.find(({ id }) => id === first)?.plannedResult?.tests;
  expect(shown).toEqual({ number: 1, of: 3 });
  const { owner = "" } = (await platform.runs.get(second)) ?? {};
  expect(await deleteRun(platform, anAccount(owner), second)).toMatchObject({ ok: true });
  await env.DB.prepare("DELETE FROM runs WHERE id = ?").bind(second).run();
  expect(await report(third)).toContain(text(3));
  const retried = "UPDATE runs SET retries = '[\"retry_1\"]' WHERE id = ?";
  await env.DB.prepare(retried).bind(third).run();
  expect(await report(third)).toMatch(
    /Differs from the plan \| failed or missing parts .* \(retries: 1\)/,
  );
});

it("a planned test with a large comparison is computed in the queue", async () => {
  const { run, platform, mail, plan } = await setUp();
  const id = await plan({}, {}, { visibility: "unlisted" });
  await workOff(platform, mail);
  await env.DB.prepare("UPDATE runs SET total = 6000").run();
  expect((await run(id)).plannedResult).toMatchObject({
    result: null,
    note: "not yet: it is being computed; look again in a minute",
  });
  await workOff(platform, mail);
  expect((await run(id)).plannedResult).toMatchObject({ result: { samples: 3 }, note: null });
});

it("an impossible planned test is refused with a pointer to each error", async () => {
  const { post, dataset, base, platform } = await setUp();
  const other = await relayDataset(platform, 4);
  const refused = async (
    plannedTest: object,
    on = dataset,
    model: object = {},
    options: object = {},
  ) => {
    const body = aSubmission(on, { options: { ...options, plannedTest } }, model);
    const reply = await post("/v1/submissions", body);
    expect(reply.status).toBe(422);
    return (await problemOf(reply)).errors?.map(({ pointer, detail }) => `${pointer} ${detail}`);
  };
  const good = { metric: "passed", margin: 0.02, against: base };
  expect(await refused({ ...good, metric: "eqs" })).toEqual([
    expect.stringContaining('/options/plannedTest/metric "eqs" is not compared'),
  ]);
  expect(await refused({ ...good, margin: 2 })).toEqual([
    expect.stringContaining("/options/plannedTest/metric"),
  ]);
  expect(await refused({ ...good, margin: 0 })).toEqual([
    expect.stringContaining("/options/plannedTest/margin"),
  ]);
  expect(await refused({ ...good, against: "run_none" })).toEqual([
    '/options/plannedTest/against there is no run "run_none"',
  ]);
  expect(await refused(good, other)).toEqual([expect.stringContaining("is on other samples")]);
  expect(await refused({ ...good, samples: 500 })).toEqual([
    "/options/plannedTest/samples is 500, but 3 samples would be evaluated: correct it, or leave it out",
  ]);
  const compared = `/options/plannedTest/against run "${base}" can't be compared with this one: they differ in `;
  expect(await refused(good, dataset, {}, { sample: { n: 2 } })).toEqual([
    `${compared}samples drawn (all, 2 with the seed 0)`,
  ]);
  const answers = [{ id: "s0", output: "" }];
  expect(await refused(good, dataset, { endpoint: undefined, answers })).toEqual([
    expect.stringContaining("/models/0/answers exist already"),
  ]);
  const stored = { read: async () => null, write: async () => {} };
  const reusing = aSubmission(dataset, { options: { reuseAnswers: true, plannedTest: good } });
  const reply = await serve({ ...platform, answers: stored }).post("/v1/submissions", reusing);
  expect((await problemOf(reply)).errors).toEqual([
    {
      pointer: "/options/reuseAnswers",
      detail: "answers may exist already: leave it or options.plannedTest out",
    },
  ]);
  const repeated = "UPDATE runs SET options = json_set(options, '$.repeats', 2) WHERE id = ?";
  await env.DB.prepare(repeated).bind(base).run();
  expect(await refused(good)).toEqual([`${compared}repeats (2, 1)`]);
});
