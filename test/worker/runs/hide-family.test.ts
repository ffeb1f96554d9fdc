import { describe, expect, it } from "vitest";
import { runCron } from "../../../api/cron.ts";
import type { Ports } from "../../../api/platform/ports.ts";
import { rescoreRun } from "../../../api/runs/rescore-run.ts";
import { problemOf, serve } from "../support/client.ts";
import { anAccount, harness, relayDataset, submitRun } from "../support/harness.ts";
import { latestSnapshot } from "../support/latest-snapshot.ts";
import { relaySuite } from "../support/relay-suite.ts";

const owner = anAccount("acme");
const admin = anAccount("operator", { scopes: ["admin"] });
const asAdmin = { authorization: "Bearer admin" };

/** A run, one that scored its answers again, and one that scored those again; all finished. */
async function family() {
  const made = harness();
  // Boards of versions to come would else wait for what the cron job makes of those before: no part of this.
  Object.assign(made.ports.republications, { isAwaited: async () => false, due: async () => [] });
  const dataset = await relayDataset(made.ports, 4);
  const first = await submitRun(made.ports, dataset);
  await made.deliverAll();
  const runs = [first];
  for (const version of ["2", "3"]) {
    const suite = { ...relaySuite, version };
    made.ports.suites = { all: [suite], byId: () => suite };
    runs.push(await copyOf(made.ports, runs.at(-1) ?? ""));
    await made.deliverAll();
  }
  const settings = { ...made.ports.settings, requireApiKey: true };
  const ports: Ports = { ...made.ports, settings };
  const api = serve(ports, { admin, owner });
  const act = (run: string, action: string, body?: unknown) =>
    api.post(`/v1/runs/${run}/${action}`, body, asAdmin);
  const statuses = () =>
    Promise.all(runs.map(async (run) => (await api.get(`/v1/runs/${run}`)).status));
  const reasons = () =>
    Promise.all(runs.map(async (run) => (await ports.runs.get(run))?.hiddenReason ?? null));
  return { ...made, ports, api, act, runs, statuses, reasons };
}

async function copyOf(ports: Ports, run: string): Promise<string> {
  const submission = await rescoreRun(ports, owner, run, { options: {} });
  if (!submission.ok) throw new Error(JSON.stringify(submission.error));
  return (await ports.runs.submission(submission.value))?.runs[0]?.id ?? "";
}

describe("hiding a run", () => {
  it("hides those that scored its answers again, on boards and in the snapshot, too", async () => {
    const { ports, act, runs, statuses, reasons, deliverAll } = await family();
    const [first = ""] = runs;
    expect(await statuses()).toEqual([200, 200, 200]);
    expect((await act(first, "hide", { reason: "spam" })).status).toBe(200);
    expect(await statuses()).toEqual([404, 404, 404]);
    expect(await reasons()).toEqual(["spam", "spam", "spam"]);
    await deliverAll();
    const shown = JSON.stringify([await ports.boards.all(), await latestSnapshot(ports)]);
    for (const run of runs) expect(shown).not.toContain(run);
    expect((await act(first, "unhide")).status).toBe(200);
    expect(await statuses()).toEqual([200, 200, 200]);
    await deliverAll();
    expect(JSON.stringify(await ports.boards.all())).toContain(runs[2]);
  });

  it("reaches the boards of all by the cron job when the messages were lost", async () => {
    const { ports, act, runs, mail, deliverAll } = await family();
    await act(runs[0] ?? "", "hide", { reason: "spam" });
    mail.finish.length = 0;
    await runCron(ports);
    await deliverAll();
    const shown = JSON.stringify([await ports.boards.all(), await latestSnapshot(ports)]);
    for (const run of runs) expect(shown).not.toContain(run);
  });

  it("leaves the run above in view", async () => {
    const { act, runs, statuses } = await family();
    await act(runs[1] ?? "", "hide", { reason: "wrong rules" });
    expect(await statuses()).toEqual([200, 404, 404]);
  });

  it("leaves a reason of its own to one that is hidden already, which then stays hidden", async () => {
    const { act, runs, reasons } = await family();
    const [first = "", , third = ""] = runs;
    await act(third, "hide", { reason: "its own" });
    await act(first, "hide", { reason: "spam" });
    expect(await reasons()).toEqual(["spam", "spam", "its own"]);
    await act(first, "hide", { reason: "advertising" });
    expect(await reasons()).toEqual(["advertising", "advertising", "its own"]);
    await act(first, "unhide");
    expect(await reasons()).toEqual([null, null, "its own"]);
  });

  it("keeps a copy from being shown by itself", async () => {
    const { act, runs, statuses } = await family();
    await act(runs[0] ?? "", "hide", { reason: "spam" });
    const refused = await act(runs[2] ?? "", "unhide");
    expect(refused.status).toBe(409);
    expect((await problemOf(refused)).detail).toContain(`run "${runs[0]}", which is hidden (spam)`);
    expect(await statuses()).toEqual([404, 404, 404]);
  });

  it("reaches copies below one that was deleted", async () => {
    const { act, api, runs, ports, reasons } = await family();
    await api.delete(`/v1/runs/${runs[1]}`, asAdmin);
    await runCron(ports);
    expect(await ports.runs.get(runs[1] ?? "")).toBeNull();
    await act(runs[0] ?? "", "hide", { reason: "spam" });
    expect(await reasons()).toEqual(["spam", null, "spam"]);
  });

  it("hides a copy that is stored just then", async () => {
    const { ports, runs } = await family();
    const suite = { ...relaySuite, version: "4" };
    const [first = ""] = runs;
    const insert: typeof ports.runs.insert = async (...args) => {
      await ports.runs.hide(first, "spam", Date.now());
      return ports.runs.insert(...args);
    };
    const racing = {
      ...ports,
      suites: { all: [suite], byId: () => suite },
      runs: { ...ports.runs, insert },
    };
    const copy = await copyOf(racing, first);
    expect(await ports.runs.get(copy)).toMatchObject({ hiddenReason: "spam" });
  });
});
