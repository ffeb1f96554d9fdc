import { describe, expect, it } from "vitest";
import { sweep } from "../../api/pipeline/lanes/sweep.ts";
import type { AskModel } from "../../api/pipeline/ports.ts";
import { controlRun, type RunAction } from "../../api/pipeline/runs/control-run.ts";
import { anAccount, harness, relayDataset, submitRun, upperCasing } from "./harness.ts";

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

/** A run of 100 samples during which its owner does something. */
async function runWith(action: RunAction) {
  let run = "";
  const ports = harness({
    ask: (...request) => ask(...request),
  });
  const ask = afterRequests(40, () => controlRun(ports.ports, owner, run, action));
  run = await submitRun(ports.ports, await relayDataset(ports.ports, 100), {
    options: { concurrency: 5 },
  });
  await ports.deliverAll();
  return { ...ports, run };
}

describe("controlRun()", () => {
  it("cancels a run: it stops, keeps what was answered and forgets its secrets", async () => {
    const { ports, run } = await runWith("cancel");
    const cancelled = await ports.runs.get(run);
    expect(cancelled).toMatchObject({ status: "cancelled", sealedSecrets: null });
    expect(cancelled?.done).toBeGreaterThan(0);
    expect(cancelled?.done).toBeLessThan(100);
    expect(cancelled?.finishedAt).not.toBeNull();
  });

  it("pauses a run, which no sweep wakes, and resumes it to its end", async () => {
    const { ports, mail, deliverAll, run } = await runWith("pause");
    const paused = await ports.runs.get(run);
    expect(paused).toMatchObject({ status: "paused", statusReason: "paused by its owner" });
    expect(paused?.done).toBeLessThan(100);
    await sweep({ ...ports, now: () => Date.now() + 600_000 });
    expect(mail.evaluate).toEqual([]);
    await controlRun(ports, owner, run, "resume");
    await deliverAll();
    expect(await ports.runs.get(run)).toMatchObject({
      status: "finished",
      statusReason: null,
      done: 100,
    });
  });

  it.each<[RunAction, string]>([
    ["cancel", "a run that is finished can't be cancelled"],
    ["pause", "a run that is finished can't be paused"],
    ["resume", "a run that is finished can't be resumed"],
  ])("refuses to %s a run that has ended", async (action, detail) => {
    const { ports, deliverAll } = harness();
    const run = await submitRun(ports, await relayDataset(ports, 3));
    await deliverAll();
    const refused = await controlRun(ports, owner, run, action);
    expect(refused).toEqual({ ok: false, error: { type: "conflict", detail } });
  });

  it("lets the owner and admins alone", async () => {
    const { ports } = harness();
    const run = await submitRun(ports, await relayDataset(ports, 3));
    const stranger = anAccount("other");
    const refused = await controlRun(ports, stranger, run, "cancel");
    expect(refused).toMatchObject({ ok: false, error: { type: "forbidden" } });
    const admin = anAccount("other", { scopes: ["submit", "admin"] });
    expect((await controlRun(ports, admin, run, "cancel")).ok).toBe(true);
  });

  it("knows no run that is not there", async () => {
    const { ports } = harness();
    const refused = await controlRun(ports, owner, "run_x", "cancel");
    expect(refused).toMatchObject({ ok: false, error: { type: "not-found" } });
  });
});
