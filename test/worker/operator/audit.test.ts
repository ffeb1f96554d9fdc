import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { localAccount } from "../../../api/keys/account.ts";
import type { Platform } from "../../../api/platform/platform.ts";
import type { AuditEntry } from "../../../shared/contracts/operator/audit.ts";
import { problemOf, serve } from "../support/client.ts";
import { anAccount, harness, relayDataset, submitRun } from "../support/harness.ts";

const accounts = {
  owner: anAccount("acme", { keyId: "key_acme" }),
  admin: anAccount("operator", { scopes: ["submit", "admin"] }),
  keyless: localAccount,
};
const as = (who: keyof typeof accounts) => ({ authorization: `Bearer ${who}` });

async function service() {
  const rig = harness();
  const run = await submitRun(rig.platform, await relayDataset(rig.platform, 2));
  const settings = { ...rig.platform.settings, requireApiKey: true };
  const platform = { ...rig.platform, settings };
  const api = serve(platform, accounts);
  const entries = async (query = "") => {
    const response = await api.get(`/v1/operator/audit?${query}`, as("admin"));
    expect(response.status).toBe(200);
    return (await response.json()) as { entries: AuditEntry[]; nextCursor: string | null };
  };
  return { platform, api, run, entries };
}

/** Hides a run, and returns the entry of the log. */
async function anEntry(platform: Platform, run: string) {
  await serve(platform, accounts).post(`/v1/runs/${run}/hide`, { reason: "x" }, as("admin"));
  const filter = { actor: null, target: run, since: null };
  return (await platform.audit.list(filter, { after: null, limit: 1 }))[0]!;
}

const grantOf = (owner: string) => ({
  owner,
  name: "job",
  scopes: ["submit"],
  dailySamples: null,
  expiresAt: null,
});

