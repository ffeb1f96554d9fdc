import { describe, expect, it } from "vitest";
import { registerDataset } from "../../../api/datasets/register-dataset.ts";
import { publish } from "../../../api/publication/publish.ts";
import { scheduleSubmitter } from "../../../api/schedules/ticks.ts";
import type { AuditEntry } from "../../../shared/contracts/operator/audit.ts";
import type { ReaderReport } from "../../../shared/contracts/operator/report.ts";
import { aSubmission, latestSnapshot, problemOf, serve } from "../support/client.ts";
import { anAccount, harness, relayDataset, submitRun } from "../support/harness.ts";
import { relaySuite } from "../support/relay-suite.ts";

const accounts = {
  owner: anAccount("acme", { keyId: "key_acme" }),
  other: anAccount("other"),
  admin: anAccount("boss", { scopes: ["submit", "admin"] }),
};
type Who = keyof typeof accounts;
const as = (who: Who | null, address = "192.0.2.1") => ({
  "cf-connecting-ip": address,
  ...(who !== null && { authorization: `Bearer ${who}` }),
});

/** Two finished public runs of acme on one board, and an API that requires keys. */
async function service() {
  const rig = harness();
  const settings = { ...rig.platform.settings, requireApiKey: true };
  const limiter = { ...rig.platform.limiter, allows: async () => true };
  const platform = { ...rig.platform, settings, limiter };
  const dataset = await relayDataset(platform, 3);
  const visibility = "public";
  const run = await submitRun(platform, dataset, { visibility });
  const second = await submitRun(platform, dataset, { visibility });
  await rig.deliverAll();
  const api = serve(platform, accounts);
  const report = (who: Who | null, more: object = {}, address?: string) =>
    api.post(
      "/v1/reports",
      { run, kind: "copied", message: "See sample s0", ...more },
      as(who, address),
    );
  const queue = async (state = "open") => {
    const path = `/v1/operator/reports?state=${state}&limit=200`;
    const { reports } = (await (await api.get(path, as("admin"))).json()) as {
      reports: ReaderReport[];
    };
    return reports.filter((one) => [run, second].includes(one.run.id));
  };
  const decide = (id: string, action: string, reason = "checked") =>
    api.post(`/v1/operator/reports/${id}/decision`, { action, reason }, as("admin"));
  const readable = async (id: string) => (await api.get(`/v1/runs/${id}`)).status === 200;
  const board = async () =>
    (await platform.boards.find("relay", dataset, null))?.entries.map((entry) => entry.run);
  const idOf = async (response: Response) => ((await response.json()) as { id: string }).id;
  return {
    ...rig,
    platform,
    dataset,
    run,
    second,
    api,
    report,
    queue,
    decide,
    readable,
    board,
    idOf,
  };
}

describe("POST /v1/reports", () => {
  it("accepts reports without an account, and stores no address", async () => {
    const { report, queue, run } = await service();
    expect((await report(null, {}, "203.0.113.77")).status).toBe(201);
    const [found] = await queue();
    expect(found).toMatchObject({
      run: { id: run, owner: "acme", hiddenReason: null },
      kind: "copied",
      message: "See sample s0",
      reporter: null,
      state: "open",
    });
    expect(JSON.stringify(await queue())).not.toContain("203.0.113");
  });

  it("accepts one report of a run per account or network", async () => {
    const { report } = await service();
    expect((await report(null, {}, "2001:db8::1")).status).toBe(201);
    expect((await report(null, {}, "2001:db8::2")).status).toBe(409);
    expect((await report("other", {}, "2001:db8::2")).status).toBe(201);
    expect((await report("other", {}, "198.51.100.7")).status).toBe(409);
  });

  it("accepts ten reports per reader and day", async () => {
    const { report, platform, dataset } = await service();
    const statuses: number[] = [];
    for (let i = 0; i < 11; i++) {
      const run = await submitRun(platform, dataset);
      statuses.push((await report(null, { run }, "203.0.113.9")).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 201), 429]);
  });

  it("accepts twenty open reports per run", async () => {
    const { report } = await service();
    for (let i = 0; i < 20; i++) {
      expect((await report(null, {}, `203.0.113.${100 + i}`)).status).toBe(201);
    }
    expect((await report(null, {}, "203.0.113.99")).status).toBe(429);
  });

  it.each([
    ["an unknown run", { run: "run_none" }, 404, "/run"],
    ["an unknown kind", { kind: "x" }, 422, "/kind"],
    ["a blank message", { message: " " }, 422, "/message"],
    ["a message that is too long", { message: "x".repeat(2_001) }, 422, "/message"],
  ])("refuses %s", async (_, more, status, pointer) => {
    const { report } = await service();
    const refused = await report(null, more);
    expect(refused.status).toBe(status);
    expect((await problemOf(refused)).errors?.[0]?.pointer).toBe(pointer);
  });

  it("answers 404 for a hidden run", async () => {
    const { api, report, run } = await service();
    await api.post(`/v1/runs/${run}/hide`, { reason: "x" }, as("admin"));
    expect((await report("other")).status).toBe(404);
  });
});

