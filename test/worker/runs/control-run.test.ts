import { describe, expect, it } from "vitest";
import { runCron } from "../../../api/cron.ts";
import { dayOf } from "../../../api/keys/quota.ts";
import { retryStorage } from "../../../api/platform/retry-storage.ts";
import type { AskModel } from "../../../api/providers/ask-model.ts";
import { controlRun, type RunAction } from "../../../api/runs/service.ts";
import type { RunStore } from "../../../api/runs/store.ts";
import {
  anAccount,
  deliver,
  harness,
  relayDataset,
  submitRun,
  upperCasing,
} from "../support/harness.ts";

const owner = anAccount("acme");

/** A model that calls `then` once after `requests` requests. */
function afterRequests(requests: number, then: () => Promise<unknown>): AskModel {
  let count = 0;
  return async (...request) => {
    count += 1;
    if (count === requests) await then();
    return upperCasing(...request);
  };
}

/** The store, but the first reply to each change of status is lost after the change took effect. */
function losingReplies(runs: RunStore): RunStore {
  const lost = new Set<string>();
  const losing = <Args extends unknown[]>(
    name: string,
    call: (...args: Args) => Promise<boolean>,
  ) => {
    return async (...args: Args) => {
      const result = await call(...args);
      if (lost.has(name)) return result;
      lost.add(name);
      throw new Error("D1_ERROR: Network connection lost.");
    };
  };
  const cancel = losing("cancel", runs.cancel);
  const pause = losing("pause", runs.pause);
  return { ...runs, cancel, pause, resume: losing("resume", runs.resume) };
}

/** A run of 200 samples; its owner applies `action` after 40 requests. */
async function runWith(action: RunAction) {
  let run = "";
  const platform = harness({
    ask: (...request) => ask(...request),
  });
  const ask = afterRequests(40, () => controlRun(platform.platform, owner, run, action));
  run = await submitRun(platform.platform, await relayDataset(platform.platform, 200), {
    options: { concurrency: 5 },
  });
  await platform.deliverAll();
  return { ...platform, run };
}

