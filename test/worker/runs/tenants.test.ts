import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createApp } from "../../../api/app.ts";
import { promptHashOf } from "../../../api/boards/board-identity.ts";
import { judgmentCache } from "../../../api/judging/judge-answer.ts";
import type { ApiKeyRecord } from "../../../api/keys/schema.ts";
import type { Platform } from "../../../api/platform/platform.ts";
import { publish } from "../../../api/publication/publish.ts";
import { republishDue } from "../../../api/publication/republish-board.ts";
import { cleanUp } from "../../../api/runs/clean-up.ts";
import type { Dataset, ListedDataset } from "../../../shared/contracts/datasets/dataset.ts";
import type { Json } from "../../../shared/contracts/json.ts";
import type { ApiKey } from "../../../shared/contracts/submissions/api-key.ts";
import type { Suite } from "../../../shared/contracts/suite.ts";
import { problemOf } from "../support/client.ts";
import { anAccount, harness, relayDataset, submitRun } from "../support/harness.ts";
import { latestSnapshot } from "../support/latest-snapshot.ts";
import { relaySuite } from "../support/relay-suite.ts";

const { RESULTS: bucket, DB } = env as unknown as { RESULTS: R2Bucket; DB: D1Database };

const HOUR_MS = 3_600_000;

const aKey = (owner: string): ApiKeyRecord => ({
  hash: crypto.randomUUID(),
  id: `key_${crypto.randomUUID()}`,
  owner,
  name: "job",
  scopes: ["submit"],
  createdAt: Date.now(),
  expiresAt: null,
  dailySamples: null,
  revokedAt: null,
  lastUsedAt: null,
});

/** A service that asks for keys; each key is an account of that name, and "root" may do all. */
function hosted(overrides: Partial<Platform> = {}) {
  const { platform, ...rest } = harness(overrides);
  const asked = { ...platform, settings: { ...platform.settings, requireApiKey: true } };
  const app = createApp({
    platform: () => asked,
    account: async (_c, key) =>
      anAccount(key, key === "root" ? { scopes: ["admin", "submit"] } : {}),
    site: async () => new Response("the site"),
  });
  const call = (
    as: string | null,
    method: string,
    path: string,
    body?: BodyInit,
    type = "application/jsonl",
  ) =>
    app.request(`http://assay.test${path}`, {
      method,
      headers: {
        "content-type": type,
        ...(as !== null && { authorization: `Bearer ${as}` }),
      },
      ...(body !== undefined && { body }),
    });
  const upload = (as: string, name: string, rows: readonly string[], more = "") =>
    call(as, "POST", `/v1/datasets?suite=relay&name=${name}${more}`, rows.join("\n"));
  return { ...rest, platform: asked, call, upload };
}

/** Rows of their own for each test: versions are shared by all that have the same. */
function someRows(count = 2) {
  const tag = crypto.randomUUID();
  const rows = Array.from({ length: count }, (_, i) => ({
    id: `s${i}`,
    first: `word ${tag} ${i}`,
    expected: "X",
  }));
  return {
    ordered: rows.map((row) => JSON.stringify(row)),
    turned: rows.map(({ id, first, expected }) => JSON.stringify({ expected, first, id })),
  };
}

/** The boards of a dataset that a snapshot of this moment lists. */
async function listedBoards(platform: Platform, dataset: string) {
  await publish(platform);
  const { boards } = await latestSnapshot(platform);
  return boards.filter((board) => board.dataset.name === dataset);
}

const stored = async (reply: Response) => (await reply.json()) as Dataset;

async function bytesOf(version: string): Promise<Record<string, string>> {
  const { objects } = await bucket.list({ prefix: `datasets/relay/${version}/` });
  const texts = objects.map(async ({ key }) => [key, await (await bucket.get(key))?.text()]);
  return Object.fromEntries(await Promise.all(texts)) as Record<string, string>;
}