describe("decisions", () => {
  it("hide a run, which decides all its reports, and can be undone", async () => {
    const rig = await service();
    const { report, queue, decide, readable, run, idOf, deliverAll, board } = rig;
    const id = await idOf(await report(null));
    await report("other");
    expect((await decide(id, "hide", "copied answers")).status).toBe(200);
    await deliverAll();
    expect(await readable(run)).toBe(false);
    expect(await board()).toEqual([rig.second]);
    expect(await queue()).toEqual([]);
    expect(await queue("hidden")).toMatchObject([
      { state: "hidden", decidedBy: "boss", reason: "copied answers" },
      { state: "hidden" },
    ]);
    expect((await decide(id, "hide")).status).toBe(409);
    expect((await decide(id, "undo")).status).toBe(200);
    await deliverAll();
    expect(await readable(run)).toBe(true);
    expect(await board()).toHaveLength(2);
    expect(await queue()).toHaveLength(2);
  });

  it("dismiss one report", async () => {
    const { report, queue, decide, readable, run, idOf } = await service();
    const id = await idOf(await report(null));
    await report("other");
    await decide(id, "dismiss", "it is fine");
    expect(await readable(run)).toBe(true);
    expect((await queue()).map((one) => one.reporter)).toEqual(["other"]);
    await decide(id, "undo");
    expect(await queue()).toHaveLength(2);
    expect((await decide(id, "undo")).status).toBe(409);
    expect((await decide("rep_none", "dismiss")).status).toBe(404);
  });

  it("are recorded with their reason", async () => {
    const { report, decide, run, api, idOf } = await service();
    await decide(await idOf(await report(null)), "hide", "copied answers");
    const found = await api.get(`/v1/operator/audit?target=${run}`, as("admin"));
    const { entries } = (await found.json()) as { entries: AuditEntry[] };
    expect(entries).toMatchObject([
      {
        action: "report.hide",
        reason: "copied answers",
        before: { state: "open", owner: "acme" },
        after: { state: "hidden" },
      },
    ]);
  });
});