describe("controlRun()", () => {
  it("cancels a run, which keeps its answers and deletes its secrets", async () => {
    const { platform, run } = await runWith("cancel");
    const cancelled = await platform.runs.get(run);
    expect(cancelled).toMatchObject({ status: "cancelled", sealedSecrets: null });
    expect(cancelled?.done).toBeGreaterThan(0);
    expect(cancelled?.done).toBeLessThan(200);
    expect(cancelled?.finishedAt).not.toBeNull();
  });

  it("pauses a run, which the cron job does not start, and resumes it to its end", async () => {
    const { platform, mail, deliverAll, run } = await runWith("pause");
    const paused = await platform.runs.get(run);
    expect(paused).toMatchObject({ status: "paused", statusReason: "paused by its owner" });
    expect(paused?.done).toBeLessThan(200);
    await runCron({ ...platform, now: () => Date.now() + 600_000 });
    expect(mail.evaluate).toEqual([]);
    await controlRun(platform, owner, run, "resume");
    await deliverAll();
    expect(await platform.runs.get(run)).toMatchObject({
      status: "finished",
      statusReason: null,
      done: 200,
    });
  });

  it.each<[RunAction, string]>([
    ["cancel", "a run that is finished can't be cancelled"],
    ["pause", "a run that is finished can't be paused"],
    ["resume", "a run that is finished can't be resumed"],
  ])("refuses to %s a run that has ended", async (action, detail) => {
    const { platform, deliverAll } = harness();
    const run = await submitRun(platform, await relayDataset(platform, 3));
    await deliverAll();
    const refused = await controlRun(platform, owner, run, action);
    expect(refused).toEqual({ ok: false, error: { type: "conflict", detail } });
  });

  it.each<[RunAction, string]>([
    ["cancel", "cancelled"],
    ["pause", "paused"],
    ["resume", "running"],
  ])("accepts a %s that took effect although its reply was lost", async (action, status) => {
    const { platform, mail } = harness();
    const run = await submitRun(platform, await relayDataset(platform, 3));
    if (action === "resume") await controlRun(platform, owner, run, "pause");
    mail.evaluate.length = 0;
    const lossy = retryStorage(
      { ...platform, runs: losingReplies(platform.runs) },
      { now: platform.now, sleep: platform.sleep, random: Math.random },
    );
    const changed = await controlRun(lossy, owner, run, action);
    expect(changed).toMatchObject({ ok: true, value: { status } });
    expect(mail.evaluate).toHaveLength(action === "resume" ? 1 : 0);
    const again = await controlRun(platform, owner, run, action);
    expect(again).toMatchObject({ ok: false, error: { type: "conflict" } });
  });

  it("returns quota once if the reply of a cancellation was lost", async () => {
    const { platform } = harness();
    const quota = { key: crypto.randomUUID(), allowedSamples: 10 };
    const run = await submitRun(platform, await relayDataset(platform, 3), {}, quota);
    await submitRun(platform, await relayDataset(platform, 4), {}, quota);
    const lossy = retryStorage(
      { ...platform, runs: losingReplies(platform.runs) },
      { now: platform.now, sleep: platform.sleep, random: Math.random },
    );
    expect((await controlRun(lossy, owner, run, "cancel")).ok).toBe(true);
    expect(await platform.usage.used(quota.key, dayOf(Date.now()))).toBe(4);
  });

  it("reports a concurrent change of the run", async () => {
    const { platform } = harness();
    const run = await submitRun(platform, await relayDataset(platform, 3));
    await controlRun(platform, owner, run, "pause");
    const resume: typeof platform.runs.resume = async () => {
      await platform.runs.resume(run, { maxCostUsd: null });
      return false;
    };
    const late = { ...platform, runs: { ...platform.runs, resume } };
    const refused = await controlRun(late, owner, run, "resume", { maxCostUsd: null });
    expect(refused.ok).toBe(true);
    const cancelled = await controlRun(
      {
        ...platform,
        runs: {
          ...platform.runs,
          pause: (id) => platform.runs.cancel(id, Date.now()).then(() => false),
        },
      },
      owner,
      run,
      "pause",
    );
    expect(cancelled).toEqual({
      ok: false,
      error: { type: "conflict", detail: "a run that is cancelled can't be paused" },
    });
  });

  it("starts a run that is resumed after a pause before its start", async () => {
    const { platform, deliverAll } = harness();
    const run = await submitRun(platform, await relayDataset(platform, 3));
    await controlRun(platform, owner, run, "pause");
    await controlRun(platform, owner, run, "resume");
    await deliverAll();
    const finished = await platform.runs.get(run);
    expect(finished).toMatchObject({ status: "finished", startedAt: expect.any(Number) });
    const wallMs = (finished?.finishedAt ?? 0) - (finished?.startedAt ?? 0);
    for (const { doneMs } of await platform.runs.samples(run, -1, 10)) {
      expect(doneMs).toBeGreaterThanOrEqual(0);
      expect(doneMs).toBeLessThanOrEqual(wallMs);
    }
  });

  it("clears the reason of the pause when it cancels a run", async () => {
    const { platform } = harness();
    const run = await submitRun(platform, await relayDataset(platform, 3));
    await controlRun(platform, owner, run, "pause");
    const cancelled = await controlRun(platform, owner, run, "cancel");
    expect(cancelled).toMatchObject({ value: { status: "cancelled", statusReason: null } });
  });

  it("does not pause a run that has all samples", async () => {
    const { platform, mail, deliverAll } = harness();
    const run = await submitRun(platform, await relayDataset(platform, 3));
    while (mail.evaluate.length > 0) await deliver(platform, "evaluate", mail.evaluate.shift());
    expect(await platform.runs.get(run)).toMatchObject({ status: "running", done: 3 });
    const refused = await controlRun(platform, owner, run, "pause");
    expect(refused).toMatchObject({
      error: { type: "conflict", detail: expect.stringContaining("nothing left to pause") },
    });
    expect(await platform.runs.pause(run, "late")).toBe(false);
    await deliverAll();
    expect((await platform.runs.get(run))?.status).toBe("finished");
  });

  it("allows only the owner and admins", async () => {
    const { platform } = harness();
    const run = await submitRun(platform, await relayDataset(platform, 3));
    const stranger = anAccount("other");
    const refused = await controlRun(platform, stranger, run, "cancel");
    expect(refused).toMatchObject({ ok: false, error: { type: "forbidden" } });
    const admin = anAccount("other", { scopes: ["submit", "admin"] });
    expect((await controlRun(platform, admin, run, "cancel")).ok).toBe(true);
  });

  it("answers not-found for an unknown run", async () => {
    const { platform } = harness();
    const refused = await controlRun(platform, owner, "run_x", "cancel");
    expect(refused).toMatchObject({ ok: false, error: { type: "not-found" } });
  });
});