describe("a version that two accounts have", () => {
  it("is another one where keys are in another order, in which models are shown them", async () => {
    const { upload } = hosted();
    const { ordered, turned } = someRows(130);
    const { version } = await stored(await upload("acme", "acme/first", turned));
    const before = await bytesOf(version);
    expect(Object.keys(before)).toHaveLength(3);
    expect(before[`datasets/relay/${version}/rows-1.json`]).toMatch(
      /^\[\{"expected":"X","first":"word [^"]*","id":"s100"\}/,
    );
    expect((await stored(await upload("rival", "rival/turned", ordered))).version).not.toBe(
      version,
    );
    const spaced = turned.map((row) => row.replaceAll('":', '" : '));
    expect((await stored(await upload("rival", "rival/same", spaced))).version).toBe(version);
    expect(await bytesOf(version)).toEqual(before);
  });

  it("keeps every byte that is stored, also of an earlier layout, when another uploads the same rows", async () => {
    const { upload, platform } = hosted();
    const { ordered } = someRows();
    const { version } = await stored(await upload("acme", "acme/first", ordered));
    const key = `datasets/relay/${version}/rows-0.json`;
    const asUploaded = `[${ordered.join(", ")}]`;
    await bucket.put(key, asUploaded);
    expect((await stored(await upload("rival", "rival/same", ordered))).version).toBe(version);
    expect(await (await bucket.get(key))?.text()).toBe(asUploaded);
    expect(await platform.datasets.row("relay", version, 1)).toEqual(JSON.parse(ordered[1] ?? ""));
  });

  it("has the same rows to download for both, which make the same version again", async () => {
    const { upload, call } = hosted();
    const { ordered } = someRows();
    await upload("acme", "acme/mine", ordered);
    await upload("rival", "rival/mine", ordered);
    const rowsOf = async (name: string) =>
      (await call(null, "GET", `/v1/dataset.jsonl?suite=relay&dataset=${name}`)).text();
    expect(await rowsOf("acme/mine")).toBe(await rowsOf("rival/mine"));
    expect((await rowsOf("acme/mine")).trimEnd().split("\n")).toEqual(ordered);
  });

  it("stays private under one name while it is public under another", async () => {
    const { upload, call } = hosted();
    const { ordered } = someRows();
    await upload("acme", "acme/secret", ordered, "&visibility=private");
    await upload("rival", "rival/open", ordered);
    const read = async (as: string | null, name: string) =>
      (await call(as, "GET", `/v1/dataset.jsonl?suite=relay&dataset=${name}`)).status;
    expect(await read("rival", "acme/secret")).toBe(404);
    expect(await read(null, "acme/secret")).toBe(404);
    expect(await read("acme", "acme/secret")).toBe(200);
    expect(await read(null, "rival/open")).toBe(200);
  });
});

describe("what is kept of judges", () => {
  it("is the judgment of a key that came first, and none of another run is lost", async () => {
    const { platform } = harness();
    const route = { provider: "openai", model: "m" };
    const parts = { suite: "relay", about: crypto.randomUUID(), answer: "x" };
    const [one, two] = [
      judgmentCache(platform.objects, parts),
      judgmentCache(platform.objects, parts),
    ];
    expect([await one.find(route, "k1"), await two.find(route, "k1")]).toEqual([null, null]);
    one.add(route, "k1", { judge: "m", judgment: 1 });
    two.add(route, "k1", { judge: "m", judgment: 2 });
    two.add(route, "k2", { judge: "m", judgment: 3 });
    await one.keep();
    await two.keep();
    const later = judgmentCache(platform.objects, parts);
    expect(await later.find(route, "k1")).toEqual({ judge: "m", judgment: 1 });
    expect(await later.find(route, "k2")).toEqual({ judge: "m", judgment: 3 });
  });
});

describe("names of datasets", () => {
  const unseen = () => crypto.randomUUID().slice(0, 8);
  const nameProblem = async (reply: Response) => {
    const { errors, detail } = await problemOf(reply);
    return [reply.status, detail, errors?.map(({ parameter }) => parameter)];
  };
  const refused = [422, "nothing was stored: take another name", ["name"]];

  it("are an account's under its own prefix, and under no other", async () => {
    const { upload } = hosted();
    const { ordered } = someRows();
    expect((await upload("acme", `acme/${unseen()}`, ordered)).status).toBe(201);
    for (const name of [`rival/${unseen()}`, `Acme/${unseen()}`, `acme.x/${unseen()}`, unseen()]) {
      expect(await nameProblem(await upload("acme", name, ordered))).toEqual(refused);
    }
  });

  it.each([
    "stock",
    "Stock",
    "STOCK",
    "st0ck",
    "5tock",
    "sto-ck",
    "stock.",
    "%EF%BD%93tock",
    "stoc%E2%80%8Bk",
  ])("are not made by a stranger as %s", async (name) => {
    const { upload } = hosted();
    expect((await upload("acme", name, someRows().ordered)).status).toBe(422);
  });

  it("are not made by an admin either where they read like the service's or an account's", async () => {
    const { upload, platform } = hosted();
    await platform.apiKeys.insert(aKey("umbrella"));
    const { ordered } = someRows();
    for (const name of ["St0ck", "umbre11a", "urnbrella/x", "Umbrella"]) {
      const reply = await upload("root", name, ordered);
      expect([name, reply.status]).toEqual([name, 422]);
      expect((await problemOf(reply)).errors?.[0]?.detail).toContain("reads like");
    }
    expect((await upload("root", "stock", ordered)).status).toBe(201);
    expect((await upload("root", "umbrella/x", someRows().ordered)).status).toBe(201);
  });

  it("may be anything behind an account's own prefix", async () => {
    const { upload } = hosted();
    expect((await upload("acme", "acme/st0ck", someRows().ordered)).status).toBe(201);
  });

  it("belong to the account of their prefix, also where an admin made them", async () => {
    const { upload } = hosted();
    const name = `acme/${unseen()}`;
    expect((await upload("root", name, someRows().ordered)).status).toBe(201);
    expect((await upload("acme", name, someRows().ordered)).status).toBe(201);
  });

  it("of earlier versions stay with who made them, and take new versions", async () => {
    const { upload, call } = hosted();
    const name = `plain-${unseen()}`;
    await upload("root", name, someRows().ordered);
    await DB.prepare("UPDATE datasets SET owner = 'acme' WHERE name = ?1").bind(name).run();
    expect((await upload("acme", name, someRows().ordered)).status).toBe(201);
    const read = await call(null, "GET", `/v1/dataset.jsonl?suite=relay&dataset=${name}`);
    expect(read.status).toBe(200);
  });

  it("of others are refused in the same words, whether they are taken or not", async () => {
    const { upload } = hosted();
    const [secret, free] = [unseen(), unseen()];
    await upload("rival", `rival/${secret}`, someRows().ordered, "&visibility=unlisted");
    await upload("root", `plain-${secret}`, someRows().ordered, "&visibility=unlisted");
    const said = async (name: string) => {
      const { requestId: _, ...body } = await problemOf(
        await upload("acme", name, someRows().ordered),
      );
      return JSON.stringify(body);
    };
    expect(await said(`rival/${secret}`)).toBe(await said(`rival/${free}`));
    expect((await said(`plain-${secret}`)).replaceAll(secret, free)).toBe(
      await said(`plain-${free}`),
    );
  });
});

describe("accounts", () => {
  it.each(["stock", "assay", "st0ck", "a5say", "g1obex", "giobex", "glo-bex"])(
    "are not called %s",
    async (owner) => {
      const { platform, call } = hosted();
      await platform.apiKeys.insert(aKey("globex"));
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
      const made = await call("root", "POST", "/v1/keys", body, "application/json");
      expect(made.status).toBe(201);
    }
  });
});

