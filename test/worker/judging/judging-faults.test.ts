import { describe, expect, it } from "vitest";
import { runCron } from "../../../api/cron.ts";
import { failRun } from "../../../api/engine/record-lost-units.ts";
import type { Platform } from "../../../api/platform/platform.ts";
import { retryRun } from "../../../api/runs/retry-run.ts";
import { fakeJudges, judgedHarness, memoryDataset, type Question } from "../support/fake-judges.ts";
import {
  anAccount,
  aRow,
  deliver,
  emptyCommit,
  someUnits,
  submitRun,
  wish,
} from "../support/harness.ts";

const count = 12;

async function submitted(its: ReturnType<typeof judgedHarness>) {
  return submitRun(its.platform, await memoryDataset(its.platform, count), { suite: "memory" });
}

/** A run whose answers are all in, and whose judges have not been asked. */
async function answered(its: ReturnType<typeof judgedHarness>) {
  const run = await submitted(its);
  for (let lane = its.mail.evaluate.shift(); lane; lane = its.mail.evaluate.shift()) {
    await deliver(its.platform, "evaluate", lane);
  }
  return run;
}

const state = async (platform: Platform, run: string) =>
  (await platform.runs.get(run)) ?? undefined;

describe("judging", () => {
  it("asks and counts nothing twice when every message comes twice", async () => {
    const asked: Question[] = [];
    const its = judgedHarness(fakeJudges(asked));
    const run = await submitted(its);
    for (;;) {
      const lane = its.mail.evaluate.shift();
      const finish = lane ? undefined : its.mail.finish.shift();
      if (!lane && !finish) break;
      const queue = finish ? "finish" : lane?.phase === "judging" ? "judge" : "evaluate";
      await deliver(its.platform, queue, lane ?? finish);
      await deliver(its.platform, queue, lane ?? finish);
    }
    expect(await state(its.platform, run)).toMatchObject({
      status: "finished",
      done: count,
      failed: 0,
    });
    expect(asked).toHaveLength(12 * count);
  });

  it("begins by the cron job where the message that begins it was lost", async () => {
    const its = judgedHarness(fakeJudges());
    const run = await answered(its);
    its.mail.finish.length = 0;
    expect(await state(its.platform, run)).toMatchObject({ phase: "answering", done: count });
    await runCron(its.platform);
    await its.deliverAll();
    expect(await state(its.platform, run)).toMatchObject({ phase: "judging", status: "finished" });
  });

  it("continues by the cron job where its messages were lost", async () => {
    let clock = Date.now();
    const its = judgedHarness(fakeJudges(), { now: () => clock });
    const run = await answered(its);
    const [finish] = its.mail.finish.splice(0);
    await deliver(its.platform, "finish", finish);
    its.mail.evaluate.length = 0;
    clock += 120_000;
    await runCron(its.platform);
    expect(its.mail.evaluate.every(({ phase }) => phase === "judging")).toBe(true);
    await its.deliverAll();
    expect(await state(its.platform, run)).toMatchObject({ status: "finished", done: count });
  });

  it("takes nothing from a lane that still asks the model", async () => {
    const its = judgedHarness(fakeJudges());
    const run = await answered(its);
    const before = await its.platform.runs.sample(run, 0);
    const [finish] = its.mail.finish.splice(0);
    await deliver(its.platform, "finish", finish);
    const now = its.platform.now();
    const late = { ...emptyCommit(run, now, now + 30_000), rows: [aRow(run, 0)] };
    for (const attempt of [1, 2, 3]) {
      expect(await its.platform.runs.commit({ ...late, attempt })).toBeNull();
    }
    expect(await its.platform.runs.sample(run, 0)).toEqual(before);
  });

  it("ignores a message of the phase before", async () => {
    const asked: Question[] = [];
    const its = judgedHarness(fakeJudges(asked));
    const run = await answered(its);
    const [finish] = its.mail.finish.splice(0);
    await deliver(its.platform, "finish", finish);
    await deliver(its.platform, "evaluate", {
      v: 1,
      kind: "lane",
      run,
      lane: 0,
      phase: "answering",
    });
    expect(asked).toEqual([]);
  });

  it("that died with a lane is taken up with the judgments that it had", async () => {
    let clock = Date.now();
    const asked: Question[] = [];
    const its = judgedHarness(fakeJudges(asked), { now: () => clock });
    const run = await answered(its);
    const [finish] = its.mail.finish.splice(0);
    await deliver(its.platform, "finish", finish);
    const taking = await its.platform.runs.takeLease(wish(run, clock, clock + 30_000));
    if (taking.kind !== "taken") throw new Error(taking.kind);
    const claim = { ...emptyCommit(run, clock, clock + 30_000), claim: someUnits(5) };
    await its.platform.runs.commit({ ...claim, attempt: taking.attempt });
    await its.deliverAll();
    expect((await state(its.platform, run))?.done).toBe(count - 5);
    clock += 120_000;
    await runCron(its.platform);
    await its.deliverAll();
    expect(await state(its.platform, run)).toMatchObject({ status: "finished", done: count });
    const { datasetName = "" } = (await state(its.platform, run)) ?? {};
    // The cron job takes up the runs of other tests, too.
    const own = asked.filter(({ request }) =>
      request?.messages[1]?.content.includes(`attempt ${datasetName} `),
    );
    expect(own).toHaveLength(11 * count);
  });

  it("that failed on the way continues with a retry, and the model is not asked", async () => {
    const asked: Question[] = [];
    const its = judgedHarness(fakeJudges(asked));
    const run = await answered(its);
    const [finish] = its.mail.finish.splice(0);
    await deliver(its.platform, "finish", finish);
    await failRun(its.platform, run, "a test");
    its.mail.evaluate.length = 0;
    its.platform.ask = async () => expect.unreachable("the model was asked");
    expect(await retryRun(its.platform, anAccount("acme"), run, {})).toMatchObject({ ok: true });
    await its.deliverAll();
    expect(await state(its.platform, run)).toMatchObject({ status: "finished", done: count });
    expect(asked).toHaveLength(12 * count);
  });
});
