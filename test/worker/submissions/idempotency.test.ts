import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { runCron } from "../../../api/cron.ts";
import type { Platform } from "../../../api/platform/platform.ts";
import { deleteRetired } from "../../../api/publication/publish.ts";
import type { Submission } from "../../../shared/contracts/submissions/submission.ts";
import { aSubmission, problemOf, serve } from "../support/client.ts";
import { anAccount, answering, harness, relayDataset, submitRun } from "../support/harness.ts";
import { relaySuite } from "../support/relay-suite.ts";

const submissionsOn = async (dataset: string) =>
  (
    await env.DB.prepare("SELECT id FROM submissions WHERE dataset_name = ?").bind(dataset).all<{
      id: string;
    }>()
  ).results.map((row) => row.id);

const idOf = async (response: Response) => ((await response.json()) as Submission).id;

/** A new key for each test, since all share one database. */
const aKey = () => ({ "idempotency-key": crypto.randomUUID() });

async function setUp(overrides: Partial<Platform> = {}) {
  const { platform, deliverAll } = harness(overrides);
  const dataset = await relayDataset(platform, 3);
  return { platform, dataset, deliverAll, ...serve(platform) };
}

/** A platform that calls `before` before each insert. */
const insertingAfter = (platform: Platform, before: () => Promise<unknown>): Platform => ({
  ...platform,
  runs: {
    ...platform.runs,
    insert: async (...args) => {
      await before();
      return platform.runs.insert(...args);
    },
  },
});

