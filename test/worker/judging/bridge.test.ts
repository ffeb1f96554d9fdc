import { beforeEach, describe, expect, it, vi } from "vitest";
import { runCron } from "../../../api/cron.ts";
import { bridgeView } from "../../../api/judging/bridge.ts";
import type { JudgeClient } from "../../../api/providers/judges.ts";
import { deleteRun } from "../../../api/runs/service.ts";
import type { Leaderboard } from "../../../shared/contracts/boards/leaderboard.ts";
import type { Republication } from "../../../shared/contracts/boards/republication.ts";
import type { Bridge } from "../../../shared/contracts/judging/bridge.ts";
import { latestSnapshot, serve } from "../support/client.ts";
import { fakeJudges, judgedHarness, judgedRun, type Question } from "../support/fake-judges.ts";
import { anAccount, deliver } from "../support/harness.ts";

beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => {}));
const samples = 8;
/** For tests that do not check the numbers. */
const few = 3;
const stricter = "gpt-7-luna";
const admin = { authorization: "Bearer admin" };

/** The new judge gives every other answer one level less for empathy than the fixtures, 3 instead of 4. */
const strict = ({ metric, route, request }: Question) =>
  metric === "empathy" &&
  route.model === stricter &&
  /attempt memory-\S+ \d*[13579]\?/.test(JSON.stringify(request?.messages))
    ? {
        output: JSON.stringify({
          empathy_score: 3,
          warmth_level: "moderate",
          validation_present: true,
          supportive_elements: [],
          empathy_gaps: [],
          explanation: "x",
        }),
      }
    : null;

/** Judges of a deployment; with `moved`, the metrics of one judge have the new one. */
const judges = (asked: Question[], moved: boolean, reply = strict) =>
  fakeJudges(asked, reply, {
    deployment: {
      ...fakeJudges().deployment,
      routes: moved
        ? Object.fromEntries(
            ["empathy", "coherence", "emotional_congruence", "politeness"].map((metric) => [
              metric,
              `openai:${stricter}`,
            ]),
          )
        : {},
    },
  });

/** A board of two models by the default judges, and a service on it whose judges are the new ones. */
async function board(reply = strict, overrides: { now?: () => number } = {}, count = few) {
  const before = judgedHarness(judges([], false), overrides);
  const endpoint = { baseUrl: "http://127.0.0.1:8790/v1", model: "m" };
  const tag = crypto.randomUUID().slice(0, 8);
  const models = ["one", "two"].map((name) => ({ name, slug: `acme/${name}-${tag}`, endpoint }));
  const { run, dataset } = await judgedRun(before, { models }, undefined, count);
  const record = await before.platform.runs.get(run);
  const asked: Question[] = [];
  const rig = judgedHarness(judges(asked, true, reply), {
    ...overrides,
    ask: async () => expect.unreachable("a model under test was asked"),
  });
  const accounts = { admin: anAccount("ops", { scopes: ["admin"] }), user: anAccount("acme") };
  const api = serve(rig.platform, accounts);
  return { ...rig, asked, api, id: record?.boardId ?? "", run, dataset };
}
type Made = Awaited<ReturnType<typeof board>>;

async function start({ api, id }: Made, body: object = {}): Promise<Bridge> {
  const reply = await api.post(`/v1/boards/${id}/bridges`, body, admin);
  expect(reply.status).toBe(202);
  return (await reply.json()) as Bridge;
}

const read = async (made: Made, { id }: Pick<Bridge, "id">): Promise<Bridge> => {
  const record = (await made.platform.judges.bridgesOf(made.id, 10)).find((one) => one.id === id);
  if (record === undefined) throw new Error(`there is no bridge ${id}`);
  return bridgeView(record);
};

const shiftOf = ({ shifts }: Bridge, metric: string) =>
  shifts.find((shift) => shift.metric === metric);

