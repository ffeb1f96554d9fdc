import { describe, expect, it } from "vitest";
import { runCron } from "../../../api/cron.ts";
import { controlRun, deleteRun } from "../../../api/runs/service.ts";
import { serve } from "../support/client.ts";
import {
  another,
  ask,
  begun,
  board,
  boardNow,
  type Change,
  corrected,
  lantern,
  type Made,
  ranks,
  reason,
  settle,
  upload,
} from "../support/corrected-board.ts";
import { anAccount } from "../support/harness.ts";

describe("runs during a correction", () => {
  const correct = (made: Made) =>
    upload(made.platform, made.dataset, lantern, { version: made.version, reason });

  it("on the new version wait for it, so that the new board starts complete", async () => {
    const rig = await board();
    await correct(rig);
    await another(rig, rig.dataset, "lantern");
    await settle(rig, { ...rig.platform, ask });
    expect((await boardNow(rig))?.id).toBe(rig.old.id);
    await runCron(rig.platform);
    await settle(rig, rig.platform);
    const current = await boardNow(rig);
    expect([current?.id === rig.old.id, current?.entries.length]).toEqual([false, 3]);
  });

  it("that are newer keep their place over older answers that are rescored", async () => {
    const rig = await board();
    await correct(rig);
    const [plain] = rig.old.entries;
    const fresh = await another(rig, rig.dataset, "lantern", plain?.model.slug);
    await settle(rig, { ...rig.platform, ask });
    await runCron(rig.platform);
    await settle(rig, rig.platform);
    const entry = (await boardNow(rig))?.entries.find(
      ({ model }) => model.slug === plain?.model.slug,
    );
    expect(entry).toMatchObject({ run: fresh, headline: { value: 1 } });
  });

  it("that were paused meanwhile get on the new board when they finish, and the old board is unchanged", async () => {
    const rig = await board();
    const late = await another(rig, rig.dataset, "late");
    await rig.platform.runs.pause(late, null);
    await correct(rig);
    await runCron(rig.platform);
    await settle(rig, rig.platform);
    expect((await boardNow(rig))?.entries).toHaveLength(2);
    await rig.platform.runs.resume(late, { maxCostUsd: null });
    rig.mail.evaluate.push({
      v: 1,
      kind: "lane",
      run: late,
      lane: 0,
      place: 0,
      phase: "answering",
    });
    await settle(rig, { ...rig.platform, ask });
    await runCron(rig.platform);
    await settle(rig, rig.platform);
    expect((await rig.platform.boards.get(rig.old.id))?.entries).toEqual(rig.old.entries);
    const names = (await boardNow(rig))?.entries.map(({ model }) => model.name);
    expect(names?.toSorted()).toEqual(["lantern", "late", "plain"]);
  });

  it("also wait if the correction is corrected before it is done", async () => {
    const rig = await board();
    const first = await correct(rig);
    await begun(rig, rig.platform);
    const version = first.ok ? first.value.version : "";
    const both: Change = (row) => lantern(row.id === "s1" ? { ...row, expected: "TWO" } : row);
    await upload(rig.platform, rig.dataset, both, { version, reason: "and another one" });
    const scoring = rig.mail.evaluate.splice(0);
    await another(rig, rig.dataset, "lantern");
    await settle(rig, { ...rig.platform, ask });
    expect((await boardNow(rig))?.id).toBe(rig.old.id);
    rig.mail.evaluate.push(...scoring);
    await settle(rig, rig.platform);
    await runCron(rig.platform);
    await settle(rig, rig.platform);
    expect((await boardNow(rig))?.entries).toHaveLength(3);
  });

  it("created by it can't be paused, since their board waits for them", async () => {
    const rig = await board();
    await correct(rig);
    await begun(rig, rig.platform);
    const [open] = await rig.platform.republications.list(rig.old.id, { after: null, limit: 1 });
    const [child] = (await rig.platform.runs.submission(open?.submissionId ?? ""))?.runs ?? [];
    const paused = await controlRun(rig.platform, anAccount("acme"), child?.id ?? "", "pause");
    expect(paused).toMatchObject({
      ok: false,
      error: { detail: expect.stringMatching(/cancel or/) },
    });
  });

  it("are deleted together with their rescored copies", async () => {
    const rig = await board();
    const { changes } = await corrected(rig);
    const [plain] = changes ?? [];
    await deleteRun(rig.platform, anAccount("acme"), plain?.before.run ?? "");
    await settle(rig, rig.platform);
    const api = serve(rig.platform);
    expect((await api.get(`/v1/runs/${plain?.after?.run}`)).status).toBe(404);
    expect(ranks((await boardNow(rig))?.entries ?? [])).toEqual([["lantern", 1, 1]]);
    const old = await rig.platform.boards.get(rig.old.id);
    expect(old?.entries.map(({ rank, model }) => [model.name, rank])).toEqual([["lantern", 2]]);
  });
});

it("a badge uses the time of the answers, not that of a rescoring", async () => {
  const rig = await board();
  const slug = rig.old.entries[0]?.model.slug ?? "";
  const other = `acme/other-${crypto.randomUUID().slice(0, 8)}`;
  await upload(rig.platform, other);
  await another(rig, other, "lantern", slug);
  await settle(rig, { ...rig.platform, ask });
  await corrected(rig);
  const [newest] = await rig.platform.boards.ofModel(slug, { suite: null, dataset: null }, 1);
  expect(newest?.datasetName).toBe(other);
});
