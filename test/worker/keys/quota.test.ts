import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { Platform } from "../../../api/platform/platform.ts";
import { type Answer, emptyAnswer } from "../../../shared/contracts/answer.ts";
import type { Usage } from "../../../shared/contracts/keys/usage.ts";
import type { Submission } from "../../../shared/contracts/submissions/submission.ts";
import { aSubmission, problemOf, serve } from "../support/client.ts";
import {
  anAccount,
  answering,
  aRow,
  emptyCommit,
  harness,
  relayDataset,
  upperCasing,
  wish,
} from "../support/harness.ts";

const noon = Date.parse("2026-11-21T12:00:00Z");
const authorization = { authorization: "Bearer k" };

/** A service with one key that has a quota, and a dataset of ten samples. */
async function setUp(dailySamples: number | null, overrides: Partial<Platform> = {}) {
  const keyId = crypto.randomUUID();
  const { platform, deliverAll } = harness({ now: () => noon, ...overrides });
  const dataset = await relayDataset(platform, 10);
  const { get, post } = serve(platform, { k: anAccount("acme", { keyId, dailySamples }) });
  return {
    platform,
    dataset,
    deliverAll,
    keyId,
    post,
    submit: (body: object = aSubmission(dataset), headers = {}) =>
      post("/v1/submissions", body, { ...authorization, ...headers }),
    usage: async () => (await (await get("/v1/usage", authorization)).json()) as Usage,
  };
}

const runOf = async (response: Response) =>
  ((await response.json()) as Submission).runs[0]?.id ?? "";

const lost = (message: string): Partial<Answer> => ({
  ...emptyAnswer,
  error: { class: "lost", message },
});

describe("a key's daily quota", () => {
  it("is charged with the submission and shown to the key", async () => {
    const { submit, usage, dataset } = await setUp(25);
    expect((await submit()).status).toBe(202);
    expect(await usage()).toMatchObject({
      day: "2026-11-21",
      usedSamples: 10,
      allowedSamples: 25,
      remainingSamples: 15,
      resetsAt: "2026-11-22T00:00:00.000Z",
    });
    const [one] = aSubmission(dataset).models;
    const two = { ...one, slug: "acme/two" };
    const both = aSubmission(dataset, { models: [one, two], options: { sample: { n: 7 } } });
    expect((await submit(both)).status).toBe(202);
    expect((await usage()).usedSamples).toBe(24);
  });

  it("refuses more with 429 until midnight, and stores nothing", async () => {
    const { submit, usage, dataset } = await setUp(15);
    await submit();
    const response = await submit();
    expect(response.status).toBe(429);
    expect(response.headers.get("retry-after")).toBe(`${12 * 3600}`);
    const problem = await problemOf(response);
    expect(problem).toMatchObject({ retryable: true });
    expect(problem.type).toContain("/errors/quota-exceeded/");
    expect(problem.detail).toContain(
      "needs 10 samples (samples × repeats × models), but of this key's daily quota of 15 samples 10 are used and 5 are left",
    );
    expect((await usage()).usedSamples).toBe(10);
    expect(await countOf("submissions", dataset)).toBe(1);
    expect(await countOf("runs", dataset)).toBe(1);
  });

  it("is enforced for concurrent submissions by a constraint of the table", async () => {
    const { submit, usage, dataset } = await setUp(35);
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async () => (await submit()).status),
    );
    expect(statuses.filter((status) => status === 202)).toHaveLength(3);
    expect(statuses.filter((status) => status === 429)).toHaveLength(5);
    expect((await usage()).usedSamples).toBe(30);
    expect(await countOf("runs", dataset)).toBe(3);
  });

  it("is not charged by a repeated request or a dry run", async () => {
    const { submit, usage, dataset, post } = await setUp(15);
    const key = { "idempotency-key": crypto.randomUUID() };
    await submit(aSubmission(dataset), key);
    expect((await submit(aSubmission(dataset), key)).status).toBe(202);
    const path = "/v1/submissions?dryRun=true";
    expect((await post(path, aSubmission(dataset), authorization)).status).toBe(200);
    expect((await usage()).usedSamples).toBe(10);
  });

  it("is charged once when the insert is repeated after a lost reply", async () => {
    const { platform } = harness();
    const insert: typeof platform.runs.insert = async (...args) => {
      expect(await platform.runs.insert(...args)).toBe("stored");
      return platform.runs.insert(...args);
    };
    const runs = { ...platform.runs, insert };
    const { submit, usage, deliverAll } = await setUp(15, { runs });
    const run = await runOf(await submit());
    expect((await usage()).usedSamples).toBe(10);
    await deliverAll();
    expect(await platform.runs.get(run)).toMatchObject({ status: "finished", done: 10 });
  });

  it("resets at midnight", async () => {
    let clock = noon;
    const { submit, usage } = await setUp(10, { now: () => clock });
    expect((await submit()).status).toBe(202);
    expect((await submit()).status).toBe(429);
    clock += 12 * 3_600_000;
    expect((await submit()).status).toBe(202);
    expect(await usage()).toMatchObject({ day: "2026-11-22", usedSamples: 10 });
  });

  it("is the deployment's for keys without one, and usage is counted even without any", async () => {
    const { settings } = harness().platform;
    const tight = await setUp(null, { settings: { ...settings, dailySampleQuota: 5 } });
    expect((await tight.submit()).status).toBe(429);
    const open = await setUp(null);
    expect((await open.submit()).status).toBe(202);
    expect(await open.usage()).toMatchObject({ usedSamples: 10, allowedSamples: null });
  });

  it("does not apply to callers without a key", async () => {
    const { platform, dataset } = await setUp(1);
    const { get, post } = serve(platform);
    expect((await post("/v1/submissions", aSubmission(dataset))).status).toBe(202);
    expect(await (await get("/v1/usage")).json()).toMatchObject({ usedSamples: null });
  });
});