describe("a bridge between judges", () => {
  it("shows each metric's shift on the same stored answers, with an interval", async () => {
    const rig = await board(strict, {}, samples);
    const started = await start(rig);
    expect(started).toMatchObject({ board: rig.id, finishedAt: null, shifts: [] });
    await rig.deliverAll();
    const bridge = await read(rig, started);
    expect(bridge.finishedAt).not.toBeNull();
    expect(shiftOf(bridge, "empathy")).toMatchObject({
      n: 16,
      before: 4,
      after: 3.5,
      shift: -0.5,
      interval: [expect.any(Number), expect.any(Number)],
    });
    const [low, high] = shiftOf(bridge, "empathy")?.interval ?? [0, 0];
    expect(low).toBeLessThan(-0.5);
    expect(high).toBeGreaterThan(-0.5);
    // Answers of both models to one sample are one unit, so there are only eight units and the interval is wide.
    expect(high - low).toBeGreaterThan(0.6);
    expect(shiftOf(bridge, "coherence")).toMatchObject({ shift: 0 });
    expect(bridge.shifts[0]?.metric).toBe("mcs");
    // Empathy is one of eight metrics that share a weight of 0.2; one level is a quarter.
    expect(bridge.shifts[0]?.shift).toBeCloseTo((-0.2 / 8 / 4) * 0.5, 9);
    expect(bridge.to.judges["empathy"]?.routes[0]?.model).toBe(stricter);
    // The other judges are unchanged, so their stored judgments are reused.
    expect(new Set(rig.asked.map(({ route }) => route.model))).toEqual(new Set([stricter]));
    // Both models gave the same answer, so it is judged once.
    expect(rig.asked).toHaveLength(4 * samples);
  });

  it("can measure a judge other than the deployment's", async () => {
    const rig = await board();
    const started = await start(rig, { options: { judge: "google:gemini-3.8-flash" } });
    await rig.deliverAll();
    const { to, finishedAt } = await read(rig, started);
    expect(finishedAt).not.toBeNull();
    expect(to.judges["safety"]?.routes).toMatchObject([{ model: "gemini-3.8-flash" }]);
  });

  it("is published with its board", async () => {
    const rig = await board();
    const { id } = await start(rig);
    await rig.deliverAll();
    const now = (await (await rig.api.get(`/v1/boards/${rig.id}`)).json()) as Leaderboard;
    expect(now.bridges).toMatchObject([{ id }]);
    await runCron(rig.platform);
    await rig.deliverAll();
    const snapshot = await latestSnapshot(rig.platform);
    const published = snapshot.boards.find((one) => one.id === rig.id);
    expect(published?.bridges).toMatchObject([{ id }]);
  });

  it("lets the board be re-published with old and new ranks, and without further judge calls", async () => {
    const rig = await board();
    await start(rig);
    await rig.deliverAll();
    rig.asked.length = 0;
    const reply = await rig.api.post(`/v1/boards/${rig.id}/republish`, {}, admin);
    expect(reply.status).toBe(202);
    await rig.deliverAll();
    await runCron(rig.platform);
    await rig.deliverAll();
    const { id } = (await reply.json()) as Republication;
    const ended = (await (await rig.api.get(`/v1/republications/${id}`)).json()) as Republication;
    expect(ended.finishedAt).not.toBeNull();
    expect(ended.changes?.map(({ before, after }) => [before.rank, after?.rank])).toEqual([
      [1, 1],
      [1, 1],
    ]);
    expect(rig.asked).toEqual([]);
    const current = (await (
      await rig.api.get(`/v1/boards/${ended.to.board}`)
    ).json()) as Leaderboard;
    expect(current.judging?.judges["empathy"]?.routes[0]?.model).toBe(stricter);
    // The new board shows the bridge from the old one.
    expect(current.bridges).toMatchObject([{ board: rig.id }]);
  });

  it("asks each judge once when its message is delivered twice, concurrently or later", async () => {
    const rig = await board();
    const bridge = await start(rig);
    const [message] = rig.mail.finish.splice(0);
    await Promise.all([0, 1].map(() => deliver(rig.platform, "finish", message)));
    await deliver(rig.platform, "finish", message);
    expect((await read(rig, bridge)).finishedAt).not.toBeNull();
    expect(rig.asked).toHaveLength(4 * few);
  });

  it("is continued by the cron job after a crash and keeps the judgments made so far", async () => {
    let clock = Date.now();
    const rig = await board(strict, { now: () => clock }, samples);
    const bridge = await start(rig);
    const { judging } = rig.platform;
    rig.platform.judging = {
      ...judging,
      async ask(...args) {
        if (rig.asked.length >= 20) throw new Error("the machine stopped");
        return judging.ask(...args);
      },
    };
    const [message] = rig.mail.finish.splice(0);
    expect(await deliver(rig.platform, "finish", message)).toBe("retry");
    rig.platform.judging = judging;
    clock += 1_000;
    await runCron(rig.platform);
    await rig.deliverAll();
    expect((await read(rig, bridge)).finishedAt).not.toBeNull();
    expect(rig.asked.length).toBeLessThanOrEqual(4 * samples + 5);
  });

  it("waits while a judge is overloaded", async () => {
    let clock = Date.now();
    let isBusy = true;
    const busy = (question: Question) =>
      isBusy ? { postponed: clock + 600_000 } : strict(question);
    const rig = await board(busy as typeof strict, { now: () => clock });
    const bridge = await start(rig);
    await rig.deliverAll();
    expect((await read(rig, bridge)).finishedAt).toBeNull();
    await runCron(rig.platform);
    expect(rig.mail.finish.filter(({ kind }) => kind === "bridge")).toEqual([]);
    isBusy = false;
    clock += 601_000;
    await runCron(rig.platform);
    await rig.deliverAll();
    expect((await read(rig, bridge)).finishedAt).not.toBeNull();
  });

  it("shows no shift for a metric that the new judge fails to judge", async () => {
    const down = ({ route }: Question) =>
      route.model === stricter
        ? { output: null, error: { class: "unauthorized" as const, message: "no" } }
        : null;
    const rig = await board(down as unknown as typeof strict);
    const bridge = await start(rig);
    await rig.deliverAll();
    const none = { n: 0, before: null, after: null, shift: null, interval: null };
    expect(shiftOf(await read(rig, bridge), "empathy")).toMatchObject(none);
  });

  it("does not replace a judge that does not exist with the fallback", async () => {
    const gone = ({ route }: Question) =>
      route.model === stricter
        ? { output: null, error: { class: "not_found" as const, message: "no such model" } }
        : null;
    const rig = await board(gone as unknown as typeof strict);
    rig.platform.judging = {
      ...rig.platform.judging,
      deployment: { ...rig.platform.judging.deployment, fallbackJudge: "google:gemini-3.8-flash" },
    };
    const bridge = await start(rig);
    await rig.deliverAll();
    const none = { n: 0, before: null, after: null, shift: null, interval: null };
    expect(shiftOf(await read(rig, bridge), "empathy")).toMatchObject(none);
  });

  it("leaves out a run that was deleted meanwhile", async () => {
    const rig = await board();
    const bridge = await start(rig);
    await deleteRun(rig.platform, anAccount("acme"), rig.run);
    await rig.deliverAll();
    expect((await read(rig, bridge)).shifts[0]?.n).toBe(few);
  });

  it("is refused without admin rights, for unknown boards, and if no judge would change", async () => {
    const rig = await board();
    const post = (id: string, headers = {}) =>
      rig.api.post(`/v1/boards/${id}/bridges`, {}, headers);
    expect((await post(rig.id, { authorization: "Bearer user" })).status).toBe(403);
    expect((await post("none", admin)).status).toBe(404);
    const same: JudgeClient = judges([], false);
    const api = serve(
      { ...rig.platform, judging: same },
      { admin: anAccount("ops", { scopes: ["admin"] }) },
    );
    const refused = await api.post(`/v1/boards/${rig.id}/bridges`, {}, admin);
    expect(refused.status).toBe(409);
    expect(JSON.stringify(await refused.json())).toContain("already been scored");
  });
});
