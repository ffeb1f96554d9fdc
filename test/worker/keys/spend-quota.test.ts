import { describe, expect, it } from "vitest";
import { QUOTA_REACHED } from "../../../api/operator/spend-store.ts";
import type { Platform } from "../../../api/platform/platform.ts";
import type { ScheduleRecord } from "../../../api/schedules/schema.ts";
import { scheduleSubmitter } from "../../../api/schedules/ticks.ts";
import { evenlySpaced } from "../../../api/submissions/estimate.ts";
import { emptyAnswer } from "../../../shared/contracts/answer.ts";
import type { Usage } from "../../../shared/contracts/keys/usage.ts";
import type { AuditEntry } from "../../../shared/contracts/operator/audit.ts";
import type { SubmissionEstimate } from "../../../shared/contracts/submissions/estimate.ts";
import type { Submission } from "../../../shared/contracts/submissions/submission.ts";
import { memory } from "../../../shared/suites/memory/suite.ts";
import { criteria } from "../../../shared/suites/rubric/__fixtures__/build.ts";
import { rubric } from "../../../shared/suites/rubric/suite.ts";
import { aDataset, newName } from "../support/a-dataset.ts";
import { problemOf, serve } from "../support/client.ts";
import { fakeJudges, judgedHarness, memoryDataset } from "../support/fake-judges.ts";
import { anAccount } from "../support/harness.ts";

const noon = Date.parse("2026-11-21T12:00:00Z");
const own = { authorization: "Bearer own" };
const admin = { authorization: "Bearer admin" };

const failed = { ...emptyAnswer, error: { class: "bad_request", message: "400" } } as const;

/** A dataset for the rubric suite; rows at `skipped` have nothing to judge. */
async function rubricDataset(platform: Platform, count: number, skipped: readonly number[]) {
  const name = newName("rubric");
  const skip = criteria.map(({ id }) => id);
  const rows = Array.from({ length: count }, (_, i) => ({
    id: `s${i}`,
    query: `${name} ${i}`,
    ...(skipped.includes(i) && { skip }),
  }));
  return aDataset(platform, rubric, rows, { name });
}

/** A service whose judges have prices, with an account and the estimated cost of a run. */
async function service() {
  const prices = { inputPerMillion: 100, outputPerMillion: 1_000 };
  const state = {
    fails: false,
    onJudged: async () => {},
    inputTokens: 1_000,
    now: noon,
    tookMs: 0,
  };
  const events: Promise<void>[] = [];
  const hear = () => {
    events.push(state.onJudged());
    state.now += state.tookMs;
    return { inputTokens: state.inputTokens };
  };
  const judging = fakeJudges([], hear, { priceOf: () => prices, concurrency: 5 });
  const suites = [memory, rubric];
  const rig = judgedHarness(judging, {
    now: () => state.now,
    suites: { all: suites, byId: (id) => suites.find((suite) => suite.id === id) },
  });
  const advise = rig.platform.ask;
  rig.platform.ask = async (...args) =>
    state.fails && args[1].messages.at(-1)?.content.endsWith("0?") === true
      ? { kind: "answer", answer: failed }
      : advise(...args);
  const settings = { ...rig.platform.settings, requireApiKey: true, dailyJudgeUsd: 1_000 };
  const platform = { ...rig.platform, settings };
  const owner = `acme-${crypto.randomUUID().slice(0, 8)}`;
  await platform.accounts.reserve(owner, noon);
  const api = serve(platform, {
    own: anAccount(owner, { keyId: `key_${owner}` }),
    admin: anAccount("boss", { scopes: ["submit", "admin"] }),
  });
  const dataset = await memoryDataset(platform, 2);
  const endpoint = { baseUrl: "http://127.0.0.1:8790/v1", model: "m" };
  const body = { suite: "memory", dataset, models: [{ name: "Model", endpoint }] };
  const submit = (more: object = {}) => api.post("/v1/submissions", { ...body, ...more }, own);
  const estimate = async () =>
    (await (await api.post("/v1/submissions?dryRun=true", body, own)).json()) as SubmissionEstimate;
  const usage = async () => (await (await api.get("/v1/usage", own)).json()) as Usage;
  const path = `/v1/operator/accounts/${owner}/quotas`;
  const allow = (quotas: object) => api.put(`${path}?reason=partner`, quotas, admin);
  const usd = (await estimate()).judgeCostUsd ?? 0;
  const deliverAll = async () => {
    await rig.deliverAll();
    await Promise.all(events);
  };
  const made = { platform, api, owner, dataset, submit, estimate, usage, allow, path, usd };
  return { ...rig, ...made, state, deliverAll };
}

