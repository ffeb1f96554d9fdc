import { describe, expect, it } from "vitest";
import type { Usage } from "../../../shared/contracts/keys/usage.ts";
import type { AuditEntry } from "../../../shared/contracts/operator/audit.ts";
import type { SubmissionEstimate } from "../../../shared/contracts/submissions/estimate.ts";
import type { Submission } from "../../../shared/contracts/submissions/submission.ts";
import { problemOf, serve } from "../support/client.ts";
import { fakeJudges, judgedHarness, memoryDataset } from "../support/fake-judges.ts";
import { anAccount } from "../support/harness.ts";

const noon = Date.parse("2026-11-21T12:00:00Z");
const own = { authorization: "Bearer own" };
const admin = { authorization: "Bearer admin" };

/** An account of a service whose judges have prices, and what a run of it will probably cost. */
async function service() {
  const prices = { inputPerMillion: 100, outputPerMillion: 1_000 };
  const judging = fakeJudges([], () => null, { priceOf: () => prices });
  const its = judgedHarness(judging, { now: () => noon });
  const settings = { ...its.platform.settings, requireApiKey: true, dailyJudgeUsd: 1_000 };
  const platform = { ...its.platform, settings };
  const owner = `acme-${crypto.randomUUID().slice(0, 8)}`;
  await platform.accounts.reserve(owner, noon);
  const api = serve(platform, {
    own: anAccount(owner, { keyId: `key_${owner}` }),
    admin: anAccount("boss", { scopes: ["submit", "admin"] }),
  });
  const dataset = await memoryDataset(platform, 2);
  const endpoint = { baseUrl: "http://127.0.0.1:8790/v1", model: "m" };
  const body = { suite: "memory", dataset, models: [{ name: "Model", endpoint }] };
  const submit = () => api.post("/v1/submissions", body, own);
  const estimate = async () =>
    (await (await api.post("/v1/submissions?dryRun=true", body, own)).json()) as SubmissionEstimate;
  const usage = async () => (await (await api.get("/v1/usage", own)).json()) as Usage;
  const path = `/v1/operator/accounts/${owner}/quotas`;
  const allow = (quotas: object) => api.put(`${path}?reason=partner`, quotas, admin);
  const usd = (await estimate()).judgeCostUsd ?? 0;
  return { ...its, platform, api, owner, submit, estimate, usage, allow, path, usd };
}

describe("the quota of judges", () => {
  it("is taken with the submission, also of those sent at once, and shown before and after", async () => {
    const { submit, estimate, usage, allow, usd } = await service();
    expect(usd).toBeGreaterThan(0);
    expect((await allow({ dailyJudgeUsd: 2.5 * usd })).status).toBe(200);
    expect((await estimate()).quota).toMatchObject({
      usedJudgeUsd: 0,
      allowedJudgeUsd: 2.5 * usd,
    });
    const replies = await Promise.all([submit(), submit(), submit(), submit()]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([202, 202, 429, 429]);
    const refused = replies.find(({ status }) => status === 429)!;
    expect(refused.headers.get("retry-after")).toBe(`${12 * 3600}`);
    expect((await problemOf(refused)).detail).toMatch(/USD of judges, but of the .* a day/);
    expect((await usage()).usedJudgeUsd).toBeCloseTo(2 * usd, 4);
  });

  it("is what the judges did cost, once the run has ended", async () => {
    const { platform, submit, usage, deliverAll, usd } = await service();
    const run = ((await (await submit()).json()) as Submission).runs[0]!.id;
    expect((await usage()).usedJudgeUsd).toBeCloseTo(usd, 4);
    await deliverAll();
    const spent = (await platform.runs.get(run))?.judgeSpend?.judges ?? [];
    expect(spent.map(({ judge }) => judge)).not.toContain("estimate");
    const sum = spent.reduce((all, { usd: its }) => all + its, 0);
    expect((await usage()).usedJudgeUsd).toBeCloseTo(sum, 4);
    const rows = await platform.spend.since("2026-11-21", 100);
    expect(rows.map(({ judge }) => judge)).not.toContain("estimate");
  });

  it("is given back by a run that is cancelled before its answers are judged", async () => {
    const { platform, submit, usage } = await service();
    const run = ((await (await submit()).json()) as Submission).runs[0]!.id;
    await Promise.all([platform.runs.cancel(run, noon), platform.runs.cancel(run, noon)]);
    expect((await usage()).usedJudgeUsd).toBe(0);
  });
});

describe("quotas of one account", () => {
  it("are set by an admin in place of the service's, with an entry in the audit log", async () => {
    const { api, allow, path, usage, owner } = await service();
    expect((await api.put(path, { boards: 3 }, own)).status).toBe(403);
    expect((await allow({ boards: 3, runBytes: null })).status).toBe(200);
    expect((await allow({ boards: -1 })).status).toBe(422);
    expect(await usage()).toMatchObject({ boards: { allowed: 3 }, runBytes: { allowed: null } });
    const shown = await (await api.get(path, admin)).json();
    expect(shown).toEqual({ owner, quotas: { boards: 3, runBytes: null } });
    await allow({});
    const found = await api.get(`/v1/operator/audit?target=${owner}`, admin);
    const { entries } = (await found.json()) as { entries: AuditEntry[] };
    expect(entries).toMatchObject([
      { action: "account.quotas", reason: "partner", before: { boards: 3 }, after: {} },
      { action: "account.quotas", before: {}, after: { boards: 3, runBytes: null } },
    ]);
    const nobodys = "/v1/operator/accounts/nobody-here/quotas";
    expect((await api.put(nobodys, {}, admin)).status).toBe(404);
  });

  it("end new runs where stored answers reach them, and say so", async () => {
    const { submit, allow, usage, deliverAll } = await service();
    expect((await submit()).status).toBe(202);
    await deliverAll();
    const { used } = (await usage()).runBytes;
    expect(used).toBeGreaterThan(1_000);
    await allow({ runBytes: used });
    const refused = await submit();
    expect([refused.status, (await problemOf(refused)).detail]).toEqual([
      403,
      expect.stringContaining(`take ${used} of ${used} bytes`),
    ]);
  });
});