describe("Idempotency-Key", () => {
  it("gives the same request the same submission", async () => {
    const { dataset, post } = await setUp();
    const key = aKey();
    const first = await post("/v1/submissions", aSubmission(dataset), key);
    const second = await post("/v1/submissions", aSubmission(dataset), key);
    expect([first.status, second.status]).toEqual([202, 202]);
    expect(second.headers.get("location")).toBe(first.headers.get("location"));
    expect(first.headers.get("idempotency-replayed")).toBeNull();
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect(await submissionsOn(dataset)).toEqual([await idOf(first)]);
    expect(await idOf(second)).toBe(first.headers.get("location")?.split("/").at(-1));
  });

  it("is the same with and without the quotes of the IETF draft", async () => {
    const { dataset, post } = await setUp();
    const key = aKey()["idempotency-key"];
    await post("/v1/submissions", aSubmission(dataset), { "idempotency-key": key });
    const quoted = { "idempotency-key": `"${key}"` };
    const again = await post("/v1/submissions", aSubmission(dataset), quoted);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
  });

  it("carries out one of ten concurrent requests; the others get 409 or the same submission", async () => {
    const { dataset, post } = await setUp();
    const key = aKey();
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => post("/v1/submissions", aSubmission(dataset), key)),
    );
    const accepted = responses.filter((response) => response.status === 202);
    const waiting = responses.filter((response) => response.status === 409);
    expect(accepted.length).toBeGreaterThan(0);
    expect(accepted.length + waiting.length).toBe(10);
    expect(await submissionsOn(dataset)).toHaveLength(1);
    const ids = await Promise.all(accepted.map(idOf));
    expect(new Set(ids)).toEqual(new Set(await submissionsOn(dataset)));
  });

  it("makes a second request fail with 409 while the first is being processed", async () => {
    const { platform, dataset, post } = await setUp();
    const key = aKey();
    let second: Response | undefined;
    const slow = serve(
      insertingAfter(platform, async () => {
        second = await post("/v1/submissions", aSubmission(dataset), key);
      }),
    );
    const first = await slow.post("/v1/submissions", aSubmission(dataset), key);
    expect(first.status).toBe(202);
    expect(second?.status).toBe(409);
    expect(second?.headers.get("retry-after")).toBe("2");
    expect(await problemOf(second as Response)).toMatchObject({
      retryable: true,
      type: expect.stringContaining("/errors/request-in-progress/"),
    });
  });

  it("refuses another body with the same key", async () => {
    const { dataset, post } = await setUp();
    const key = aKey();
    await post("/v1/submissions", aSubmission(dataset), key);
    const other = aSubmission(dataset, { visibility: "unlisted" });
    const response = await post("/v1/submissions", other, key);
    expect(response.status).toBe(422);
    expect((await problemOf(response)).type).toContain("/errors/idempotency-key-reused/");
    expect(await submissionsOn(dataset)).toHaveLength(1);
  });

  it("is separate for each account", async () => {
    const { platform, dataset } = await setUp();
    const { post } = serve(platform, { a: anAccount("acme"), b: anAccount("other") });
    const key = aKey();
    for (const bearer of ["a", "b"]) {
      const headers = { ...key, authorization: `Bearer ${bearer}` };
      const response = await post("/v1/submissions", aSubmission(dataset), headers);
      expect(response.headers.get("idempotency-replayed")).toBeNull();
      expect(response.status).toBe(202);
    }
    expect(await submissionsOn(dataset)).toHaveLength(2);
  });

  it("can be used again after a refused request", async () => {
    const { dataset, post } = await setUp();
    const key = aKey();
    expect((await post("/v1/submissions", aSubmission("none"), key)).status).toBe(422);
    expect((await post("/v1/submissions", aSubmission(dataset), key)).status).toBe(202);
  });

  it("leads to one submission if the first request fails before or after it is stored", async () => {
    const { platform, dataset, post } = await setUp();
    const key = aKey();
    const broken = serve(insertingAfter(platform, () => Promise.reject(new Error("down"))));
    expect((await broken.post("/v1/submissions", aSubmission(dataset), key)).status).toBe(500);
    expect(await submissionsOn(dataset)).toEqual([]);
    const mute = serve({
      ...platform,
      queues: { ...platform.queues, lanes: () => Promise.reject(new Error("down")) },
    });
    expect((await mute.post("/v1/submissions", aSubmission(dataset), key)).status).toBe(500);
    const [stored] = await submissionsOn(dataset);
    const again = await post("/v1/submissions", aSubmission(dataset), key);
    expect(await idOf(again)).toBe(stored);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
  });

  it("leads to one submission if a request that seemed dead was only slow", async () => {
    let clock = Date.now();
    const { platform, dataset, post } = await setUp({ now: () => clock });
    const key = aKey();
    let second: Response | undefined;
    const slow = serve(
      insertingAfter(platform, async () => {
        clock += 60_000;
        second = await post("/v1/submissions", aSubmission(dataset), key);
      }),
    );
    const first = await slow.post("/v1/submissions", aSubmission(dataset), key);
    expect([first.status, second?.status]).toEqual([202, 202]);
    expect(await idOf(first)).toBe(await idOf(second as Response));
    expect(await submissionsOn(dataset)).toHaveLength(1);
    const runs = await env.DB.prepare("SELECT count(*) AS n FROM runs WHERE dataset_name = ?")
      .bind(dataset)
      .first();
    expect(runs).toEqual({ n: 1 });
  });

  it("expires after a day, for requests and for the cron job", async () => {
    let clock = Date.now();
    const { platform, dataset, post } = await setUp({ now: () => clock });
    const key = aKey();
    await post("/v1/submissions", aSubmission(dataset), key);
    clock += 23 * 3_600_000;
    await runCron(platform);
    const kept = await post("/v1/submissions", aSubmission(dataset), key);
    expect(kept.headers.get("idempotency-replayed")).toBe("true");
    clock += 2 * 3_600_000;
    const fresh = await post("/v1/submissions", aSubmission(dataset), key);
    expect(fresh.headers.get("idempotency-replayed")).toBeNull();
    expect(await submissionsOn(dataset)).toHaveLength(2);
    clock += 25 * 3_600_000;
    await runCron(platform);
    const left = await env.DB.prepare("SELECT key FROM idempotency_keys WHERE key = ?")
      .bind(key["idempotency-key"])
      .all();
    expect(left.results).toEqual([]);
  });

  it("applies to rescoring, too", async () => {
    const { platform, dataset, deliverAll } = await setUp();
    const run = await submitRun(platform, dataset);
    await deliverAll();
    const suite = { ...relaySuite, version: "2" };
    const suites = { all: [suite], byId: () => suite };
    const { post } = serve({ ...platform, suites }, { k: anAccount("acme") });
    const headers = { ...aKey(), authorization: "Bearer k" };
    const first = await post(`/v1/runs/${run}/rescore`, {}, headers);
    expect(first.status).toBe(202);
    const second = await post(`/v1/runs/${run}/rescore`, {}, headers);
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect(await idOf(second)).toBe(await idOf(first));
    expect(await submissionsOn(dataset)).toHaveLength(2);
    expect((await post("/v1/submissions", aSubmission(dataset), headers)).status).toBe(422);
  });

  it("applies to a retry, which is carried out once", async () => {
    const error = { class: "timeout" as const, message: "late" };
    let isMended = false;
    const ask = answering(({ messages }) =>
      !isMended && messages[0]?.content === "word 1" ? { error } : {},
    );
    let clock = Date.now();
    const { platform, dataset, deliverAll } = await setUp({ ask, now: () => clock });
    const run = await submitRun(platform, dataset);
    await deliverAll();
    const { post } = serve(platform, { k: anAccount("acme") });
    const headers = { ...aKey(), authorization: "Bearer k" };
    const retry = (more = {}) =>
      post(`/v1/runs/${run}/retry`, { endpoint: { apiKey: "sk-again" } }, { ...headers, ...more });
    const first = await retry();
    expect([first.status, first.headers.get("idempotency-replayed")]).toEqual([200, null]);
    const second = await retry();
    expect([second.status, second.headers.get("idempotency-replayed")]).toEqual([200, "true"]);
    expect(await second.json()).toMatchObject({ id: run, status: "running" });
    await deliverAll();
    clock += 60_000;
    isMended = true;
    const third = await retry();
    expect(third.headers.get("idempotency-replayed")).toBe("true");
    expect(await third.json()).toMatchObject({ status: "finished", progress: { failed: 1 } });
    expect((await retry(aKey())).headers.get("idempotency-replayed")).toBeNull();
    await deliverAll();
    expect((await retry()).headers.get("idempotency-replayed")).toBe("true");
    expect((await platform.runs.get(run))?.notes).toHaveLength(2);
    expect((await platform.runs.get(run))?.failed).toBe(0);
    expect((await post(`/v1/runs/${run}/retry`, {}, headers)).status).toBe(422);
  });

  it("leads to the same retry if the first request died before it sent messages to lanes", async () => {
    const ask = answering(() => ({ error: { class: "timeout", message: "late" } }));
    const { platform, dataset, deliverAll } = await setUp({ ask });
    const run = await submitRun(platform, dataset);
    await deliverAll();
    const headers = { ...aKey(), authorization: "Bearer k" };
    const body = { endpoint: { apiKey: "sk-again" } };
    const queues = {
      ...platform.queues,
      lanes: () => Promise.reject(new Error("the Worker dies")),
    };
    const accounts = { k: anAccount("acme") };
    const dying = serve({ ...platform, queues }, accounts);
    expect((await dying.post(`/v1/runs/${run}/retry`, body, headers)).status).toBe(500);
    const again = await serve(platform, accounts).post(`/v1/runs/${run}/retry`, body, headers);
    expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([200, "true"]);
    expect((await platform.runs.get(run))?.retries).toHaveLength(1);
  });

  it.each([
    ["empty", '""'],
    ["too long", "x".repeat(256)],
    ["not visible ASCII", "two words"],
  ])("that is %s is refused as a parameter", async (_case, key) => {
    const { dataset, post } = await setUp();
    const headers = { "idempotency-key": key };
    const response = await post("/v1/submissions", aSubmission(dataset), headers);
    expect(response.status).toBe(422);
    expect((await problemOf(response)).errors?.[0]).toMatchObject({ parameter: "idempotency-key" });
    expect(await submissionsOn(dataset)).toEqual([]);
  });
});