describe("the audit log", () => {
  it("shows who hid a run, when, why, and the state before", async () => {
    const { platform, api, run, entries } = await service();
    const response = await api.post(`/v1/runs/${run}/hide`, { reason: "copied" }, as("admin"));
    expect(response.status).toBe(200);
    await api.post(`/v1/runs/${run}/unhide?reason=an+error`, undefined, as("admin"));
    const { entries: found } = await entries(`target=${run}`);
    expect(found).toMatchObject([
      {
        action: "run.unhide",
        actor: "operator",
        reason: "an error",
        before: { hidden: "copied" },
        after: { hidden: null },
      },
      { action: "run.hide", reason: "copied", before: { hidden: null }, status: 200 },
    ]);
    expect(found[1]?.requestId).toBe(response.headers.get("x-request-id"));
    expect(Date.parse(found[0]?.at ?? "")).toBeLessThanOrEqual(platform.now());
  });

  it("shows the rights of keys, and never a key", async () => {
    const { api, entries } = await service();
    const created = await api.post(
      "/v1/keys?reason=hired",
      { owner: "new", name: "job" },
      as("admin"),
    );
    const { id, key } = (await created.json()) as { id: string; key: string };
    await api.delete(`/v1/keys/${id}?reason=left`, as("admin"));
    const { entries: found } = await entries(`target=${id}`);
    expect(found).toMatchObject([
      { action: "key.revoke", reason: "left", before: grantOf("new"), after: null },
      { action: "key.create", reason: "hired", before: null, after: grantOf("new") },
    ]);
    const rows = await env.DB.prepare("SELECT * FROM audit_log").all();
    expect(JSON.stringify(rows.results)).not.toContain(key);
  });

  it("has only those actions of owners that change visibility", async () => {
    const { api, run, entries } = await service();
    await api.post(`/v1/runs/${run}/cancel`, undefined, as("owner"));
    await api.delete(`/v1/runs/${run}`, as("owner"));
    const { entries: found } = await entries(`target=${run}`);
    expect(found).toMatchObject([{ action: "run.delete", actor: "acme", keyId: "key_acme" }]);
  });

  it("names other changes by an admin after their route", async () => {
    const { api, run, entries } = await service();
    await api.post(`/v1/runs/${run}/cancel?reason=too+slow`, undefined, as("admin"));
    const { entries: found } = await entries(`target=/v1/runs/${run}/cancel`);
    expect(found).toMatchObject([{ action: "POST /v1/runs/:id/cancel", reason: "too slow" }]);
  });

  it("has an action even if its request ended before a separate entry was written", async () => {
    const { platform, run, entries } = await service();
    const audit = { ...platform.audit, add: () => Promise.reject(new Error("ended")) };
    const dying = serve({ ...platform, audit }, accounts);
    await dying.post(`/v1/runs/${run}/hide`, { reason: "copied" }, as("admin"));
    await dying.patch(`/v1/runs/${run}`, { visibility: "private" }, as("owner"));
    await dying.post("/v1/keys", { owner: run, name: "job" }, as("admin"));
    await dying.post(`/v1/runs/${run}/shares`, {}, as("owner"));
    await dying.post("/v1/operator/bans", { owner: run, reason: "spam" }, as("admin"));
    const { entries: newest } = await entries("limit=5");
    expect(newest.map(({ action }) => action)).toEqual([
      "account.ban",
      "share.create",
      "key.create",
      "run.visibility",
      "run.hide",
    ]);
  });

  it("has no entry for an action without effect", async () => {
    const { platform, run } = await service();
    const entry = { ...(await anEntry(platform, run)), id: "act_none" };
    expect(await platform.runs.hide("run_none", "x", platform.now(), entry)).toEqual([]);
    expect(await platform.apiKeys.revoke("key_none", 1, undefined, entry)).toBeNull();
    const page = { after: null, limit: 50 };
    const found = await platform.audit.list({ actor: null, target: null, since: null }, page);
    expect(found.map(({ id }) => id)).not.toContain("act_none");
  });

  it("has no refused requests, reads, or actions on a machine without keys", async () => {
    const { api, run, entries } = await service();
    const before = (await entries()).entries.length;
    expect((await api.post(`/v1/runs/${run}/unhide`, undefined, as("admin"))).status).toBe(409);
    expect((await api.post(`/v1/runs/${run}/hide`, { reason: "x" }, as("owner"))).status).toBe(403);
    expect((await api.get(`/v1/runs/${run}`, as("admin"))).status).toBe(200);
    expect((await api.post(`/v1/runs/${run}/cancel`, undefined, as("keyless"))).status).toBe(200);
    expect((await entries()).entries).toHaveLength(before);
  });

  it("has actions that may have failed halfway", async () => {
    const { platform, run } = await service();
    const broken = { ...platform.runs, hide: () => Promise.reject(new Error("lost")) };
    const api = serve({ ...platform, runs: broken }, accounts);
    const failed = await api.post(`/v1/runs/${run}/hide`, { reason: "x" }, as("admin"));
    expect(failed.status).toBe(500);
    const query = { actor: "operator", target: run, since: null };
    const found = await platform.audit.list(query, { after: null, limit: 5 });
    expect(found).toMatchObject([{ action: "run.hide", status: 500 }]);
  });

  it("makes a request fail if its entry can't be written", async () => {
    const { platform, run } = await service();
    const audit = { ...platform.audit, add: () => Promise.reject(new Error("lost")) };
    const api = serve({ ...platform, audit }, accounts);
    const failed = await api.post(`/v1/runs/${run}/hide`, { reason: "x" }, as("admin"));
    expect(failed.status).toBe(500);
  });

  it("is read in pages and by actor, target and time, by admins only", async () => {
    const { api, run, entries } = await service();
    for (const reason of ["one", "two", "three"]) {
      await api.post(`/v1/runs/${run}/hide`, { reason }, as("admin"));
    }
    const first = await entries(`target=${run}&limit=2`);
    expect(first.entries.map(({ reason }) => reason)).toEqual(["three", "two"]);
    const rest = await entries(`target=${run}&limit=2&cursor=${first.nextCursor}`);
    expect(rest.entries.map(({ reason }) => reason)).toEqual(["one"]);
    expect(rest.nextCursor).toBeNull();
    expect((await entries("since=2100-01-01T00:00:00Z")).entries).toEqual([]);
    expect((await entries(`actor=acme&target=${run}`)).entries).toEqual([]);
    expect((await api.get("/v1/operator/audit", as("owner"))).status).toBe(403);
    const refused = await problemOf(await api.get("/v1/operator/audit?since=now", as("admin")));
    expect(refused.errors).toMatchObject([{ parameter: "since" }]);
  });

  it("is exported as JSON Lines and CSV", async () => {
    const { api, run } = await service();
    await api.post(`/v1/runs/${run}/hide`, { reason: "=copied" }, as("admin"));
    const get = async (format: string) =>
      (await api.get(`/v1/operator/audit.${format}?target=${run}`, as("admin"))).text();
    expect(JSON.parse(await get("jsonl"))).toMatchObject({ reason: "=copied", target: run });
    const [head, row] = (await get("csv")).split("\r\n");
    expect(head).toBe("id,at,actor,keyId,action,target,reason,before,after,status,requestId");
    expect(row).toContain(`run.hide,${run},'=copied,"{""hidden"":null}"`);
  });

  it("can only be appended to and read", () => {
    const { platform } = harness();
    expect(Object.keys(platform.audit)).toEqual(["add", "list"]);
  });
});
