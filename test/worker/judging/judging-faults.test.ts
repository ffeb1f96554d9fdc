import { beforeEach, describe, expect, it, vi } from "vitest";
import { runCron } from "../../../api/cron.ts";
import { failRun } from "../../../api/engine/record-lost-units.ts";
import type { Platform } from "../../../api/platform/platform.ts";
import { retryRun } from "../../../api/runs/retry-run.ts";
import {
  fakeJudges,
  judgedHarness,
  judgedRun,
  memoryDataset,
  type Question,
  storedAnswers,
} from "../support/fake-judges.ts";
import {
  anAccount,
  aRow,
  deliver,
  emptyCommit,
  someUnits,
  submitRun,
  wish,
} from "../support/harness.ts";

/** Answers of each run in this file. */
const count = 12;

async function submitted(rig: ReturnType<typeof judgedHarness>) {
  return submitRun(rig.platform, await memoryDataset(rig.platform, count), { suite: "memory" });
}

/** A run that has all answers and whose judges have not been asked. */
async function answered(rig: ReturnType<typeof judgedHarness>) {
  const run = await submitted(rig);
  for (let lane = rig.mail.evaluate.shift(); lane; lane = rig.mail.evaluate.shift()) {
    await deliver(rig.platform, "evaluate", lane);
  }
  return run;
}

/** The next message and its queue: lanes first, then the ends of runs. */
function nextMessage({ mail }: ReturnType<typeof judgedHarness>) {
  const lane = mail.evaluate.shift();
  if (lane) return { queue: lane.phase === "judging" ? "judge" : "evaluate", body: lane };
  const finish = mail.finish.shift();
  return finish && { queue: "finish", body: finish };
}

const state = async (platform: Platform, run: string) =>
  (await platform.runs.get(run)) ?? undefined;

describe("judging", () => {
  it("asks and counts everything once when every message is delivered twice", async () => {
    const asked: Question[] = [];
    const rig = judgedHarness(fakeJudges(asked));
    const run = await submitted(rig);
    for (let next = nextMessage(rig); next; next = nextMessage(rig)) {
      await deliver(rig.platform, next.queue, next.body);
      await deliver(rig.platform, next.queue, next.body);
    }
    expect(await state(rig.platform, run)).toMatchObject({
      status: "finished",
      done: count,
      failed: 0,
    });
    expect(asked).toHaveLength(12 * count);
  });

  it("is started by the cron job if its first message was lost", async () => {
    const rig = judgedHarness(fakeJudges());
    const run = await answered(rig);
    rig.mail.finish.length = 0;
    expect(await state(rig.platform, run)).toMatchObject({ phase: "answering", done: count });
    await runCron(rig.platform);
    await rig.deliverAll();
    expect(await state(rig.platform, run)).toMatchObject({ phase: "judging", status: "finished" });
  });

  it("starts and ends a run whose database replies were lost", async () => {
    const rig = judgedHarness(fakeJudges());
    const { beginJudging, finish } = rig.platform.runs;
    Object.assign(rig.platform.runs, {
      beginJudging: async (...given: Parameters<typeof beginJudging>) => {
        await beginJudging(...given);
        return beginJudging(...given);
      },
      finish: async (...given: Parameters<typeof finish>) => {
        await finish(...given);
        return finish(...given);
      },
    });
    const run = await submitted(rig);
    await rig.deliverAll();
    expect(await state(rig.platform, run)).toMatchObject({ phase: "judging", status: "finished" });
    const { boardId } = (await rig.platform.runs.get(run))!;
    const board = await rig.platform.boards.get(boardId ?? "");
    expect(board?.entries.map((entry) => entry.run)).toEqual([run]);
  });

  it("is continued by the cron job if its messages were lost", async () => {
    let clock = Date.now();
    const rig = judgedHarness(fakeJudges(), { now: () => clock });
    const run = await answered(rig);
    const [finish] = rig.mail.finish.splice(0);
    await deliver(rig.platform, "finish", finish);
    rig.mail.evaluate.length = 0;
    clock += 120_000;
    await runCron(rig.platform);
    expect(rig.mail.evaluate.every(({ phase }) => phase === "judging")).toBe(true);
    await rig.deliverAll();
    expect(await state(rig.platform, run)).toMatchObject({ status: "finished", done: count });
  });

  it("rejects late commits of lanes that still ask the model", async () => {
    const rig = judgedHarness(fakeJudges());
    const run = await answered(rig);
    const before = await rig.platform.runs.sample(run, 0);
    const [finish] = rig.mail.finish.splice(0);
    await deliver(rig.platform, "finish", finish);
    const now = rig.platform.now();
    const late = { ...emptyCommit(run, now, now + 30_000), rows: [aRow(run, 0)] };
    for (const attempt of [1, 2, 3]) {
      expect(await rig.platform.runs.commit({ ...late, attempt })).toBeNull();
    }
    expect(await rig.platform.runs.sample(run, 0)).toEqual(before);
  });

  it("ignores a message of the answering phase", async () => {
    const asked: Question[] = [];
    const rig = judgedHarness(fakeJudges(asked));
    const run = await answered(rig);
    const [finish] = rig.mail.finish.splice(0);
    await deliver(rig.platform, "finish", finish);
    const message = { v: 1, kind: "lane", run, lane: 0, phase: "answering" };
    await deliver(rig.platform, "evaluate", message);
    expect(asked).toEqual([]);
    await deliver(rig.platform, "dead", message);
    expect(await state(rig.platform, run)).toMatchObject({ status: "running", done: 0 });
  });

  it("continues after a lane died, and repeats no judgment", async () => {
    let clock = Date.now();
    const asked: Question[] = [];
    const rig = judgedHarness(fakeJudges(asked), { now: () => clock });
    const run = await answered(rig);
    const [finish] = rig.mail.finish.splice(0);
    await deliver(rig.platform, "finish", finish);
    const taking = await rig.platform.runs.takeLease(wish(run, clock, clock + 30_000));
    if (taking.kind !== "taken") throw new Error(taking.kind);
    const claim = { ...emptyCommit(run, clock, clock + 30_000), claim: someUnits(5) };
    await rig.platform.runs.commit({ ...claim, attempt: taking.attempt });
    await rig.deliverAll();
    expect((await state(rig.platform, run))?.done).toBe(count - 5);
    clock += 120_000;
    await runCron(rig.platform);
    await rig.deliverAll();
    expect(await state(rig.platform, run)).toMatchObject({ status: "finished", done: count });
    const { datasetName = "" } = (await state(rig.platform, run)) ?? {};
    // The cron job continues runs of other tests, too.
    const own = asked.filter(({ request }) =>
      request?.messages[1]?.content.includes(`attempt ${datasetName} `),
    );
    expect(own).toHaveLength(11 * count);
  });

  it("of a failed run continues with a retry, without asking the model", async () => {
    const asked: Question[] = [];
    const rig = judgedHarness(fakeJudges(asked));
    const run = await answered(rig);
    const [finish] = rig.mail.finish.splice(0);
    await deliver(rig.platform, "finish", finish);
    await failRun(rig.platform, run, "a test");
    rig.mail.evaluate.length = 0;
    rig.platform.ask = async () => expect.unreachable("the model was asked");
    expect(await retryRun(rig.platform, anAccount("acme"), run, {})).toMatchObject({ ok: true });
    await rig.deliverAll();
    expect(await state(rig.platform, run)).toMatchObject({ status: "finished", done: count });
    expect(asked).toHaveLength(12 * count);
  });
});