describe("the daily quota of judge costs", () => {
  it("is charged with the submission, also when sent concurrently, and shown before and after", async () => {
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

  it("includes the models that prepare samples", async () => {
    const { platform, owner, submit, usage, deliverAll, usd } = await service();
    const open = await memoryDataset(platform, 2, { emotion: undefined, personality: undefined });
    const run = ((await (await submit({ dataset: open })).json()) as Submission).runs[0]!.id;
    const reserved = (await usage()).usedJudgeUsd ?? 0;
    // Each of two samples has three requests and a recording.
    expect(reserved - usd).toBeGreaterThan(2 * 3 * 0.3);
    await deliverAll();
    const { usedJudgeUsd } = await usage();
    const spent = (await platform.runs.get(run))?.judgeSpend?.judges ?? [];
    expect(spent.map(({ judge }) => judge)).toContain("openai:gpt-4o-mini-tts");
    expect(usedJudgeUsd).toBeCloseTo(
      spent.reduce((sum, row) => sum + row.usd, 0),
      4,
    );
    const ofDay = (await platform.spend.since("2026-11-21", 1_000)).filter(
      (row) => row.owner === owner,
    );
    expect(ofDay.map(({ judge }) => judge)).toContain("openai:gpt-audio-1.5");
  });

  it("is charged the actual cost once the run has ended", async () => {
    const { platform, submit, usage, deliverAll, usd } = await service();
    const run = ((await (await submit()).json()) as Submission).runs[0]!.id;
    expect((await usage()).usedJudgeUsd).toBeCloseTo(usd, 4);
    await deliverAll();
    const spent = (await platform.runs.get(run))?.judgeSpend?.judges ?? [];
    expect(spent.map(({ judge }) => judge)).not.toContain("estimate");
    const sum = spent.reduce((all, { usd: cost }) => all + cost, 0);
    expect((await usage()).usedJudgeUsd).toBeCloseTo(sum, 4);
    const rows = await platform.spend.since("2026-11-21", 100);
    expect(rows.map(({ judge }) => judge)).not.toContain("estimate");
  });

  it("is refunded by a run that is cancelled before judging", async () => {
    const { platform, submit, usage } = await service();
    const run = ((await (await submit()).json()) as Submission).runs[0]!.id;
    await Promise.all([platform.runs.cancel(run, noon), platform.runs.cancel(run, noon)]);
    expect((await usage()).usedJudgeUsd).toBe(0);
  });
});

describe("the daily quota of judge costs in special cases", () => {
  it("is charged the actual cost of a cancelled run, whose answers count as stored bytes", async () => {
    const { platform, submit, usage, deliverAll, state, usd } = await service();
    const run = ((await (await submit()).json()) as Submission).runs[0]!.id;
    state.onJudged = async () => void (await platform.runs.cancel(run, noon));
    await deliverAll();
    const record = await platform.runs.get(run);
    expect(record?.status).toBe("cancelled");
    const spent = record?.judgeSpend?.judges ?? [];
    expect(spent.map(({ judge }) => judge)).not.toContain("estimate");
    const sum = spent.reduce((all, row) => all + row.usd, 0);
    expect(sum).toBeGreaterThan(usd / 100);
    const { usedJudgeUsd, runBytes } = await usage();
    expect(usedJudgeUsd).toBeCloseTo(sum, 4);
    expect(runBytes.used).toBeGreaterThan(1_000);
  });

  it("is charged by a retry for the samples that it judges", async () => {
    const { platform, api, submit, usage, allow, deliverAll, state, usd } = await service();
    state.fails = true;
    const run = ((await (await submit()).json()) as Submission).runs[0]!.id;
    await deliverAll();
    expect(await platform.runs.get(run)).toMatchObject({ status: "finished", failed: 1 });
    state.fails = false;
    const before = (await usage()).usedJudgeUsd ?? 0;
    const retry = () => api.post(`/v1/runs/${run}/retry`, {}, own);
    await allow({ dailyJudgeUsd: before + usd / 4 });
    const refused = await retry();
    expect([refused.status, (await problemOf(refused)).detail]).toEqual([
      429,
      expect.stringContaining("USD of judges"),
    ]);
    await allow({ dailyJudgeUsd: before + usd });
    expect((await retry()).status).toBe(200);
    expect((await usage()).usedJudgeUsd).toBeCloseTo(before + usd / 2, 3);
    await deliverAll();
    const { status, judgeSpend } = (await platform.runs.get(run))!;
    const sum = (judgeSpend?.judges ?? []).reduce((all, row) => all + row.usd, 0);
    expect([status, (await usage()).usedJudgeUsd]).toEqual(["finished", expect.closeTo(sum, 4)]);
  });

  it("pauses a run that costs more than its estimate, until the next day or until an admin resumes it", async () => {
    const { platform, api, submit, usage, allow, deliverAll, state, usd } = await service();
    await submit();
    await deliverAll();
    const before = (await usage()).usedJudgeUsd ?? 0;
    const dataset = await memoryDataset(platform, 40);
    // The run costs seven times its estimate.
    Object.assign(state, { inputTokens: 50_000, tookMs: 100 });
    const limit = before + 20.5 * usd;
    await allow({ dailyJudgeUsd: limit });
    const run = ((await (await submit({ dataset })).json()) as Submission).runs[0]!.id;
    await deliverAll();
    const read = async () => (await platform.runs.get(run))!;
    const paused = await read();
    expect(paused).toMatchObject({ status: "paused", statusReason: QUOTA_REACHED });
    expect([paused.done > 0, paused.done < 40]).toEqual([true, true]);
    const resume = (by = own) => {
      state.now += 60_000;
      return api.post(`/v1/runs/${run}/resume`, undefined, by);
    };
    const refused = await resume();
    expect([refused.status, (await problemOf(refused)).detail]).toEqual([
      409,
      expect.stringMatching(
        /more than the .* USD that .*: it alone has used a day's quota, so ask/,
      ),
    ]);
    const used = (await usage()).usedJudgeUsd ?? 0;
    state.now += 86_400_000;
    await allow({ dailyJudgeUsd: used - before + 1 });
    expect((await resume()).status).toBe(200);
    expect((await usage()).usedJudgeUsd).toBeCloseTo(used - before, 3);
    await deliverAll();
    const again = await read();
    expect([again.status, again.done > paused.done]).toEqual(["paused", true]);
    expect((await resume(admin)).status).toBe(200);
    await deliverAll();
    expect(await read()).toMatchObject({ status: "finished", done: 40, failedJudgments: 0 });
    const total = ((await read()).judgeSpend?.judges ?? []).reduce((sum, row) => sum + row.usd, 0);
    expect((await usage()).usedJudgeUsd).toBeCloseTo(total, 3);
  });

  it("reserves enough if rows without criteria make the estimate unknown or too low", async () => {
    const { platform, submit, usage, allow } = await service();
    const used = async () => (await usage()).usedJudgeUsd ?? 0;
    const send = async (count: number, skipped: readonly number[]) => {
      const before = await used();
      const dataset = await rubricDataset(platform, count, skipped);
      const options = { rubric: { name: "Support", criteria } };
      const wanted = { suite: "rubric", dataset, options };
      const { status } = await submit(wanted);
      return { status, reserved: (await used()) - before, wanted };
    };
    const whole = await send(100, []);
    const probed = await send(100, evenlySpaced(100, 50));
    expect(probed.reserved).toBeGreaterThan(0.2 * whole.reserved);
    const unknown = await send(4, [0, 1, 2, 3]);
    expect([unknown.status, unknown.reserved > 0]).toEqual([202, true]);
    await allow({ dailyJudgeUsd: await used() });
    expect((await submit(unknown.wanted)).status).toBe(429);
  });

  it("applies to schedules that were made in a session", async () => {
    const { platform, owner } = await service();
    const record = { owner, anyOwner: false, keyId: null, person: owner } as ScheduleRecord;
    const submitter = await scheduleSubmitter(platform, record);
    expect(submitter.ok && submitter.value.quota?.judges?.allowedUsd).toBe(1_000);
  });
});

describe("submitted answers", () => {
  const answered = async () => {
    const rig = await service();
    const answers = [0, 1].map((i) => ({ id: `${rig.dataset}-${i}`, output: "x".repeat(2_000) }));
    return { ...rig, send: () => rig.submit({ models: [{ name: "Own", answers }] }) };
  };

  it("are charged as bytes and samples at once, and stay charged when their run is cancelled", async () => {
    const { platform, send, usage, allow } = await answered();
    const run = ((await (await send()).json()) as Submission).runs[0]!.id;
    const { runBytes, usedSamples } = await usage();
    expect([runBytes.used > 4_000, usedSamples]).toEqual([true, 2]);
    await platform.runs.cancel(run, noon);
    expect(await usage()).toMatchObject({ runBytes: { used: runBytes.used }, usedSamples: 2 });
    await allow({ runBytes: runBytes.used });
    expect((await send()).status).toBe(403);
  });

  it("of a refused concurrent submission leave no objects", async () => {
    const { platform, send, allow, usd } = await answered();
    const before = new Set(await platform.objects.keys("runs/"));
    await allow({ dailyJudgeUsd: 1.5 * usd });
    const replies = await Promise.all([send(), send(), send()]);
    const stored = replies.find(({ status }) => status === 202)!;
    expect(replies.map(({ status }) => status).toSorted()).toEqual([202, 429, 429]);
    const run = ((await stored.json()) as Submission).runs[0]!.id;
    const keys = (await platform.objects.keys("runs/")).filter((key) => !before.has(key));
    expect(keys.every((key) => key.startsWith(`runs/${run}/`))).toBe(true);
    expect(keys.length).toBeGreaterThan(0);
  });
});

describe("quotas of an account", () => {
  it("are set by an admin and replace the service's, with an entry in the audit log", async () => {
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

  it("refuse new runs with the reason once stored answers reach the limit", async () => {
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
