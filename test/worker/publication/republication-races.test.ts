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
    const made = await board();
    await correct(made);
    await another(made, made.dataset, "lantern");
    await settle(made, { ...made.platform, ask });
    expect((await boardNow(made))?.id).toBe(made.old.id);
    await runCron(made.platform);
    await settle(made, made.platform);
    const current = await boardNow(made);
    expect([current?.id === made.old.id, current?.entries.length]).toEqual([false, 3]);
  });

  it("that are newer keep their place over older answers that are rescored", async () => {
    const made = await board();
    await correct(made);
    const [plain] = made.old.entries;
    const fresh = await another(made, made.dataset, "lantern", plain?.model.slug);
    await settle(made, { ...made.platform, ask });
    await runCron(made.platform);
    await settle(made, made.platform);
    const entry = (await boardNow(made))?.entries.find(
      ({ model }) => model.slug === plain?.model.slug,
    );
    expect(entry).toMatchObject({ run: fresh, headline: { value: 1 } });
  });

  it("that were paused meanwhile get on the new board when they finish, and the old board is unchanged", async () => {
    const made = await board();
    const late = await another(made, made.dataset, "late");
    await made.platform.runs.pause(late, null);
    await correct(made);
    await runCron(made.platform);
    await settle(made, made.platform);
    expect((await boardNow(made))?.entries).toHaveLength(2);
    await made.platform.runs.resume(late, { maxCostUsd: null });
    made.mail.evaluate.push({
      v: 1,
      kind: "lane",
      run: late,
      lane: 0,
      place: 0,
      phase: "answering",
    });
    await settle(made, { ...made.platform, ask });
    await runCron(made.platform);
    await settle(made, made.platform);
    expect((await made.platform.boards.get(made.old.id))?.entries).toEqual(made.old.entries);
    const names = (await boardNow(made))?.entries.map(({ model }) => model.name);
    expect(names?.toSorted()).toEqual(["lantern", "late", "plain"]);
  });

  it("also wait if the correction is corrected before it is done", async () => {
    const made = await board();
    const first = await correct(made);
    await begun(made, made.platform);
    const version = first.ok ? first.value.version : "";
    const both: Change = (row) => lantern(row.id === "s1" ? { ...row, expected: "TWO" } : row);
    await upload(made.platform, made.dataset, both, { version, reason: "and another one" });
    const scoring = made.mail.evaluate.splice(0);
    await another(made, made.dataset, "lantern");
    await settle(made, { ...made.platform, ask });
    expect((await boardNow(made))?.id).toBe(made.old.id);
    made.mail.evaluate.push(...scoring);
    await settle(made, made.platform);
    await runCron(made.platform);
    await settle(made, made.platform);
    expect((await boardNow(made))?.entries).toHaveLength(3);
  });

  it("created by it can't be paused, since their board waits for them", async () => {
    const made = await board();
    await correct(made);
    await begun(made, made.platform);
    const [open] = await made.platform.republications.list(made.old.id, { after: null, limit: 1 });
    const [child] = (await made.platform.runs.submission(open?.submissionId ?? ""))?.runs ?? [];
    const paused = await controlRun(made.platform, anAccount("acme"), child?.id ?? "", "pause");
    expect(paused).toMatchObject({
      ok: false,
      error: { detail: expect.stringMatching(/cancel or/) },
    });
  });

  it("are deleted together with their rescored copies", async () => {
    const made = await board();
    const { changes } = await corrected(made);
    const [plain] = changes ?? [];
    await deleteRun(made.platform, anAccount("acme"), plain?.before.run ?? "");
    await settle(made, made.platform);
    const api = serve(made.platform);
    expect((await api.get(`/v1/runs/${plain?.after?.run}`)).status).toBe(404);
    expect(ranks((await boardNow(made))?.entries ?? [])).toEqual([["lantern", 1, 1]]);
    const old = await made.platform.boards.get(made.old.id);
    expect(old?.entries.map(({ rank, model }) => [model.name, rank])).toEqual([["lantern", 2]]);
  });
});

it("a badge uses the time of the answers, not that of a rescoring", async () => {
  const made = await board();
  const slug = made.old.entries[0]?.model.slug ?? "";
  const other = `acme/other-${crypto.randomUUID().slice(0, 8)}`;
  await upload(made.platform, other);
  await another(made, other, "lantern", slug);
  await settle(made, { ...made.platform, ask });
  await corrected(made);
  const [newest] = await made.platform.boards.ofModel(slug, { suite: null, dataset: null }, 1);
  expect(newest?.datasetName).toBe(other);
});
