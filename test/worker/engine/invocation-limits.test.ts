import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { listedOn } from "../../../api/boards/board-pages.ts";
import { runCron } from "../../../api/cron.ts";
import { openRun } from "../../../api/engine/run-work.ts";
import { accountOfKey } from "../../../api/keys/account.ts";
import { createApiKey } from "../../../api/keys/make-key.ts";
import { boardMessage } from "../../../api/platform/messages.ts";
import { type Platform, planLimits } from "../../../api/platform/platform.ts";
import { QUERIES } from "../../../api/publication/published-items.ts";
import { retryRun } from "../../../api/runs/retry-run.ts";
import { scoresKey } from "../../../api/runs/run-objects.ts";
import { submissionsOf } from "../../../api/schedules/view.ts";
import type { Schedule, ScheduleDetail } from "../../../shared/contracts/schedules/schedule.ts";
import { aSubmission, problemOf, serve } from "../support/client.ts";
import { addCopies, addModels } from "../support/copied-runs.ts";
import { countedQueries } from "../support/counted-queries.ts";
import { fakeJudges, judgedHarness, memoryDataset } from "../support/fake-judges.ts";
import {
  anAccount,
  answering,
  deliver,
  harness,
  oneLane,
  relayDataset,
  submitRun,
  upperCasing,
} from "../support/harness.ts";
import { relaySuite } from "../support/relay-suite.ts";
import { aSchedule } from "../support/scheduled.ts";

const { free } = planLimits;

/** Number of runs that one invocation publishes. */
const CHANGES = Math.floor(free.changeQueries / QUERIES.runs);

/** A service on the Free plan; `sent` and `count` count requests and queries until a test resets them. */
function onFree(overrides: Partial<Platform> = {}) {
  const sent = { requests: 0 };
  const { count, stores } = countedQueries();
  const rig = harness({
    ...stores,
    ask: async (target, request, limits, memory) => {
      sent.requests += 1;
      memory.requests.sent += 1;
      return upperCasing(target, request, limits, memory);
    },
    ...overrides,
  });
  const { platform } = rig;
  platform.settings = {
    ...platform.settings,
    plan: free,
  };
  return { ...rig, sent, count };
}

/** Marks `count` runs as changed; they do not exist. */
async function changed(count: number) {
  const ids = JSON.stringify(Array.from({ length: count }, (_, i) => `run_none_${i}`));
  await env.DB.prepare(
    "INSERT INTO snapshot_changes (kind, id) SELECT 'runs', value FROM json_each(?)",
  )
    .bind(ids)
    .run();
}

it("a run with too many requests for one invocation completes in several", async () => {
  const { platform, mail, sent } = onFree();
  const run = await submitRun(platform, await relayDataset(platform, 200));
  const each: number[] = [];
  for (let message = mail.evaluate.shift(); message; message = mail.evaluate.shift()) {
    sent.requests = 0;
    await deliver(platform, "evaluate", message);
    each.push(sent.requests);
  }
  for (const message of mail.finish) await deliver(platform, "finish", message);
  expect(await platform.runs.get(run)).toMatchObject({ status: "finished", done: 200, failed: 0 });
  // Two requests per sample.
  expect(each.reduce((sum, count) => sum + count, 0)).toBe(400);
  expect(Math.max(...each)).toBeLessThanOrEqual(50);
});

it("a run with too many commits for one invocation completes in several", async () => {
  const { platform, mail, count } = onFree();
  platform.settings = { ...platform.settings, plan: { ...free, requests: 10_000 } };
  const run = await submitRun(platform, await relayDataset(platform, 120), {
    models: [
      {
        name: "M",
        slug: `acme/${crypto.randomUUID()}`,
        endpoint: { baseUrl: "http://models.test/v1", model: "m" },
        prices: { inputPerMillion: 1, outputPerMillion: 1 },
      },
    ],
    // With a cost limit, each answer is committed alone.
    options: { maxCostUsd: 100, concurrency: 5 },
  });
  const each: number[] = [];
  for (let message = mail.evaluate.shift(); message; message = mail.evaluate.shift()) {
    count.queries = 0;
    await deliver(platform, "evaluate", message);
    each.push(count.queries);
  }
  for (const message of mail.finish) {
    count.queries = 0;
    await deliver(platform, "finish", message);
    each.push(count.queries);
  }
  expect(await platform.runs.get(run)).toMatchObject({ status: "finished", done: 120, failed: 0 });
  expect(Math.max(...each)).toBeLessThanOrEqual(50);
  expect(each.length).toBeGreaterThan(4);
});

