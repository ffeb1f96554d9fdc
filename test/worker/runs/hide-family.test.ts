import { describe, expect, it } from "vitest";
import { runCron } from "../../../api/cron.ts";
import type { Platform } from "../../../api/platform/platform.ts";
import { rescoreRun } from "../../../api/runs/rescore-run.ts";
import { latestSnapshot, problemOf, serve } from "../support/client.ts";
import { anAccount, harness, relayDataset, submitRun } from "../support/harness.ts";
import { relaySuite } from "../support/relay-suite.ts";

const owner = anAccount("acme");
const admin = anAccount("operator", { scopes: ["admin"] });
const asAdmin = { authorization: "Bearer admin" };

/** A finished run, its rescored copy, and a copy of that copy. */
async function family() {
  const rig = harness();
  // Boards of later versions would wait for re-publications of earlier ones, which are not tested here.
  Object.assign(rig.platform.republications, {
    isAwaited: async () => false,
    due: async () => [],
  });
  const dataset = await relayDataset(rig.platform, 4);
  const first = await submitRun(rig.platform, dataset);
  await rig.deliverAll();
  const runs = [first];
  for (const version of ["2", "3"]) {
    const suite = { ...relaySuite, version };
    rig.platform.suites = { all: [suite], byId: () => suite };
    runs.push(await copyOf(rig.platform, runs.at(-1) ?? ""));
    await rig.deliverAll();
  }
  const settings = { ...rig.platform.settings, requireApiKey: true };
  const platform: Platform = { ...rig.platform, settings };
  const api = serve(platform, { admin, owner });
  const act = (run: string, action: string, body?: unknown) =>
    api.post(`/v1/runs/${run}/${action}`, body, asAdmin);
  const statuses = () =>
    Promise.all(runs.map(async (run) => (await api.get(`/v1/runs/${run}`)).status));
  const reasons = () =>
    Promise.all(runs.map(async (run) => (await platform.runs.get(run))?.hiddenReason ?? null));
  return { ...rig, platform, api, act, runs, statuses, reasons };
}

async function copyOf(platform: Platform, run: string): Promise<string> {
  const submission = await rescoreRun(platform, owner, run, { options: {} });
  if (!submission.ok) throw new Error(JSON.stringify(submission.error));
  return (await platform.runs.submission(submission.value))?.runs[0]?.id ?? "";
}

describe("hiding a run", () => {
  it("also hides its rescored copies, on boards and in the snapshot", async () => {
    const { platform, act, runs, statuses, reasons, deliverAll } = await family();
    const [first = ""] = runs;
    expect(await statuses()).toEqual([200, 200, 200]);
    expect((await act(first, "hide", { reason: "spam" })).status).toBe(200);
    expect(await statuses()).toEqual([404, 404, 404]);
    expect(await reasons()).toEqual(["spam", "spam", "spam"]);
    await deliverAll();
    const shown = JSON.stringify([await platform.boards.all(), await latestSnapshot(platform)]);
    for (const run of runs) expect(shown).not.toContain(run);
    expect((await act(first, "unhide")).status).toBe(200);
    expect(await statuses()).toEqual([200, 200, 200]);
    await deliverAll();
    expect(JSON.stringify(await platform.boards.all())).toContain(runs[2]);
  });

  it("is applied to all boards by the cron job if the messages were lost", async () => {
    const { platform, act, runs, mail, deliverAll } = await family();
    await act(runs[0] ?? "", "hide", { reason: "spam" });
    mail.finish.length = 0;
    await runCron(platform);
    await deliverAll();
    const shown = JSON.stringify([await platform.boards.all(), await latestSnapshot(platform)]);
    for (const run of runs) expect(shown).not.toContain(run);
  });

  it("does not hide its parent", async () => {
    const { act, runs, statuses } = await family();
    await act(runs[1] ?? "", "hide", { reason: "wrong rules" });
    expect(await statuses()).toEqual([200, 404, 404]);
  });

  it("keeps the reason of a copy that is already hidden, and the copy stays hidden afterwards", async () => {
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

  it("prevents its copies from being shown alone", async () => {
    const { act, runs, statuses } = await family();
    await act(runs[0] ?? "", "hide", { reason: "spam" });
    const refused = await act(runs[2] ?? "", "unhide");
    expect(refused.status).toBe(409);
    expect((await problemOf(refused)).detail).toContain(`run "${runs[0]}", which is hidden (spam)`);
    expect(await statuses()).toEqual([404, 404, 404]);
  });

  it("hides copies of a deleted copy", async () => {
    const { act, api, runs, platform, reasons } = await family();
    await api.delete(`/v1/runs/${runs[1]}`, asAdmin);
    await runCron(platform);
    expect(await platform.runs.get(runs[1] ?? "")).toBeNull();
    await act(runs[0] ?? "", "hide", { reason: "spam" });
    expect(await reasons()).toEqual(["spam", null, "spam"]);
  });

  /** A copy of a run that changes while the copy is stored. */
  async function racingCopy(change: (runs: Platform["runs"], run: string) => Promise<unknown>) {
    const { platform, runs } = await family();
    const suite = { ...relaySuite, version: "4" };
    const [first = ""] = runs;
    const insert: typeof platform.runs.insert = async (...args) => {
      await change(platform.runs, first);
      return platform.runs.insert(...args);
    };
    const racing = {
      ...platform,
      suites: { all: [suite], byId: () => suite },
      runs: { ...platform.runs, insert },
    };
    return platform.runs.get(await copyOf(racing, first));
  }

  it("hides a copy that is being stored at the same time", async () => {
    const copy = await racingCopy((runs, run) => runs.hide(run, "spam", Date.now()));
    expect(copy).toMatchObject({ hiddenReason: "spam", visibility: "public" });
  });

  it("a copy that is being stored while its run is made private is private, too", async () => {
    const change = { visibility: "private", note: null } as const;
    const copy = await racingCopy((runs, run) => runs.changeVisibility(run, change, Date.now()));
    expect(copy).toMatchObject({ visibility: "private", boardId: null });
  });
});
