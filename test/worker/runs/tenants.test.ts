import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { promptHashOf } from "../../../api/boards/board-identity.ts";
import { judgmentCache } from "../../../api/judging/judgment-cache.ts";
import { republishDue } from "../../../api/publication/republish-board.ts";
import type { Json } from "../../../shared/contracts/json.ts";
import type { ApiKey } from "../../../shared/contracts/keys/api-key.ts";
import type { Suite } from "../../../shared/contracts/suite.ts";
import { problemOf } from "../support/client.ts";
import { harness, relayDataset } from "../support/harness.ts";
import { hosted, listedBoards, someRows } from "../support/hosted.ts";
import { relaySuite } from "../support/relay-suite.ts";

const { DB } = env as unknown as { DB: D1Database };

describe("the cache of judgments", () => {
  it("keeps the first judgment of each key, and loses none of a concurrent run", async () => {
    const { platform } = harness();
    const route = { provider: "openai", model: "m" };
    const answer = crypto.randomUUID();
    const [one, two] = [
      judgmentCache(platform, { id: "run_1", owner: "acme" }, answer),
      judgmentCache(platform, { id: "run_1", owner: "acme" }, answer),
    ];
    expect([await one.find(route, "k1"), await two.find(route, "k1")]).toEqual([null, null]);
    one.add(route, "k1", { judge: "m", judgment: 1 });
    two.add(route, "k1", { judge: "m", judgment: 2 });
    two.add(route, "k2", { judge: "m", judgment: 3 });
    await one.keep();
    await two.keep();
    const later = judgmentCache(platform, { id: "run_1", owner: "acme" }, answer);
    expect(await later.find(route, "k1")).toEqual({ judge: "m", judgment: 1 });
    expect(await later.find(route, "k2")).toEqual({ judge: "m", judgment: 3 });
  });
});

describe("accounts", () => {
  it.each(["stock", "assay", "st0ck", "a5say", "g1obex", "giobex", "glo-bex"])(
    "cannot have the name %s",
    async (owner) => {
      const { platform, call } = hosted();
      await platform.accounts.reserve("globex", 0);
      const body = JSON.stringify({ owner, name: "job" });
      const reply = await call("root", "POST", "/v1/keys", body, "application/json");
      expect(reply.status).toBe(422);
      expect((await problemOf(reply)).errors?.[0]?.pointer).toBe("/owner");
    },
  );

  it("may have any number of keys", async () => {
    const { call } = hosted();
    const body = JSON.stringify({ owner: "initech", name: "job" });
    for (let i = 0; i < 2; i++) {
      const created = await call("root", "POST", "/v1/keys", body, "application/json");
      expect(created.status).toBe(201);
    }
  });
});

describe("lists of keys, schedules, webhooks and re-publications", () => {
  it("have pages with a cursor", async () => {
    const { call } = hosted();
    for (const owner of ["one", "two", "three"]) {
      await call(
        "root",
        "POST",
        "/v1/keys",
        JSON.stringify({ owner, name: "job" }),
        "application/json",
      );
    }
    const page = async (path: string) =>
      (await (await call("root", "GET", path)).json()) as { keys: ApiKey[]; nextCursor: string };
    const first = await page("/v1/keys?limit=2");
    expect(first.keys).toHaveLength(2);
    const second = await page(`/v1/keys?limit=2&cursor=${first.nextCursor}`);
    expect(second.keys.length).toBeGreaterThan(0);
    const ids = [...first.keys, ...second.keys].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const path of ["schedules", "webhooks", "republications"]) {
      expect(await page(`/v1/${path}?limit=1`)).toHaveProperty("nextCursor");
      expect((await call("root", "GET", `/v1/${path}?limit=1000`)).status).toBe(422);
      expect((await call("root", "GET", `/v1/${path}?cursor=x`)).status).toBe(422);
    }
  });
});