it("a run whose judges are slow, and paid, is judged within the queries of an invocation", async () => {
  let clock = Date.now();
  const { count, stores } = countedQueries();
  const judges = fakeJudges([], () => null, {
    priceOf: () => ({ inputPerMillion: 1, outputPerMillion: 1 }),
  });
  const judging: typeof judges = {
    ...judges,
    ask: (...request) => {
      request[3].requests.sent += 1;
      clock += 1_000;
      return judges.ask(...request);
    },
  };
  const { platform, mail } = judgedHarness(judging, { ...stores, judging, now: () => clock });
  platform.settings = { ...platform.settings, plan: free };
  const run = await submitRun(platform, await memoryDataset(platform, 20), { suite: "memory" });
  const each: number[] = [];
  const next = () => mail.evaluate.shift() ?? mail.finish.shift();
  for (let message = next(); message; message = next()) {
    count.queries = 0;
    await deliver(platform, message.kind === "lane" ? "judge" : "finish", message);
    each.push(count.queries);
  }
  expect(await platform.runs.get(run)).toMatchObject({ status: "finished", failedJudgments: 0 });
  expect(Math.max(...each)).toBeLessThanOrEqual(50);
});

it("a run of many lanes is retried with few queries", async () => {
  const error = { class: "server_error", message: "500" } as const;
  const { platform, count, deliverAll } = onFree({ ask: answering(() => ({ error })) });
  const dataset = await relayDataset(platform, 200);
  const run = await submitRun(platform, dataset, { options: { concurrency: 200 } });
  await deliverAll();
  count.queries = 0;
  const endpoint = { apiKey: "sk-plain-secret" };
  expect(await retryRun(platform, anAccount("acme"), run, { endpoint })).toMatchObject({
    ok: true,
  });
  expect(count.queries).toBeLessThanOrEqual(20);
});

/** Publishes all changes, and returns the number of queries of each message. */
async function queriesOfPublishing({ platform, mail, count }: ReturnType<typeof onFree>) {
  mail.finish.push(boardMessage(null));
  const each: number[] = [];
  for (let message = mail.finish.shift(); message; message = mail.finish.shift()) {
    count.queries = 0;
    expect(await deliver(platform, "finish", message)).toBe("ack");
    each.push(count.queries);
  }
  const { changes, published } = await platform.publications.state();
  expect(published).toBe(changes);
  return each;
}

it("a publication with more changes than an invocation allows is continued, and is complete", async () => {
  const rig = onFree();
  const { platform } = rig;
  await platform.publications.markChanged();
  await changed(40);
  const each = await queriesOfPublishing(rig);
  expect(Math.max(...each)).toBeLessThanOrEqual(50);
  expect(each.length).toBeGreaterThan(4);
});

it("steps of the cron job that exceed the queries of an invocation take turns, and all are done", async () => {
  let clock = Date.now();
  const { platform, count, deliverAll } = onFree({ now: () => clock });
  const runs: string[] = [];
  for (let i = 0; i < 6; i++) runs.push(await submitRun(platform, await relayDataset(platform, 2)));
  await deliverAll();
  clock += 7 * 3_600_000;
  await platform.publications.markChanged();
  await changed(CHANGES);
  const each: number[] = [];
  for (let turns = 0; turns < free.cronTurns; turns++) {
    count.queries = 0;
    await runCron(platform);
    each.push(count.queries);
    clock += 60_000;
  }
  expect(Math.max(...each)).toBeLessThanOrEqual(50);
  for (const run of runs) expect((await platform.runs.get(run))?.archive).not.toBeNull();
  const { changes, published } = await platform.publications.state();
  expect(published).toBe(changes);
});