describe("a judge that fails", () => {
  const count = 8;
  beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => {}));
  /** One sample in four has no judgment for empathy, and another one in four none for safety. */
  const failing = ({ metric, request }: Question) => {
    const query = request?.messages.find(({ content }) => content.includes("attempt"))?.content;
    const number = Number(/attempt memory-\S+ (\d+)\?/.exec(query ?? "")?.[1]);
    const fails = metric === (["empathy", "safety"] as const)[number % 4];
    return fails
      ? { output: null, error: { class: "unauthorized" as const, message: "quota of acct-77" } }
      : null;
  };

  it("leaves values empty and samples unscored instead of making up scores", async () => {
    const rig = judgedHarness(fakeJudges([], failing));
    const { run } = await judgedRun(rig, {}, undefined, count);
    const record = await rig.platform.runs.get(run);
    expect(record).toMatchObject({ status: "finished", done: count, failed: 0 });
    expect(record?.failedJudgments).toBe(count / 2);
    expect(record?.metrics?.["mcs"]?.n).toBe((3 * count) / 4);
    expect(record?.metrics?.["mcs"]?.coverage).toBe(0.75);
    expect(record?.metrics?.["empathy"]?.coverage).toBe(0.75);
    expect(record?.metrics?.["coherence"]?.coverage).toBe(1);
    const rows = await rig.platform.runs.samples(run, -1, count);
    expect(rows.filter(({ status }) => status === "unscored")).toHaveLength(count / 4);
    // A provider's message may name the operator's account.
    expect(JSON.stringify(await storedAnswers(rig.platform, run))).not.toContain("acct-77");
  });

  it("is asked by a retry for its missing judgments only, and the model is not asked", async () => {
    const asked: Question[] = [];
    const rig = judgedHarness(fakeJudges([], failing));
    const { run } = await judgedRun(rig, {}, undefined, count);
    const before = await storedAnswers(rig.platform, run);
    const ask: Platform["ask"] = async () => expect.unreachable("the model was asked");
    const again = judgedHarness(fakeJudges(asked), { ask });
    const retried = await retryRun(again.platform, anAccount("acme"), run, {});
    expect(retried).toMatchObject({ ok: true, value: { status: "running", phase: "judging" } });
    await again.deliverAll();
    expect(asked.map(({ metric }) => metric).sort()).toEqual([
      ...Array(count / 4).fill("empathy"),
      ...Array(count / 4).fill("safety"),
    ]);
    const record = await again.platform.runs.get(run);
    expect(record).toMatchObject({ status: "finished", done: count, failedJudgments: 0 });
    expect(record?.metrics?.["mcs"]).toMatchObject({ n: count, coverage: 1 });
    const after = await storedAnswers(again.platform, run);
    expect(after.map(({ output }) => output)).toEqual(before.map(({ output }) => output));
    // The count includes the requests of the first attempt, also those that failed.
    expect(record?.metrics?.["judgeRequests"]?.value).toBe(12 * count + count / 2);
  });

  it("gets one chance to repair an invalid reply", async () => {
    const asked: Question[] = [];
    const broken = ({ metric, request }: Question) =>
      metric === "empathy" && request?.messages.length === 2 ? { output: "five of five" } : null;
    const rig = judgedHarness(fakeJudges(asked, broken));
    const { run } = await judgedRun(rig, {}, undefined, count);
    const repairs = asked.filter(({ request }) => request?.messages.length === 4);
    expect(repairs).toHaveLength(count);
    expect(repairs[0]?.request?.messages[2]?.content).toBe("five of five");
    const [answer] = await storedAnswers(rig.platform, run);
    expect(answer?.judgments?.["empathy"]?.[0]).toMatchObject({
      requests: 2,
      inputTokens: 2_000,
      latencyMs: 20,
      unjudged: null,
    });
  });

  it("leaves its metric unjudged if the repair fails, too", async () => {
    const rig = judgedHarness(
      fakeJudges([], ({ metric }) =>
        metric === "empathy" ? { output: '{"empathy_score": 9}' } : null,
      ),
    );
    const { run } = await judgedRun(rig, {}, undefined, count);
    const [answer] = await storedAnswers(rig.platform, run);
    expect(answer?.judgments?.["empathy"]?.[0]).toMatchObject({
      judgment: null,
      unjudged: { reason: "invalid_judgment" },
      requests: 2,
    });
    const { metrics } = (await rig.platform.runs.get(run)) ?? {};
    expect(metrics?.["empathy"]).toMatchObject({ value: null, n: 0, coverage: 0 });
    expect(metrics?.["mcs"]?.coverage).toBe(1);
  });

  it("may postpone a call; judgments made before are kept", async () => {
    let clock = Date.now();
    const asked: Question[] = [];
    const rig = judgedHarness(
      fakeJudges(asked, ({ metric }) =>
        metric === "politeness" && asked.filter((one) => one.metric === metric).length === 1
          ? { postponed: clock + 600_000 }
          : null,
      ),
      { now: () => clock },
    );
    const run = await submitRun(rig.platform, await memoryDataset(rig.platform, 1), {
      suite: "memory",
    });
    await rig.deliverAll();
    expect(await rig.platform.runs.get(run)).toMatchObject({ status: "running", done: 0 });
    clock += 601_000;
    rig.mail.evaluate.push({ v: 1, kind: "lane", run, lane: 0, place: 0, phase: "judging" });
    await rig.deliverAll();
    expect(await rig.platform.runs.get(run)).toMatchObject({ status: "finished", done: 1 });
    const twice = asked.filter(({ metric }) => metric === "coherence");
    expect(twice).toHaveLength(1);
  });

  it("that throws leaves its metrics unjudged, and no answer is lost", async () => {
    const judging = fakeJudges();
    const rig = judgedHarness({
      ...judging,
      async ask(route, ...rest) {
        if (route.provider === "google") throw new Error("a bug");
        return judging.ask(route, ...rest);
      },
    });
    const { run } = await judgedRun(rig, {}, undefined, count);
    const record = await rig.platform.runs.get(run);
    expect(record).toMatchObject({ status: "finished", failed: 0, done: count });
    expect(record?.metrics?.["mcs"]).toMatchObject({ value: null, coverage: 0 });
    const [answer] = await storedAnswers(rig.platform, run);
    expect(answer?.output).toContain("Start with a short walk");
    expect(answer?.judgments?.["safety"]?.[0]?.unjudged?.reason).toBe("judge_failed");
  });
});
