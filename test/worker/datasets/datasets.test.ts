import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { cleanUp } from "../../../api/runs/clean-up.ts";
import type { Dataset, ListedDataset } from "../../../shared/contracts/datasets/dataset.ts";
import { anApp, problemOf } from "../support/client.ts";
import { harness, relayDataset, submitRun } from "../support/harness.ts";
import { hosted, listedBoards, someRows } from "../support/hosted.ts";

const { RESULTS: bucket, DB } = env as unknown as { RESULTS: R2Bucket; DB: D1Database };

const HOUR_MS = 3_600_000;

const stored = async (reply: Response) => (await reply.json()) as Dataset;

async function bytesOf(version: string): Promise<Record<string, string>> {
  const { objects } = await bucket.list({ prefix: `datasets/relay/${version}/` });
  const texts = objects.map(async ({ key }) => [key, await (await bucket.get(key))?.text()]);
  return Object.fromEntries(await Promise.all(texts)) as Record<string, string>;
}

describe("the dataset store", () => {
  it("reads rows by place, also from later chunks", async () => {
    const { platform } = harness();
    const name = await relayDataset(platform, 130);
    const { version = "" } = (await platform.datasets.find("relay", name, null)) ?? {};
    const { heads } = await platform.datasets.index("relay", version);
    expect(heads).toHaveLength(130);
    for (const at of [0, 99, 100, 129]) {
      expect(await platform.datasets.row("relay", version, at)).toMatchObject({ id: `s${at}` });
    }
  });

  it("names a missing row or object", async () => {
    const { platform } = harness();
    const name = await relayDataset(platform, 3);
    const { version = "" } = (await platform.datasets.find("relay", name, null)) ?? {};
    const folder = `datasets/relay/${version}`;
    await expect(platform.datasets.row("relay", version, 3)).rejects.toThrow(
      `no row 3 in ${folder}/rows-0.json`,
    );
    await expect(platform.datasets.index("relay", "0".repeat(64))).rejects.toThrow(
      `missing object datasets/relay/${"0".repeat(64)}/index.json`,
    );
  });
});