describe("limits of an account", () => {
  const limited = (names: number | null, versions: number | null, bytes: number | null) => {
    const { platform } = harness();
    const ownerLimits = { ...platform.settings.ownerLimits, datasets: { names, versions, bytes } };
    return hosted({ settings: { ...platform.settings, ownerLimits } });
  };
  const anOwner = () => `o${crypto.randomUUID().slice(0, 8)}`;

  it("apply to the number of datasets, and /v1/usage shows them", async () => {
    const { upload, call } = limited(2, null, null);
    const owner = anOwner();
    for (const name of ["a", "b"]) {
      expect((await upload(owner, `${owner}/${name}`, someRows().ordered)).status).toBe(201);
    }
    const third = await upload(owner, `${owner}/c`, someRows().ordered);
    expect([third.status, (await problemOf(third)).detail]).toEqual([
      409,
      expect.stringContaining(`"${owner}" has 2 of 2 datasets`),
    ]);
    expect((await upload(owner, `${owner}/a`, someRows().ordered)).status).toBe(201);
    expect(await (await call(owner, "GET", "/v1/usage")).json()).toMatchObject({
      owner,
      datasets: { used: 2, allowed: 2 },
      datasetVersions: { used: 3, allowed: null },
      boards: { used: 0, allowed: null },
    });
    await call(owner, "DELETE", `/v1/datasets/relay/${owner}/a`);
    expect((await upload(owner, `${owner}/c`, someRows().ordered)).status).toBe(201);
  });

  it("apply to versions and bytes, but not to an upload of the same rows", async () => {
    const owner = anOwner();
    const { ordered } = someRows();
    const versions = limited(null, 1, null);
    expect((await versions.upload(owner, `${owner}/a`, ordered)).status).toBe(201);
    expect((await versions.upload(owner, `${owner}/a`, ordered)).status).toBe(201);
    expect((await versions.upload(owner, `${owner}/a`, someRows().ordered)).status).toBe(409);
    const bytes = limited(null, null, ordered.join("\n").length + 10);
    expect((await bytes.upload(owner, `${owner}/a`, someRows().ordered)).status).toBe(409);
    expect((await bytes.upload("root", `${owner}/a`, someRows().ordered)).status).toBe(201);
  });

  it("apply to concurrent uploads", async () => {
    const { upload } = limited(1, null, null);
    const owner = anOwner();
    const names = ["a", "b", "c", "d"].map((name) => `${owner}/${name}`);
    const replies = await Promise.all(names.map((name) => upload(owner, name, someRows().ordered)));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  });
});