it("a board with the maximum number of models is ranked in one invocation, and refuses more", async () => {
  const { platform, count, deliverAll } = onFree();
  const dataset = await relayDataset(platform, 2);
  const run = (await platform.runs.get(await submitRun(platform, dataset)))!;
  await deliverAll();
  const { boardId } = (await platform.runs.get(run.id))!;
  await addModels(run.id, boardId!, free.boardModels - 1);
  const scores = await platform.objects.get(scoresKey((await platform.runs.get(run.id))!));
  const { get } = platform.objects;
  platform.objects.get = async (key) => (await get<never>(key)) ?? (scores as never);
  await changed(CHANGES);
  count.queries = 0;
  expect(await deliver(platform, "finish", boardMessage(boardId!))).toBe("ack");
  expect(count.queries).toBeLessThanOrEqual(50);
  const board = (await platform.boards.get(boardId!))!;
  expect(listedOn(board)).toBe(free.boardModels);
  const { post } = serve(platform);
  const another = await post("/v1/submissions", aSubmission(dataset));
  expect(another.status).toBe(422);
  expect((await problemOf(another)).errors).toEqual([
    {
      pointer: "/models",
      detail: expect.stringMatching(
        /^this board has \d+ of the \d+ models that .* Free plan allows/,
      ),
    },
  ]);
  const unlisted = aSubmission(dataset, { visibility: "unlisted" });
  expect((await post("/v1/submissions", unlisted)).status).toBe(202);
  const known = aSubmission(dataset, {}, { slug: run.modelSlug });
  expect((await post("/v1/submissions", known)).status).toBe(202);
  // A hidden model frees a place; the refused submission took none.
  await platform.runs.hide(`${run.id}-0`, "spam", 0);
  expect((await post("/v1/submissions", aSubmission(dataset))).status).toBe(202);
});

it("schedules with their runs are read with five queries at most, whatever their number", async () => {
  let clock = Date.now();
  const { platform, count, deliverAll } = onFree({ now: () => clock });
  const { get, post } = serve(platform);
  const dataset = await relayDataset(platform, 2);
  const made: string[] = [];
  for (let i = 0; i < 60; i++) {
    clock += 1;
    const created = await post("/v1/schedules", aSchedule(dataset));
    made.push(((await created.json()) as { id: string }).id);
  }
  const last = made.at(-1)!;
  for (const id of [made[40]!, last]) await post(`/v1/schedules/${id}/run-now`, undefined);
  await deliverAll();
  const [run] = await platform.schedules.runs(submissionsOf(last), 1);
  await addCopies(run!.id, 55, {
    submission_id: "runs.submission_id || value",
    created_at: "runs.created_at + value",
  });
  const queriesOf = async <T>(path: string): Promise<T> => {
    count.queries = 0;
    const reply = await get(path);
    expect(reply.status).toBe(200);
    expect(count.queries).toBeLessThanOrEqual(5);
    return (await reply.json()) as T;
  };
  const { schedules } = await queriesOf<{ schedules: Schedule[] }>("/v1/schedules");
  const latest = new Map(schedules.map(({ id, lastRun }) => [id, lastRun?.id]));
  expect(latest.size).toBe(50);
  expect(latest.get(last)).toBe(`${run!.id}-54`);
  const [other] = await platform.schedules.runs(submissionsOf(made[40]!), 1);
  expect(latest.get(made[40]!)).toBe(other!.id);
  expect([...latest.values()].filter((id) => id !== undefined)).toHaveLength(2);
  const shown = await queriesOf<ScheduleDetail>(`/v1/schedules/${last}`);
  expect(shown.runs).toHaveLength(50);
  expect(shown.runs[0]?.id).toBe(`${run!.id}-54`);
});

it("a submission of many models is stored with few queries, and each run is complete", async () => {
  const { platform, count } = onFree();
  platform.settings = { ...platform.settings, requireApiKey: true };
  const { record } = await createApiKey(platform, { owner: "acme", name: "k", scopes: ["submit"] });
  const { post } = serve(platform, { acme: accountOfKey(record) });
  const prices = { inputPerMillion: 0.1, outputPerMillion: 1 };
  const endpoint = { baseUrl: "http://127.0.0.1:8790/v1", model: "m", apiKey: "sk-plain-secret" };
  const models = Array.from({ length: 20 }, (_, i) => ({
    name: `"M" \\ ${i} é`,
    slug: `acme/m-${i}-${crypto.randomUUID()}`,
    endpoint,
    ...(i > 0 && { prices }),
  }));
  const dataset = await relayDataset(platform, 2);
  const body = { suite: "relay", dataset, visibility: "public", models };
  count.queries = 0;
  const stored = await post("/v1/submissions", body, { authorization: "Bearer acme" });
  expect(stored.status).toBe(202);
  expect(count.queries).toBeLessThanOrEqual(30);
  const { id } = (await stored.json()) as { id: string };
  const { runs } = (await platform.runs.submission(id))!;
  for (const [i, { name, slug }] of models.entries()) {
    expect(runs.find((run) => run.modelSlug === slug)).toMatchObject({
      status: "queued",
      phase: "answering",
      retries: [],
      hadSecrets: true,
      quotaKey: record.id,
      charged: 2,
      parentId: null,
      maxCostUsd: null,
      model: { name },
      prices: i > 0 ? prices : null,
      sealedSecrets: expect.any(String),
    });
  }
  const attempts = await platform.boards.attempts(runs[0]!.countedOn!);
  expect(models.map(({ slug }) => attempts.get(slug)?.total)).toEqual(models.map(() => 1));
  expect(await platform.usage.used(record.id, runs[0]!.quotaDay!)).toBe(40);
});