describe("GET /v1/datasets", () => {
  it("gives pages that follow each other, without notes on rows", async () => {
    const { upload, call } = hosted();
    const owner = `o${crypto.randomUUID().slice(0, 8)}`;
    const bad = '{"id":"bad"}';
    for (let i = 0; i < 5; i++) {
      await upload(
        owner,
        `${owner}/set-${i % 3}`,
        [...someRows().ordered, bad],
        "&allowPartial=true",
      );
    }
    const seen: ListedDataset[] = [];
    let cursor: string | null = "";
    let pages = 0;
    while (cursor !== null && pages < 10) {
      const more: string = cursor === "" ? "" : `&cursor=${cursor}`;
      const reply = await call(owner, "GET", `/v1/datasets?suite=relay&mine=true&limit=2${more}`);
      const page = (await reply.json()) as { datasets: ListedDataset[]; nextCursor: string | null };
      expect(page.datasets.length).toBeLessThanOrEqual(2);
      seen.push(...page.datasets);
      cursor = page.nextCursor;
      pages++;
    }
    expect([pages, seen.length]).toEqual([3, 5]);
    expect(new Set(seen.map(({ version }) => version)).size).toBe(5);
    expect(seen.map(({ name }) => name)).toEqual([0, 0, 1, 1, 2].map((i) => `${owner}/set-${i}`));
    expect(seen[0]).toMatchObject({ malformedCount: 1, warningCount: 0 });
    expect(seen[0]).not.toHaveProperty("malformed");
    const [first] = seen;
    const own = await call(null, "GET", `/v1/datasets/relay/${first?.name}@${first?.version}`);
    expect((await stored(own)).malformed).toMatchObject([{ line: 3, id: "bad" }]);
  });

  it("refuses a cursor of its own making, and more than a page", async () => {
    const { call } = hosted();
    for (const query of ["cursor=nonsense", `cursor=${btoa("[1,2]")}`, "limit=0", "limit=100000"]) {
      expect((await call(null, "GET", `/v1/datasets?${query}`)).status).toBe(422);
    }
    expect((await call(null, "GET", "/v1/datasets?mine=true")).status).toBe(401);
  });

  it("lists unlisted versions for their owner alone", async () => {
    const { upload, call } = hosted();
    const name = `acme/${crypto.randomUUID().slice(0, 8)}`;
    await upload("acme", name, someRows().ordered, "&visibility=unlisted");
    const listed = async (as: string | null, query: string) =>
      (await call(as, "GET", `/v1/datasets?name=${name}${query}`)).text();
    expect(await listed("acme", "&mine=true")).toContain(name);
    for (const as of [null, "rival", "acme"]) expect(await listed(as, "")).not.toContain(name);
    expect(await listed("rival", "&mine=true")).not.toContain(name);
  });
});