describe("boards", () => {
  const answers = [
    { id: "s0", output: "x" },
    { id: "s1", output: "y" },
  ];
  const submission = (dataset: string, slug: string, more: object = {}, options: object = {}) =>
    JSON.stringify({
      suite: "relay",
      dataset,
      visibility: "public",
      options,
      models: [{ name: "M", slug, answers, ...more }],
    });
  const submit = (call: ReturnType<typeof hosted>["call"], as: string, body: string) =>
    call(as, "POST", "/v1/submissions", body, "application/json");

  /** A suite with an option that changes scores, so each value has its own board. */
  const scoredSuite: Suite = {
    ...relaySuite,
    optionsSchema: z.strictObject({ points: z.number().default(1) }),
    scoringOptions: (options) => options as Json,
  };

  it("are not made by declared prompts: answers with other prompts are unranked on one board", async () => {
    const { call, platform, deliverAll } = hosted();
    const dataset = await relayDataset(platform, 2);
    const prompts = ["a".repeat(64), "b".repeat(64), undefined];
    for (const [i, promptHash] of prompts.entries()) {
      const body = submission(dataset, `acme/m${i}`, promptHash ? { promptHash } : {});
      expect((await submit(call, "acme", body)).status).toBe(202);
    }
    const endpoint = { baseUrl: "http://127.0.0.1:8790/v1", model: "m" };
    const called = { answers: undefined, endpoint, promptHash: "c".repeat(64) };
    expect((await submit(call, "acme", submission(dataset, "acme/called", called))).status).toBe(
      202,
    );
    await deliverAll();
    const boards = await listedBoards(platform, dataset);
    expect(boards).toHaveLength(1);
    const entries = boards[0]?.entries ?? [];
    expect(entries.map(({ model, rank }) => [model.slug, rank === null])).toEqual([
      ["acme/called", false],
      ...["acme/m0", "acme/m1", "acme/m2"].map((slug) => [slug, true]),
    ]);
    const made = DB.prepare("SELECT count(*) AS n FROM boards WHERE dataset_name = ?1");
    expect(await made.bind(dataset).first("n")).toBe(1);
  });

  it("rank answers with the suite's prompt, and keep them over later answers without a prompt", async () => {
    const { call, platform, deliverAll } = hosted();
    const dataset = await relayDataset(platform, 2);
    const promptHash = promptHashOf(relaySuite, relaySuite.optionsSchema.parse({}));
    await submit(call, "acme", submission(dataset, "acme/known", { promptHash }));
    await deliverAll();
    await submit(call, "acme", submission(dataset, "acme/known"));
    await deliverAll();
    const board = await platform.boards.find("relay", dataset, null);
    expect(board?.entries).toMatchObject([{ model: { slug: "acme/known" }, rank: 1 }]);
  });

  it("of other options than the standard ones are unlisted, and limited per account", async () => {
    const { platform: plain } = harness({
      suites: { all: [scoredSuite], byId: () => scoredSuite },
    });
    const ownerLimits = { ...plain.settings.ownerLimits, boards: 2 };
    const rig = hosted({
      suites: { all: [scoredSuite], byId: () => scoredSuite },
      settings: { ...plain.settings, ownerLimits },
    });
    const { call, platform, deliverAll } = rig;
    const dataset = await relayDataset(platform, 2);
    const owner = `o${crypto.randomUUID().slice(0, 8)}`;
    const endpoint = { baseUrl: "http://127.0.0.1:8790/v1", model: "m" };
    const asked = { answers: undefined, endpoint };
    const replies: number[] = [];
    for (const points of [1, 2, 3, 4]) {
      const body = submission(dataset, `${owner}/m`, asked, { points });
      replies.push((await submit(call, owner, body)).status);
    }
    expect(replies).toEqual([202, 202, 202, 422]);
    const again = submission(dataset, `${owner}/other`, asked, { points: 3 });
    expect((await submit(call, owner, again)).status).toBe(202);
    await deliverAll();
    const listed = await listedBoards(platform, dataset);
    expect(listed.map(({ isDefault }) => isDefault)).toEqual([true]);
    expect(await (await call(owner, "GET", "/v1/usage")).json()).toMatchObject({
      boards: { used: 2, allowed: 2 },
    });
    const refused = await submit(
      call,
      owner,
      submission(dataset, `${owner}/m`, asked, { points: 5 }),
    );
    expect((await problemOf(refused)).errors?.[0]).toMatchObject({
      pointer: "/options",
      detail: expect.stringContaining("has 2 of 2 such boards"),
    });
  });

  it("of other options stay unlisted when their answers are rescored", async () => {
    let version = "1";
    const suite = {
      ...scoredSuite,
      scoringOptions: (options: unknown) => [version, options] as Json,
    };
    const suites = {
      get all() {
        return [{ ...suite, version }];
      },
      byId: () => ({ ...suite, version }),
    };
    const { call, platform, deliverAll } = hosted({ suites });
    const dataset = await relayDataset(platform, 2);
    const endpoint = { baseUrl: "http://127.0.0.1:8790/v1", model: "m" };
    const asked = { answers: undefined, endpoint };
    for (const points of [1, 2]) {
      const body = submission(dataset, "acme/m", asked, { points });
      expect((await submit(call, "acme", body)).status).toBe(202);
    }
    await deliverAll();
    version = "2";
    const rows = DB.prepare(
      "SELECT is_default, made_by FROM boards WHERE dataset_name = ?1 AND suite_version = '2' ORDER BY 1",
    );
    const again = async () => (await rows.bind(dataset).all()).results;
    // Each cron run starts a few boards, also boards of other tests.
    for (let cronRuns = 0; cronRuns < 20 && (await again()).length < 2; cronRuns++) {
      await republishDue(platform);
      await deliverAll();
    }
    expect(await again()).toEqual([
      { is_default: 0, made_by: "acme" },
      { is_default: 1, made_by: null },
    ]);
    const listed = await listedBoards(platform, dataset);
    expect(listed.every(({ isDefault }) => isDefault)).toBe(true);
  });

  it("have a limit of models per account", async () => {
    const { platform: plain } = harness();
    const ownerLimits = { ...plain.settings.ownerLimits, boardModels: 2 };
    const { call, platform } = hosted({ settings: { ...plain.settings, ownerLimits } });
    const dataset = await relayDataset(platform, 2);
    const tried: number[] = [];
    for (const slug of ["acme/a", "acme/b", "acme/c", "acme/a"]) {
      tried.push((await submit(call, "acme", submission(dataset, slug))).status);
    }
    expect(tried).toEqual([202, 202, 422, 202]);
    expect((await submit(call, "rival", submission(dataset, "rival/a"))).status).toBe(202);
  });

  it("share a limit of the plan fairly among accounts, and unlisted runs do not count", async () => {
    const { platform: plain } = harness();
    const plan = { ...plain.settings.plan, boardModels: 4 };
    const { call } = hosted({ settings: { ...plain.settings, plan } });
    const dataset = await relayDataset(plain, 2);
    const statuses = async (owner: string, names: string[], seen = "public") => {
      const replies: number[] = [];
      for (const name of names) {
        const body = submission(dataset, `${owner}/${name}`).replace('"public"', `"${seen}"`);
        replies.push((await submit(call, owner, body)).status);
      }
      return replies;
    };
    const unlisted = await statuses("spam", ["c", "d", "e", "f"], "unlisted");
    expect(unlisted).toEqual([202, 202, 202, 202]);
    expect(await statuses("acme", ["a", "b"])).toEqual([202, 422]);
    const others = await Promise.all(["b", "c", "d"].map((who) => statuses(who, ["a"])));
    expect(others.flat()).toEqual([202, 202, 202]);
    expect(await statuses("e", ["a"])).toEqual([422]);
  });
});