describe("a run refunds", () => {
  it("nothing when all samples were evaluated", async () => {
    const { submit, usage, deliverAll } = await setUp(20);
    await submit();
    await deliverAll();
    expect((await usage()).usedSamples).toBe(10);
  });

  it("the samples that were not done when it is cancelled, once", async () => {
    const { platform, submit, usage, deliverAll } = await setUp(20);
    const run = await runOf(await submit());
    await Promise.all([platform.runs.cancel(run, noon), platform.runs.cancel(run, noon)]);
    await platform.runs.fail(run, "late", noon);
    expect((await usage()).usedSamples).toBe(0);
    await deliverAll();
    expect((await usage()).usedSamples).toBe(0);
  });

  it.each(["cancel", "fail"] as const)(
    "only samples without an answer, and charges answers that arrive after the end: %s",
    async (action) => {
      const state = { run: "", asked: 0, doneBefore: 0 };
      const { platform, usage, deliverAll, submit } = await setUp(200, {
        ask: async (...request) => {
          state.asked += 1;
          if (state.asked === 25) {
            state.doneBefore = (await platform.runs.get(state.run))?.done ?? 0;
            if (action === "cancel") await platform.runs.cancel(state.run, noon);
            else await platform.runs.fail(state.run, "broken", noon);
          }
          return upperCasing(...request);
        },
      });
      const body = aSubmission(await relayDataset(platform, 200), { options: { concurrency: 3 } });
      state.run = await runOf(await submit(body));
      await deliverAll();
      const rows = await platform.runs.samples(state.run, -1, 200);
      expect(rows.length).toBeGreaterThan(state.doneBefore);
      expect(rows.length).toBeLessThan(200);
      expect((await usage()).usedSamples).toBe(rows.length);
      await platform.runs.cancel(state.run, noon);
      expect((await usage()).usedSamples).toBe(rows.length);
    },
  );

  it("nothing for a late answer, which is stored even if the quota is used up by then", async () => {
    const { platform, usage, submit, dataset } = await setUp(10);
    const run = await runOf(await submit());
    await platform.runs.takeLease(wish(run, noon, noon + 60_000));
    await platform.runs.cancel(run, noon);
    expect((await submit()).status).toBe(202);
    const commit = { ...emptyCommit(run, noon, noon + 60_000), rows: [aRow(run, 0), aRow(run, 1)] };
    await platform.runs.commit(commit);
    await platform.runs.commit(commit);
    expect(await usage()).toMatchObject({ usedSamples: 12, remainingSamples: 0 });
    expect((await submit(aSubmission(dataset, { options: { sample: { n: 1 } } }))).status).toBe(
      429,
    );
  });

  it("the samples that were not done when it fails", async () => {
    const { platform, submit, usage } = await setUp(20);
    const run = await runOf(await submit());
    expect(await platform.runs.fail(run, "broken", noon)).toBe(true);
    expect((await usage()).usedSamples).toBe(0);
  });

  it("samples that the service lost, but no other failed samples, when it finishes", async () => {
    const { submit, usage, deliverAll } = await setUp(20, {
      ask: answering(({ messages }) => {
        const content = messages[0]?.content ?? "";
        if (/[012]$/.test(content)) return lost("gone");
        if (!content.endsWith("9")) return {};
        return { ...emptyAnswer, error: { class: "bad_request", message: "400" } };
      }),
    });
    await submit();
    await deliverAll();
    expect((await usage()).usedSamples).toBe(7);
  });

  it("on the day of the charge", async () => {
    let clock = noon;
    const { platform, submit, usage, keyId } = await setUp(20, { now: () => clock });
    const run = await runOf(await submit());
    clock += 24 * 3_600_000;
    await submit();
    await platform.runs.cancel(run, clock);
    expect((await usage()).usedSamples).toBe(10);
    expect(await platform.usage.used(keyId, "2026-11-21")).toBe(0);
  });
});

async function countOf(table: "submissions" | "runs", dataset: string) {
  const query = `SELECT count(*) AS n FROM ${table} WHERE dataset_name = ?`;
  return (await env.DB.prepare(query).bind(dataset).first<{ n: number }>())?.n;
}