describe("lists of keys, schedules, webhooks and re-publications", () => {
  it("give pages with a cursor", async () => {
    const { call, platform } = hosted();
    for (const owner of ["one", "two", "three"]) await platform.apiKeys.insert(aKey(owner));
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

describe("DELETE /v1/datasets/{suite}/{dataset}", () => {
  const aName = (owner: string) => `${owner}/${crypto.randomUUID().slice(0, 8)}`;

  it("takes one version, or all of a name, of its owner", async () => {
    const { upload, call } = hosted();
    const name = aName("acme");
    const one = await stored(await upload("acme", name, someRows().ordered));
    const two = await stored(await upload("acme", name, someRows().ordered));
    const path = `/v1/datasets/relay/${name}`;
    const first = await call("acme", "DELETE", `${path}@${one.version.slice(0, 12)}`);
    expect(await first.json()).toEqual({ suite: "relay", name, versions: [one.version] });
    expect((await stored(await call(null, "GET", path))).version).toBe(two.version);
    const all = await call("acme", "DELETE", `/v1/datasets/relay/${encodeURIComponent(name)}`);
    expect([all.status, await all.json()]).toEqual([
      200,
      { suite: "relay", name, versions: [two.version] },
    ]);
    expect((await call("acme", "GET", path)).status).toBe(404);
    expect((await call("acme", "DELETE", path)).status).toBe(404);
  });

  it("is for its owner and admins; of an unlisted one others learn nothing", async () => {
    const { upload, call } = hosted();
    const [open, hidden] = [aName("acme"), aName("acme")];
    await upload("acme", open, someRows().ordered);
    await upload("acme", hidden, someRows().ordered, "&visibility=unlisted");
    const path = (name: string) => `/v1/datasets/relay/${name}`;
    expect((await call(null, "DELETE", path(open))).status).toBe(401);
    expect((await call("rival", "DELETE", path(open))).status).toBe(403);
    const said = async (name: string) => {
      const { requestId: _, ...body } = await problemOf(await call("rival", "DELETE", path(name)));
      return JSON.stringify(body).replaceAll(name, "NAME");
    };
    expect(await said(hidden)).toBe(await said(aName("acme")));
    expect((await call("root", "DELETE", path(hidden))).status).toBe(200);
    expect((await call("root", "DELETE", path(open))).status).toBe(200);
  });

  it("leaves another owner's version of the same rows as it is, and removes rows that nobody has", async () => {
    let clock = Date.now();
    const { upload, call, platform } = hosted({ now: () => clock });
    const [mine, theirs] = [aName("acme"), aName("rival")];
    const { ordered } = someRows();
    const { version } = await stored(await upload("acme", mine, ordered));
    await upload("rival", theirs, ordered);
    await call("acme", "DELETE", `/v1/datasets/relay/${mine}`);
    clock += 2 * HOUR_MS;
    await cleanUp(platform);
    const read = await call("rival", "GET", `/v1/dataset.jsonl?suite=relay&dataset=${theirs}`);
    expect([read.status, (await read.text()).trimEnd().split("\n")]).toHaveLength(2);
    expect(Object.keys(await bytesOf(version))).toHaveLength(2);
    await call("rival", "DELETE", `/v1/datasets/relay/${theirs}`);
    await cleanUp(platform);
    expect(Object.keys(await bytesOf(version))).toHaveLength(2);
    clock += 2 * HOUR_MS;
    await cleanUp(platform);
    expect(await bytesOf(version)).toEqual({});
    expect((await upload("acme", mine, ordered)).status).toBe(201);
    expect(Object.keys(await bytesOf(version))).toHaveLength(2);
  });

  it("keeps the rows while a run has them, and takes no further submission", async () => {
    let clock = Date.now();
    const { upload, call, platform, deliverAll } = hosted({ now: () => clock });
    const name = aName("acme");
    const { version } = await stored(await upload("acme", name, someRows().ordered));
    const first = await submitRun(platform, name);
    await deliverAll();
    expect(await listedBoards(platform, name)).toHaveLength(1);
    const run = await submitRun(platform, name);
    await call("acme", "DELETE", `/v1/datasets/relay/${name}`);
    await deliverAll();
    expect(await platform.runs.get(run)).toMatchObject({ status: "finished", done: 2 });
    await expect(submitRun(platform, name)).rejects.toThrow("has no dataset");
    clock += 2 * HOUR_MS;
    await cleanUp(platform);
    expect(Object.keys(await bytesOf(version))).toHaveLength(2);
    expect(await listedBoards(platform, name)).toEqual([]);
    for (const id of [first, run]) await call("acme", "DELETE", `/v1/runs/${id}`);
    clock += 50 * HOUR_MS;
    const left = DB.prepare("SELECT count(*) AS n FROM boards WHERE dataset_version = ?1");
    expect(await left.bind(version).first("n")).toBe(1);
    await cleanUp(platform);
    await cleanUp(platform);
    expect(await bytesOf(version)).toEqual({});
    expect(await left.bind(version).first("n")).toBe(0);
  });

  it("removes rows of an upload that died before it was stored", async () => {
    let clock = Date.now();
    const { upload, platform } = hosted({ now: () => clock });
    const name = aName("acme");
    const { version } = await stored(await upload("acme", name, someRows().ordered));
    await DB.prepare("DELETE FROM datasets WHERE version = ?1").bind(version).run();
    await DB.prepare(
      "INSERT INTO dataset_leftovers (suite, version, due_at) VALUES ('relay', ?1, ?2)",
    )
      .bind(version, clock + HOUR_MS)
      .run();
    await cleanUp(platform);
    expect(Object.keys(await bytesOf(version))).toHaveLength(2);
    clock += 2 * HOUR_MS;
    await cleanUp(platform);
    expect(await bytesOf(version)).toEqual({});
  });

  it("refuses an upload while its rows are being removed", async () => {
    const { upload, platform } = hosted();
    const name = aName("acme");
    const { ordered } = someRows();
    const { version } = await stored(await upload("acme", name, ordered));
    await platform.datasets.remove("relay", name, [version], Date.now() - 2 * HOUR_MS);
    expect(await platform.datasets.claimLeftovers(Date.now(), 5)).toEqual([
      { suite: "relay", version },
    ]);
    const busy = await upload("acme", name, ordered);
    expect([busy.status, (await problemOf(busy)).retryable]).toEqual([409, true]);
    await platform.datasets.forgetLeftover("relay", version);
    expect((await upload("acme", name, ordered)).status).toBe(201);
  });

  it("refuses one of two versions of which one corrects the other, and takes both", async () => {
    const { upload, call } = hosted();
    const name = aName("acme");
    const rows = someRows().ordered;
    const wrong = await stored(await upload("acme", name, rows));
    const right = rows.map((row) => row.replace('"X"', '"Y"'));
    const query = `&corrects=${wrong.version.slice(0, 12)}&correction=typo`;
    const corrected = await stored(await upload("acme", name, right, query));
    expect(corrected.corrects).toMatchObject({ samples: 2 });
    for (const { version } of [wrong, corrected]) {
      const one = await call("acme", "DELETE", `/v1/datasets/relay/${name}@${version}`);
      expect(one.status).toBe(409);
    }
    expect((await call("acme", "DELETE", `/v1/datasets/relay/${name}`)).status).toBe(200);
  });
});

describe("limits of an account", () => {
  const limited = (names: number | null, versions: number | null, bytes: number | null) => {
    const { platform } = harness();
    const ownerLimits = { ...platform.settings.ownerLimits, datasets: { names, versions, bytes } };
    return hosted({ settings: { ...platform.settings, ownerLimits } });
  };
  const anOwner = () => `o${crypto.randomUUID().slice(0, 8)}`;

  it("hold for datasets by name, and /v1/usage shows them", async () => {
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

  it("hold for versions and bytes, but not for the same rows again", async () => {
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

  it("hold for uploads at once", async () => {
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
      options,
      models: [{ name: "M", slug, answers, ...more }],
    });
  const submit = (call: ReturnType<typeof hosted>["call"], as: string, body: string) =>
    call(as, "POST", "/v1/submissions", body, "application/json");

  /** With an option that scores otherwise, so that each value is a board. */
  const scoredSuite: Suite = {
    ...relaySuite,
    optionsSchema: z.strictObject({ points: z.number().default(1) }),
    scoringOptions: (options) => options as Json,
  };

  it("are not made by declared prompts: all but the suite's share the unranked part of one", async () => {
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

  it("rank answers whose declared prompt is the suite's, and keep them over later ones without", async () => {
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

  it("of options other than the standard ones are in no public list, and an account makes few", async () => {
    const { platform: plain } = harness({
      suites: { all: [scoredSuite], byId: () => scoredSuite },
    });
    const ownerLimits = { ...plain.settings.ownerLimits, boards: 2 };
    const made = hosted({
      suites: { all: [scoredSuite], byId: () => scoredSuite },
      settings: { ...plain.settings, ownerLimits },
    });
    const { call, platform, deliverAll } = made;
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

  it("of a submitter's options stay out of public lists when their answers are scored again", async () => {
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
    // A cron run starts a few boards; those of other tests are among them.
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

  it("hold so many models of one account", async () => {
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
});