describe("answers of a submission that is not stored", () => {
  /** A service with a clock, a submission with answers, and the stored folders of its runs. */
  async function withAnswers() {
    const clock = { now: Date.now() };
    const { platform } = harness({ now: () => clock.now });
    const answers = [0, 1].map((i) => ({ id: `s${i}`, output: "a secret answer" }));
    const body = {
      suite: "relay",
      dataset: await relayDataset(platform, 2),
      visibility: "private",
      models: [{ name: "M", answers }],
    };
    const { post } = serve(platform, { acme: anAccount("acme") });
    const headers = { authorization: "Bearer acme", "idempotency-key": crypto.randomUUID() };
    const { RESULTS } = env as unknown as { RESULTS: R2Bucket };
    const all = async () => (await RESULTS.list({ prefix: "runs/" })).objects.map(({ key }) => key);
    const before = await all();
    return {
      platform,
      clock,
      submitOnce: async () => {
        const reply = await post("/v1/submissions", body, headers);
        const { runs = [] } = (await reply.json()) as { runs?: { id: string }[] };
        return { status: reply.status, run: runs[0]?.id };
      },
      folders: async () => {
        const added = (await all()).filter((key) => !before.includes(key));
        return [...new Set(added.map((key) => key.split("/")[1]))];
      },
      sweep: async (ms: number) => {
        clock.now += ms;
        await deleteRetired(platform);
      },
    };
  }

  it("are deleted after an hour if storing failed, and answers of the next attempt stay", async () => {
    const rig = await withAnswers();
    const { insert } = rig.platform.runs;
    rig.platform.runs.insert = async () => {
      throw new Error("D1_ERROR: Network connection lost");
    };
    expect((await rig.submitOnce()).status).toBe(500);
    rig.platform.runs.insert = insert;
    const { status, run } = await rig.submitOnce();
    expect(status).toBe(202);
    await rig.sweep(59 * 60_000);
    expect(await rig.folders()).toHaveLength(2);
    await rig.sweep(2 * 60_000);
    expect(await rig.folders()).toEqual([run]);
  });

  it("are deleted at once if a faster request with the same key was stored", async () => {
    const rig = await withAnswers();
    const { insert } = rig.platform.runs;
    let proceed = () => {};
    const waits = new Promise<void>((resolve) => (proceed = resolve));
    const begun = new Promise<void>((begin) => {
      rig.platform.runs.insert = async (...args) => {
        rig.platform.runs.insert = insert;
        begin();
        await waits;
        return insert(...args);
      };
    });
    const slow = rig.submitOnce();
    await begun;
    rig.clock.now += 31_000;
    const { run } = await rig.submitOnce();
    proceed();
    expect(await slow).toEqual({ status: 202, run });
    expect(await rig.folders()).toEqual([run]);
    await rig.sweep(2 * 3_600_000);
    expect(await rig.folders()).toEqual([run]);
  });

  it.each([true, false])(
    "stay if the submission was stored and only the reply was lost; insert repeated: %s",
    async (isRepeated) => {
      const rig = await withAnswers();
      const { insert } = rig.platform.runs;
      rig.platform.runs.insert = async (...args) => {
        rig.platform.runs.insert = insert;
        await insert(...args);
        if (!isRepeated) throw new Error("D1_ERROR: Network connection lost");
        return insert(...args);
      };
      expect((await rig.submitOnce()).status).toBe(isRepeated ? 202 : 500);
      const { run } = await rig.submitOnce();
      await rig.sweep(2 * 3_600_000);
      expect(await rig.folders()).toEqual([run]);
    },
  );
});