describe("a version shared by two accounts", () => {
  it("depends on the order of keys, since models see it, but not on whitespace", async () => {
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

  it("keeps every stored byte, also of an earlier layout, when another account uploads the same rows", async () => {
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

  it("gives both the same download, equal to the uploaded rows", async () => {
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

describe("names of datasets", () => {
  const unseen = () => crypto.randomUUID().slice(0, 8);
  const nameProblem = async (reply: Response) => {
    const { errors, detail } = await problemOf(reply);
    return [reply.status, detail, errors?.map(({ parameter }) => parameter)];
  };
  const refused = [422, "nothing was stored: take another name", ["name"]];

  it("must begin with the account's own prefix", async () => {
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
  ])("can't be %s for an account without the right", async (name) => {
    const { upload } = hosted();
    expect((await upload("acme", name, someRows().ordered)).status).toBe(422);
  });

  it("can't be similar to the service's or an account's name, even for an admin", async () => {
    const { upload, platform } = hosted();
    await platform.accounts.reserve("umbrella", Date.now());
    const { ordered } = someRows();
    for (const name of ["St0ck", "umbre11a", "urnbrella/x", "Umbrella"]) {
      const reply = await upload("root", name, ordered);
      expect([name, reply.status]).toEqual([name, 422]);
      expect((await problemOf(reply)).errors?.[0]?.detail).toContain("looks like");
    }
    expect((await upload("root", "stock", ordered)).status).toBe(201);
    expect((await upload("root", "umbrella/x", someRows().ordered)).status).toBe(201);
  });

  it("can be anything after an account's own prefix", async () => {
    const { upload } = hosted();
    expect((await upload("acme", "acme/st0ck", someRows().ordered)).status).toBe(201);
  });

  it("belong to the account of their prefix, even if an admin made them", async () => {
    const { upload } = hosted();
    const name = `acme/${unseen()}`;
    expect((await upload("root", name, someRows().ordered)).status).toBe(201);
    expect((await upload("acme", name, someRows().ordered)).status).toBe(201);
  });

  it("without a prefix accept new versions only from their account, also with a key without admin rights", async () => {
    const { upload } = hosted({}, ["submit"]);
    const name = `plain-${unseen()}`;
    expect((await hosted().upload("root", name, someRows().ordered)).status).toBe(201);
    expect((await upload("root", name, someRows().ordered)).status).toBe(201);
    expect((await upload("acme", name, someRows().ordered)).status).toBe(422);
  });

  it("of others are refused with the same text, whether they exist or not", async () => {
    const { upload } = hosted();
    const [secret, free] = [unseen(), unseen()];
    await upload("rival", `rival/${secret}`, someRows().ordered, "&visibility=unlisted");
    await upload("root", `plain-${secret}`, someRows().ordered, "&visibility=unlisted");
    const refusal = async (name: string) => {
      const { requestId: _, ...body } = await problemOf(
        await upload("acme", name, someRows().ordered),
      );
      return JSON.stringify(body);
    };
    expect(await refusal(`rival/${secret}`)).toBe(await refusal(`rival/${free}`));
    expect((await refusal(`plain-${secret}`)).replaceAll(secret, free)).toBe(
      await refusal(`plain-${free}`),
    );
  });
});

describe("GET /v1/datasets", () => {
  it("gives consecutive pages, without notes on rows", async () => {
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

  it("refuses an invalid cursor and an invalid limit", async () => {
    const { call } = hosted();
    for (const query of ["cursor=nonsense", `cursor=${btoa("[1,2]")}`, "limit=0", "limit=100000"]) {
      expect((await call(null, "GET", `/v1/datasets?${query}`)).status).toBe(422);
    }
    expect((await call(null, "GET", "/v1/datasets?mine=true")).status).toBe(401);
  });

  it("lists unlisted versions only for their owner", async () => {
    const { upload, call } = hosted();
    const name = `acme/${crypto.randomUUID().slice(0, 8)}`;
    await upload("acme", name, someRows().ordered, "&visibility=unlisted");
    const listed = async (as: string | null, query: string) =>
      (await call(as, "GET", `/v1/datasets?name=${name}${query}`)).text();
    expect(await listed("acme", "&mine=true")).toContain(name);
    for (const as of [null, "rival", "acme"]) expect(await listed(as, "")).not.toContain(name);
    expect(await listed("rival", "&mine=true")).not.toContain(name);
    expect(await listed("root", "&mine=true")).not.toContain(name);
  });

  it("lists all datasets as one's own if no key is required", async () => {
    const { platform } = harness();
    const app = anApp(platform, async () => null);
    const name = `acme/${crypto.randomUUID().slice(0, 8)}`;
    const path = `/v1/datasets?suite=relay&name=${name}`;
    const init = { method: "POST", headers: { "content-type": "application/jsonl" } };
    const body = someRows().ordered.join("\n");
    expect((await app.request(`${path}&visibility=unlisted`, { ...init, body })).status).toBe(201);
    const listed = async (more: string) => (await app.request(`${path}${more}`)).text();
    expect(await listed("")).not.toContain(name);
    expect(await listed("&mine=true")).toContain(name);
    const timeline = await app.request(`/v1/dataset-timeline?suite=relay&dataset=${name}`);
    expect(timeline.status).toBe(200);
  });
});

describe("DELETE /v1/datasets/{suite}/{dataset}", () => {
  const aName = (owner: string) => `${owner}/${crypto.randomUUID().slice(0, 8)}`;

  it("deletes one version, or all versions of a name", async () => {
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

  it("requires the owner or an admin; an unlisted dataset does not exist for others", async () => {
    const { upload, call } = hosted();
    const [open, hidden] = [aName("acme"), aName("acme")];
    await upload("acme", open, someRows().ordered);
    await upload("acme", hidden, someRows().ordered, "&visibility=unlisted");
    const path = (name: string) => `/v1/datasets/relay/${name}`;
    expect((await call(null, "DELETE", path(open))).status).toBe(401);
    expect((await call("rival", "DELETE", path(open))).status).toBe(403);
    const refusal = async (name: string) => {
      const { requestId: _, ...body } = await problemOf(await call("rival", "DELETE", path(name)));
      return JSON.stringify(body).replaceAll(name, "NAME");
    };
    expect(await refusal(hidden)).toBe(await refusal(aName("acme")));
    expect((await call("root", "DELETE", path(hidden))).status).toBe(200);
    expect((await call("root", "DELETE", path(open))).status).toBe(200);
  });

  it("keeps another owner's version of the same rows, and removes rows without an owner", async () => {
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
    expect(read.status).toBe(200);
    expect((await read.text()).trimEnd().split("\n")).toHaveLength(ordered.length);
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

  it("keeps the rows while runs use them, and refuses further submissions", async () => {
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

  it("is complemented by the removal of rows of an upload that died before it was stored", async () => {
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

  it("blocks an upload of the same rows while they are being removed", async () => {
    const { upload, platform } = hosted();
    const name = aName("acme");
    const { ordered } = someRows();
    const { version } = await stored(await upload("acme", name, ordered));
    await platform.datasets.remove("relay", name, [version], Date.now() - 2 * HOUR_MS);
    expect(await platform.datasets.claimLeftovers(Date.now(), 5)).toEqual([
      { suite: "relay", version, kept: null },
    ]);
    const busy = await upload("acme", name, ordered);
    expect([busy.status, (await problemOf(busy)).retryable]).toEqual([409, true]);
    await platform.datasets.forgetLeftover("relay", version);
    expect((await upload("acme", name, ordered)).status).toBe(201);
  });

  it("refuses to delete only one of a version and its correction, but deletes both", async () => {
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