it("a submission beyond the limits of an invocation or the plan is refused", async () => {
  const asOne = { ...relaySuite, plan: wholeDataset };
  const rig = harness({ suites: { all: [asOne], byId: () => asOne } });
  const { platform } = rig;
  const paid = platform.settings;
  platform.settings = { ...paid, plan: free };
  const refused = await serve(platform).post(
    "/v1/submissions",
    aSubmission(await relayDataset(platform, 1_001)),
  );
  expect(refused.status).toBe(422);
  expect((await problemOf(refused)).errors).toEqual([
    {
      pointer: "/dataset",
      detail:
        "has 1001 samples to score in a run, but this service runs on Cloudflare's Free plan, where a run has at most 1000: draw fewer with options.sample {n, seed}",
    },
    {
      pointer: "/options",
      detail:
        "asks for 1001 samples one after the other, but on this service's plan at most 10 fit into one invocation: choose options that ask for each sample alone",
    },
  ]);
  const fitting = aSubmission(await relayDataset(platform, 10));
  expect((await serve(platform).post("/v1/submissions", fitting)).status).toBe(202);
  platform.settings = paid;
  const long = aSubmission(await relayDataset(platform, 11));
  expect((await serve(platform).post("/v1/submissions", long)).status).toBe(202);
});

const wholeDataset: typeof relaySuite.plan = (heads) => [{ samples: [...heads.keys()], repeat: 0 }];

it("lanes of one isolate share the plan of their run", async () => {
  const { platform } = harness();
  const dataset = await relayDataset(platform, 30);
  const open = async (id: string) => openRun(platform, (await platform.runs.get(id))!);
  const [one, other] = [await submitRun(platform, dataset), await submitRun(platform, dataset)];
  const { plan } = await open(one);
  expect((await open(one)).plan).toBe(plan);
  expect((await open(other)).plan).not.toBe(plan);
});

it.each([
  ["Free", free, 20],
  ["Paid", planLimits.paid, 200],
] as const)(
  "many changed runs with planned tests of one account are published within the limits: %s",
  async (_, plan, models) => {
    const rig = onFree();
    const { platform, deliverAll } = rig;
    platform.settings = { ...platform.settings, plan };
    const dataset = await relayDataset(platform, 3);
    const against = await submitRun(platform, dataset, { options: oneLane });
    await deliverAll();
    const plannedTest = { metric: "passed", margin: 0.02, against };
    const run = await submitRun(platform, dataset, { options: { ...oneLane, plannedTest } });
    await deliverAll();
    await addModels(run, (await platform.runs.get(run))?.boardId ?? "", models);
    const { get } = platform.objects;
    platform.objects.get = (key) => get(key.replace(/(run_[0-9a-z]+)-\d+/, "$1"));
    await platform.publications.markChanged();
    await env.DB.prepare(
      "INSERT INTO snapshot_changes (kind, id) SELECT 'runs', id FROM runs",
    ).run();
    const each = await queriesOfPublishing(rig);
    const listed = await env.DB.prepare("SELECT id FROM snapshot_items WHERE id LIKE ?1 || '-%'")
      .bind(run)
      .all();
    expect(listed.results).toHaveLength(models);
    await env.DB.prepare("DELETE FROM runs WHERE id LIKE ?1 || '-%'").bind(run).run();
    // The rest is reserved for a ranking or for other steps of the cron job.
    expect(Math.max(...each)).toBeLessThanOrEqual(plan.queries * 0.8);
  },
);
