import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { createApp } from "../../api/app.ts";
import { judgmentCache } from "../../api/pipeline/judging/judgment-cache.ts";
import type { Ports } from "../../api/pipeline/ports.ts";
import type { Dataset } from "../../shared/contracts/dataset.ts";
import { anAccount, harness } from "./harness.ts";

const bucket = (env as unknown as { RESULTS: R2Bucket }).RESULTS;

/** A service that asks for keys; each key is an account of that name, and "root" may do all. */
function hosted(overrides: Partial<Ports> = {}) {
  const { ports, ...rest } = harness(overrides);
  const asked = { ...ports, settings: { ...ports.settings, requireApiKey: true } };
  const app = createApp({
    ports: () => asked,
    account: async (_c, key) =>
      anAccount(key, key === "root" ? { scopes: ["admin", "submit"] } : {}),
    site: async () => new Response("the site"),
  });
  const call = (as: string | null, method: string, path: string, body?: BodyInit) =>
    app.request(`http://assay.test${path}`, {
      method,
      headers: {
        "content-type": "application/jsonl",
        ...(as !== null && { authorization: `Bearer ${as}` }),
      },
      ...(body !== undefined && { body }),
    });
  const upload = (as: string, name: string, rows: readonly string[], more = "") =>
    call(as, "POST", `/v1/datasets?suite=relay&name=${name}${more}`, rows.join("\n"));
  return { ...rest, ports: asked, call, upload };
}

/** Rows of their own for each test: versions are shared by all that have the same. */
function someRows(count = 2) {
  const tag = crypto.randomUUID();
  const rows = Array.from({ length: count }, (_, i) => ({
    ...{ id: `s${i}`, first: `word ${tag} ${i}`, expected: "X" },
  }));
  return {
    ordered: rows.map((row) => JSON.stringify(row)),
    turned: rows.map(({ id, first, expected }) => JSON.stringify({ expected, first, id })),
  };
}

const stored = async (reply: Response) => (await reply.json()) as Dataset;

async function bytesOf(version: string): Promise<Record<string, string>> {
  const { objects } = await bucket.list({ prefix: `datasets/relay/${version}/` });
  const texts = objects.map(async ({ key }) => [key, await (await bucket.get(key))?.text()]);
  return Object.fromEntries(await Promise.all(texts)) as Record<string, string>;
}

describe("a version that two accounts have", () => {
  it("is stored as canonical JSON, whatever the order of keys and whoever was first", async () => {
    const { upload } = hosted();
    const { ordered, turned } = someRows(130);
    const { version } = await stored(await upload("acme", "acme/first", turned));
    const before = await bytesOf(version);
    expect(Object.keys(before)).toHaveLength(3);
    expect(before[`datasets/relay/${version}/rows-1.json`]).toMatch(
      /^\[\{"expected":"X","first":"word [^"]*","id":"s100"\}/,
    );
    expect((await stored(await upload("rival", "rival/same", ordered))).version).toBe(version);
    expect(await bytesOf(version)).toEqual(before);
  });

  it("keeps every byte that is stored, also of an earlier layout, when another uploads the same rows", async () => {
    const { upload, ports } = hosted();
    const { ordered, turned } = someRows();
    const { version } = await stored(await upload("acme", "acme/first", ordered));
    const key = `datasets/relay/${version}/rows-0.json`;
    const asUploaded = `[${ordered.join(",")}]`;
    await bucket.put(key, asUploaded);
    expect((await stored(await upload("rival", "rival/same", turned))).version).toBe(version);
    expect(await (await bucket.get(key))?.text()).toBe(asUploaded);
    expect(await ports.datasets.row("relay", version, 1)).toEqual(JSON.parse(ordered[1] ?? ""));
  });

  it("has the same rows to download for both, which make the same version again", async () => {
    const { upload, call } = hosted();
    const { ordered, turned } = someRows();
    await upload("acme", "acme/mine", ordered);
    await upload("rival", "rival/mine", turned);
    const rowsOf = async (name: string) =>
      (await call(null, "GET", `/v1/dataset.jsonl?suite=relay&dataset=${name}`)).text();
    expect(await rowsOf("acme/mine")).toBe(await rowsOf("rival/mine"));
    expect((await rowsOf("acme/mine")).trimEnd().split("\n")).toEqual(turned);
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
    const { ports } = harness();
    const route = { provider: "openai", model: "m" };
    const parts = { suite: "relay", about: crypto.randomUUID(), answer: "x" };
    const [one, two] = [judgmentCache(ports.objects, parts), judgmentCache(ports.objects, parts)];
    expect([await one.find(route, "k1"), await two.find(route, "k1")]).toEqual([null, null]);
    one.add(route, "k1", { judge: "m", judgment: 1 });
    two.add(route, "k1", { judge: "m", judgment: 2 });
    two.add(route, "k2", { judge: "m", judgment: 3 });
    await one.keep();
    await two.keep();
    const later = judgmentCache(ports.objects, parts);
    expect(await later.find(route, "k1")).toEqual({ judge: "m", judgment: 1 });
    expect(await later.find(route, "k2")).toEqual({ judge: "m", judgment: 3 });
  });
});