describe("bans", () => {
  it("block the account, hide its runs and pause active ones, until they are lifted", async () => {
    const rig = await service();
    const { api, platform, dataset, run, second, readable, deliverAll, board } = rig;
    const active = await submitRun(platform, dataset);
    const body = { owner: "acme", reason: "spam" };
    expect((await api.post("/v1/operator/bans", body, as("admin"))).status).toBe(201);
    await deliverAll();
    const refused = await api.get(`/v1/runs/${run}`, as("owner"));
    expect(refused.status).toBe(403);
    expect((await problemOf(refused)).detail).toContain('"acme" is banned (spam)');
    expect([await readable(run), await readable(second)]).toEqual([false, false]);
    expect(await board()).toEqual([]);
    expect(await platform.runs.get(active)).toMatchObject({
      status: "paused",
      hiddenReason: 'the account "acme" is banned',
    });
    expect((await api.get(`/v1/runs/${run}`, as("other"))).status).toBe(404);
    const submitter = { owner: "acme", anyOwner: false, keyId: null };
    expect(await scheduleSubmitter(platform, submitter as never)).toMatchObject({ ok: false });

    const lifted = await api.delete("/v1/operator/bans/acme?reason=appeal", as("admin"));
    expect(lifted.status).toBe(200);
    await deliverAll();
    expect((await api.get(`/v1/runs/${run}`, as("owner"))).status).toBe(200);
    expect([await readable(run), await readable(second)]).toEqual([true, true]);
    expect(await board()).toHaveLength(2);
    expect((await api.delete("/v1/operator/bans/acme", as("admin"))).status).toBe(404);
  });

  it("hide the account's datasets from others, in lists and by name, until they are lifted", async () => {
    const { api, platform } = await service();
    const owner = `spam-${crypto.randomUUID().slice(0, 8)}`;
    const dataset = `${owner}/rows`;
    const file = new TextEncoder().encode('{"id":"s0","first":"a","expected":"b"}');
    const visibility = "public" as const;
    const whose = { owner, anyOwner: false, suite: relaySuite, name: dataset };
    await registerDataset(platform, { ...whose, visibility, file, allowPartial: false });
    await platform.publications.markChanged();
    const seen = async (who: Who | null) => {
      const list = await (await api.get(`/v1/datasets?name=${dataset}`, as(who))).text();
      const rows = await api.get(`/v1/dataset.jsonl?suite=relay&dataset=${dataset}`, as(who));
      const ref = `/v1/datasets/relay/${encodeURIComponent(dataset)}`;
      return [list.includes(dataset), rows.status, (await api.get(ref, as(who))).status];
    };
    const listed = async () => {
      await publish(platform);
      return (await latestSnapshot(platform)).datasets.some(({ name }) => name === dataset);
    };
    expect([await seen("other"), await listed()]).toEqual([[true, 200, 200], true]);
    await api.post("/v1/operator/bans", { owner, reason: "spam" }, as("admin"));
    expect([await seen("other"), await seen(null)]).toEqual([
      [false, 404, 404],
      [false, 404, 404],
    ]);
    expect((await seen("admin"))[1]).toBe(200);
    expect(await listed()).toBe(false);
    const used = await api.post("/v1/submissions", aSubmission(dataset), as("other"));
    expect(used.status).toBe(422);
    await api.delete(`/v1/operator/bans/${owner}`, as("admin"));
    expect([await seen("other"), await listed()]).toEqual([[true, 200, 200], true]);
  });

  it("do not show runs that were hidden for another reason when they are lifted", async () => {
    const { api, run, second, readable } = await service();
    await api.post(`/v1/runs/${run}/hide`, { reason: "copied" }, as("admin"));
    await api.post("/v1/operator/bans", { owner: "acme", reason: "spam" }, as("admin"));
    await api.delete("/v1/operator/bans/acme", as("admin"));
    expect([await readable(run), await readable(second)]).toEqual([false, true]);
  });

  it("can be decided for a report, and are undone with the decision", async () => {
    const { report, decide, idOf, api, run, readable, platform } = await service();
    const id = await idOf(await report(null));
    expect((await decide(id, "ban", "spam")).status).toBe(200);
    expect((await api.get("/v1/usage", as("owner"))).status).toBe(403);
    expect(await platform.bans.get("acme")).toMatchObject({ reason: "spam", by: "boss" });
    expect((await decide(id, "undo")).status).toBe(200);
    expect((await api.get("/v1/usage", as("owner"))).status).toBe(200);
    expect(await readable(run)).toBe(true);
  });

  it.each(["boss", "operator", "assay"])("are refused for %s", async (owner) => {
    const { api } = await service();
    const refused = await api.post("/v1/operator/bans", { owner, reason: "x" }, as("admin"));
    expect(refused.status).toBe(409);
  });
});
