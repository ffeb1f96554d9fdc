import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { createApp } from "../../../api/app.ts";
import { platformOf } from "../../../api/index.ts";
import { accountOfToken } from "../../../api/keys/account.ts";
import type { Platform } from "../../../api/platform/platform.ts";
import type { ApiKey } from "../../../shared/contracts/keys/api-key.ts";
import type { Problem } from "../../../shared/contracts/problem.ts";

const secret = "the operator's secret";
let clock = Date.parse("2026-11-21T00:00:00Z");

const platform = (): Platform => {
  const all = platformOf({ ...env } as never);
  return { ...all, now: () => clock, settings: { ...all.settings, requireApiKey: true } };
};

const app = createApp({
  platform,
  account: (c, token) => accountOfToken(token, secret, c.var.platform.apiKeys, clock),
  site: async () => new Response("the site"),
});

const call = (method: string, path: string, token: string, body?: unknown, more = {}) =>
  app.request(path, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...more },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

async function newKey(more: object = {}) {
  const response = await call("POST", "/v1/keys", secret, { owner: "acme", name: "job", ...more });
  expect(response.status).toBe(201);
  return (await response.json()) as ApiKey & { key: string };
}

/** Status of an empty submission: 401 without the right to submit, otherwise 422. */
const statusOfSubmitting = async (key: string) =>
  (await call("POST", "/v1/submissions", key, {})).status;

describe("API keys", () => {
  it("are shown once and stored only as hashes", async () => {
    const { key, id } = await newKey();
    expect(key).toMatch(/^assay_[A-Za-z0-9_-]{43}$/);
    const listed = await (await call("GET", "/v1/keys", secret)).text();
    expect(listed).toContain(id);
    expect(listed).not.toContain(key);
    const rows = await env.DB.prepare("SELECT * FROM api_keys").all();
    expect(JSON.stringify(rows.results)).not.toContain(key);
  });

  it("let their holder submit, and show when they were last used", async () => {
    const { key, id } = await newKey();
    expect(await statusOfSubmitting(key)).toBe(422);
    const { keys } = (await (await call("GET", "/v1/keys", secret)).json()) as { keys: ApiKey[] };
    const used = keys.find((listed) => listed.id === id);
    expect(used?.lastUsedAt).toBe(new Date(clock).toISOString());
  });

  it("are stored once if the store repeats a call after a lost reply", async () => {
    const { id } = await newKey();
    const { apiKeys } = platform();
    const stored = (await apiKeys.byId(id))!;
    expect(await apiKeys.insert(stored, 50)).toBe(true);
    expect(await apiKeys.insert({ ...stored, id: "key_other", hash: "f".repeat(64) }, 1)).toBe(
      false,
    );
    expect(await apiKeys.byId("key_other")).toBeNull();
  });

  it("end when they are revoked", async () => {
    const { key, id } = await newKey();
    expect((await call("DELETE", `/v1/keys/${id}`, secret)).status).toBe(200);
    expect(await statusOfSubmitting(key)).toBe(401);
    expect((await call("DELETE", `/v1/keys/${id}`, secret)).status).toBe(404);
  });

  it("end when they expire", async () => {
    const { key } = await newKey({ expiresAt: "2026-11-22T00:00:00Z" });
    expect(await statusOfSubmitting(key)).toBe(422);
    clock += 86_400_000;
    expect(await statusOfSubmitting(key)).toBe(401);
  });

  it("show their daily quota, to their holder too", async () => {
    const { key, id, dailySamples } = await newKey({ dailySamples: 500 });
    expect(dailySamples).toBe(500);
    expect((await newKey()).dailySamples).toBeNull();
    const { keys } = (await (await call("GET", "/v1/keys", secret)).json()) as { keys: ApiKey[] };
    expect(keys.find((listed) => listed.id === id)?.dailySamples).toBe(500);
    const usage = await (await call("GET", "/v1/usage", key)).json();
    expect(usage).toMatchObject({ usedSamples: 0, allowedSamples: 500, remainingSamples: 500 });
    expect((await call("GET", "/v1/usage", "assay_guess")).status).toBe(401);
  });

  it("can't make keys without the scope admin", async () => {
    const { key } = await newKey();
    const refused = await call("POST", "/v1/keys", key, { owner: "acme", name: "more" });
    expect(refused.status).toBe(403);
    expect((await call("GET", "/v1/keys", key)).status).toBe(403);
    expect((await call("GET", "/v1/keys", "assay_guess")).status).toBe(401);
  });

  it.each([
    ["a malformed owner", { owner: "No Owner" }, "/owner"],
    ["an unknown scope", { scopes: ["root"] }, "/scopes/0"],
    ["an invalid time", { expiresAt: "tomorrow" }, "/expiresAt"],
    ["a past time", { expiresAt: "2020-01-01T00:00:00Z" }, "/expiresAt"],
    ["a quota of zero", { dailySamples: 0 }, "/dailySamples"],
  ])("are refused with %s", async (_case, change, pointer) => {
    const body = { owner: "acme", name: "job", ...change };
    const response = await call("POST", "/v1/keys", secret, body);
    expect(response.status).toBe(422);
    const { errors } = (await response.json()) as { errors: { pointer: string }[] };
    expect(errors.map((error) => error.pointer)).toEqual([pointer]);
  });

  it("are refused with an idempotency key, since the reply can't be repeated", async () => {
    const body = { owner: "acme", name: "only once" };
    const response = await call("POST", "/v1/keys", secret, body, { "idempotency-key": "k1" });
    expect(response.status).toBe(422);
    const { errors } = (await response.json()) as Problem;
    expect(errors?.[0]).toMatchObject({ parameter: "idempotency-key" });
    expect(errors?.[0]?.detail).toContain("leave the header out");
    expect(await (await call("GET", "/v1/keys", secret)).text()).not.toContain("only once");
  });

  it("without the required scope get an error with both scopes and the person to ask", async () => {
    const { key } = await newKey();
    const refused = await call("GET", "/v1/keys", key);
    const { detail } = (await refused.json()) as Problem;
    expect(detail).toBe(
      'this needs a key with the scope "admin", but yours has "submit": ask the operator for a key with that scope',
    );
  });

  it("can't be replaced by an empty operator secret", async () => {
    expect(await accountOfToken("", "", platform().apiKeys, clock)).toBeNull();
  });
});
