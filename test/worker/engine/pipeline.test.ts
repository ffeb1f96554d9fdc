import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { badgeOf } from "../../../api/badges/badge.ts";
import { rankBoard } from "../../../api/boards/rank-board.ts";
import { runCron } from "../../../api/cron.ts";
import { laneMessage } from "../../../api/platform/messages.ts";
import { latestSnapshot } from "../support/client.ts";
import {
  answering,
  deliver,
  emptyCommit,
  harness,
  relayDataset,
  someUnits,
  submitRun,
  upperCasing,
  wish,
} from "../support/harness.ts";

const rowsOf = async (runId: string) =>
  await env.DB.prepare(
    "SELECT count(*) AS n, count(DISTINCT seq) AS seqs FROM samples WHERE run_id = ?",
  )
    .bind(runId)
    .first<{ n: number; seqs: number }>();

describe("a run", () => {
  it("with two dependent requests per unit ends with one row per sample and a summary", async () => {
    const { platform, deliverAll } = harness();
    const run = await submitRun(platform, await relayDataset(platform, 130));
    await deliverAll();
    const finished = await platform.runs.get(run);
    expect(finished).toMatchObject({ status: "finished", done: 130, failed: 0 });
    expect(finished?.metrics?.["passed"]).toMatchObject({ value: 1, n: 130 });
    expect(await rowsOf(run)).toEqual({ n: 130, seqs: 130 });
  });

  it("counts nothing twice when every message is delivered twice", async () => {
    const asked: string[] = [];
    const { platform, mail } = harness({
      ask: async (target, request, limits, memory) => {
        asked.push(request.messages[0]?.content ?? "");
        return upperCasing(target, request, limits, memory);
      },
    });
    const run = await submitRun(platform, await relayDataset(platform, 60));
    while (mail.evaluate.length > 0) {
      const message = mail.evaluate.shift();
      await Promise.all([
        deliver(platform, "evaluate", message),
        deliver(platform, "evaluate", message),
      ]);
    }
    for (const message of [...mail.finish, ...mail.finish])
      await deliver(platform, "finish", message);
    expect(await platform.runs.get(run)).toMatchObject({ status: "finished", done: 60, failed: 0 });
    expect(await rowsOf(run)).toEqual({ n: 60, seqs: 60 });
    expect(asked).toHaveLength(120);
  });

  it("is started by the cron job if its messages were lost", async () => {
    let clock = Date.now();
    const { platform, mail, deliverAll } = harness({ now: () => clock });
    const run = await submitRun(platform, await relayDataset(platform, 12));
    mail.evaluate.length = 0;
    clock += 120_000;
    await runCron(platform);
    await deliverAll();
    expect(await platform.runs.get(run)).toMatchObject({ status: "finished", done: 12 });
  });

  it("whose lane died is continued by the next holder from the last commit", async () => {
    let clock = Date.now();
    const { platform, mail, deliverAll } = harness({ now: () => clock });
    const run = await submitRun(platform, await relayDataset(platform, 40), {
      options: { concurrency: 5 },
    });
    await platform.runs.takeLease(wish(run, clock, clock + 60_000));
    const claimed = await platform.runs.commit({
      ...emptyCommit(run, clock, clock + 60_000),
      claim: someUnits(25),
    });
    expect(claimed?.claimed).toHaveLength(25);
    await deliverAll();
    expect(await platform.runs.get(run)).toMatchObject({ status: "running", done: 0 });
    clock += 120_000;
    await runCron(platform);
    expect(mail.evaluate).toContainEqual(
      laneMessage({ id: run, phase: "answering" }, { lane: 0, place: 0 }),
    );
    await deliverAll();
    expect(await platform.runs.get(run)).toMatchObject({ status: "finished", done: 40 });
  });

  it("rejects the commit of a holder that lost its lease", async () => {
    const clock = Date.now();
    const { platform } = harness({ now: () => clock });
    const run = await submitRun(platform, await relayDataset(platform, 5));
    await platform.runs.takeLease(wish(run, clock, clock + 10));
    expect(await platform.runs.takeLease(wish(run, clock, clock + 10))).toEqual({ kind: "held" });
    const second = await platform.runs.takeLease(wish(run, clock + 20, clock + 60_000));
    expect(second).toMatchObject({ kind: "taken", attempt: 2 });
    const commit = { ...emptyCommit(run, clock, clock + 60_000), claim: someUnits(5) };
    expect(await platform.runs.commit(commit)).toBeNull();
    expect(await platform.runs.commit({ ...commit, attempt: 2 })).not.toBeNull();
  });

  it("records failed samples with their error class, and ends", async () => {
    const { platform, deliverAll } = harness({
      ask: answering(() => ({
        output: null,
        attempts: 4,
        error: { class: "server_error", message: "500" },
      })),
    });
    const run = await submitRun(platform, await relayDataset(platform, 7));
    await deliverAll();
    expect(await platform.runs.get(run)).toMatchObject({ status: "finished", done: 7, failed: 7 });
    const [row] = await platform.runs.samples(run, -1, 1);
    expect(row).toMatchObject({ covered: false, errorClass: "server_error", attempts: 4 });
  });

  it("fails when its message is dead", async () => {
    const { platform, mail } = harness();
    const run = await submitRun(platform, await relayDataset(platform, 3));
    expect(await deliver(platform, "dead", mail.evaluate[0])).toBe("ack");
    expect(await platform.runs.get(run)).toMatchObject({ status: "failed", sealedSecrets: null });
  });

  it("gets the same summary if it is summarised several times", async () => {
    const { platform, mail, deliverAll } = harness();
    const run = await submitRun(platform, await relayDataset(platform, 9));
    for (let lane = mail.evaluate.shift(); lane; lane = mail.evaluate.shift()) {
      await deliver(platform, "evaluate", lane);
    }
    const finish = () => deliver(platform, "finish", { v: 1, kind: "finalize", run });
    await Promise.all([finish(), finish()]);
    const first = await platform.runs.get(run);
    expect(first?.metrics).not.toBeNull();
    await finish();
    await deliverAll();
    expect(await platform.runs.get(run)).toEqual(first);
  });

  it("stores no endpoint key in plain text in any table", async () => {
    const { platform, deliverAll } = harness();
    await submitRun(platform, await relayDataset(platform, 3));
    const tables = await env.DB.prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
    ).all<{ name: string }>();
    const dump = async () => {
      const contents = await Promise.all(
        tables.results.map(({ name }) => env.DB.prepare(`SELECT * FROM "${name}"`).all()),
      );
      return JSON.stringify(contents.map(({ results }) => results));
    };
    expect(await dump()).not.toContain("sk-plain-secret");
    await deliverAll();
    expect(await dump()).not.toContain("sk-plain-secret");
  });
});

describe("boards", () => {
  it("rank models by score", async () => {
    const { platform, deliverAll } = harness();
    const dataset = await relayDataset(platform, 20);
    const perfect = await submitRun(platform, dataset);
    await deliverAll();
    const worse = harness({
      ask: answering((request) =>
        request.messages[0]?.content.endsWith("1") ? { output: "no" } : {},
      ),
    });
    const second = await submitRun(worse.platform, dataset);
    await worse.deliverAll();
    const board = await platform.boards.find("relay", dataset, null);
    expect(board?.entries.map(({ run, rank }) => ({ run, rank }))).toEqual([
      { run: perfect, rank: 1 },
      { run: second, rank: 2 },
    ]);
  });

  it("have rank intervals and tie groups: equal models share a group, a worse one has another", async () => {
    const { platform, deliverAll } = harness();
    const dataset = await relayDataset(platform, 40);
    const runs = [await submitRun(platform, dataset), await submitRun(platform, dataset)];
    await deliverAll();
    const worse = harness({
      ask: answering((request) =>
        /[0-6]$/.test(request.messages[0]?.content ?? "") ? { output: "no" } : {},
      ),
    });
    runs.push(await submitRun(worse.platform, dataset));
    await worse.deliverAll();
    const board = await platform.boards.find("relay", dataset, null);
    expect(board?.comparedSamples).toBe(40);
    const standing = new Map(board?.entries.map((entry) => [entry.run, entry]));
    const [first, equal, last] = runs.map((run) => standing.get(run));
    for (const tied of [first, equal]) {
      expect(tied).toMatchObject({ rank: 1, rankInterval: [1, 2], best: 0.5, tieGroup: 1 });
    }
    expect(last).toMatchObject({ rank: 3, rankInterval: [3, 3], best: 0, tieGroup: 2 });
    expect(board?.tests).toMatchObject({ count: 3, units: { kind: "samples", count: 40 } });
    const [equals, lower] = board?.tests?.pHolm.slice(1) ?? [];
    expect(equals).toEqual([1]);
    expect(lower?.map((p) => p !== null && p < 0.05)).toEqual([true, true]);
  });

  it("list the newest run of each model", async () => {
    const { platform, deliverAll } = harness();
    const dataset = await relayDataset(platform, 3);
    const endpoint = { baseUrl: "http://127.0.0.1:8790/v1", model: "m" };
    const models = [{ name: "Again", slug: "acme/again", endpoint }];
    const submitted = async () => {
      const run = await submitRun(platform, dataset, { models });
      await deliverAll();
      return run;
    };
    const listed = async () =>
      (await platform.boards.find("relay", dataset, null))?.entries.map(({ run }) => run);
    expect(await listed()).toBeUndefined();
    const first = await submitted();
    expect(await listed()).toEqual([first]);
    const second = await submitted();
    expect(await listed()).toEqual([second]);
  });

  it("list runs of low coverage without a rank", async () => {
    const { platform, deliverAll } = harness();
    const dataset = await relayDataset(platform, 3);
    const run = await submitRun(platform, dataset);
    await deliverAll();
    const entries = async () => (await platform.boards.find("relay", dataset, null))?.entries;
    expect(await entries()).toMatchObject([{ rank: 1 }]);
    await env.DB.prepare(
      "UPDATE runs SET metrics = json_set(metrics, '$.passed.coverage', 0.949) WHERE id = ?",
    )
      .bind(run)
      .run();
    const { boardId } = (await platform.runs.get(run))!;
    expect(await rankBoard(platform, boardId!)).toBe(true);
    expect(await entries()).toMatchObject([
      { rank: null, unrankedReason: "coverage 94.9% is below 95%" },
    ]);
  });

  it("exclude unranked entries from the comparison", async () => {
    const { platform, deliverAll } = harness();
    const dataset = await relayDataset(platform, 20);
    const ranked = await submitRun(platform, dataset);
    const answers = [{ id: "s0", output: "AGAIN: WORD 0" }];
    await submitRun(platform, dataset, { models: [{ name: "Part", slug: "acme/part", answers }] });
    await deliverAll();
    const board = await platform.boards.find("relay", dataset, null);
    expect(board?.comparedSamples).toBe(20);
    expect(
      board?.entries.map(({ run, rankInterval, tieGroup }) => [
        run === ranked,
        rankInterval,
        tieGroup,
      ]),
    ).toEqual([
      [true, [1, 1], 1],
      [false, null, null],
    ]);
  });
});

describe("the lease of a board", () => {
  it("is taken once, also by a call that is repeated after a lost reply", async () => {
    const { platform, deliverAll } = harness();
    const dataset = await relayDataset(platform, 2);
    await submitRun(platform, dataset);
    await deliverAll();
    const id = (await platform.boards.find("relay", dataset, null))?.id ?? "";
    const calls = [
      [1_000, 61_000],
      [1_000, 61_000],
      [1_001, 61_001],
      [61_000, 121_000],
    ] as const;
    const locks = [];
    for (const [now, expiresAt] of calls)
      locks.push(await platform.boards.lock(id, now, expiresAt));
    expect(locks).toEqual([true, true, false, true]);
  });
});

describe("a message to rank a board", () => {
  it("is ignored if the board was ranked after it was sent", async () => {
    const { platform, deliverAll } = harness();
    const dataset = await relayDataset(platform, 2);
    await submitRun(platform, dataset);
    await deliverAll();
    const find = async () => (await platform.boards.find("relay", dataset, null))!;
    const { id, updatedAt } = await find();
    const later = { ...platform, now: () => updatedAt + 10_000 };
    for (const [askedAt, rankedAt] of [
      [updatedAt - 60_000, updatedAt],
      // Clocks differ, so it may have been sent later.
      [updatedAt - 1_000, updatedAt + 10_000],
      [updatedAt + 9_000, updatedAt + 10_000],
    ] as const) {
      expect(await rankBoard(later, id, askedAt)).toBe(true);
      expect((await find()).updatedAt).toBe(rankedAt);
    }
  });
});

describe("a board that can't be ranked", () => {
  it("releases its lease, so the next message ranks it", async () => {
    const { platform, deliverAll } = harness();
    const dataset = await relayDataset(platform, 2);
    const run = await submitRun(platform, dataset);
    await deliverAll();
    const { id = "" } = (await platform.boards.find("relay", dataset, null)) ?? {};
    const away = () => Promise.reject(new Error("R2 is away"));
    const broken = { ...platform, objects: { ...platform.objects, get: away } };
    await expect(rankBoard(broken, id)).rejects.toThrow("R2 is away");
    expect(await rankBoard(platform, id)).toBe(true);
    expect((await platform.boards.get(id))?.entries.map((entry) => entry.run)).toEqual([run]);
  });
});

describe("badges", () => {
  const answersOf = (count: number, output: string) =>
    Array.from({ length: count }, (_, i) => ({ id: `s${i}`, output }));

  it("show the ranked entry of a default board with its rank", async () => {
    const { platform, deliverAll } = harness();
    const run = await submitRun(platform, await relayDataset(platform, 4));
    await deliverAll();
    const slug = (await platform.runs.get(run))?.modelSlug ?? "";
    expect(await badgeOf(platform, slug)).toEqual({
      label: "Assay · relay",
      message: expect.stringMatching(/^1\.000( ±\d\.\d+)? · #1\/1$/),
      color: "brightgreen",
      style: "flat",
    });
  });

  it("don't show answers whose prompt is unknown as ranked", async () => {
    const { platform, deliverAll } = harness();
    const models = [{ name: "Mine", slug: "acme/mine", answers: answersOf(4, "x") }];
    await submitRun(platform, await relayDataset(platform, 4), { models });
    await deliverAll();
    expect(await badgeOf(platform, "acme/mine")).toMatchObject({ message: "not ranked" });
  });
});

describe("answers that are not valid Unicode", () => {
  it("are scored and stop neither the run nor the publication", async () => {
    const { platform, deliverAll } = harness();
    const answers = [{ id: "s0", output: "\ud800" }];
    const models = [{ name: "Odd", slug: "acme/odd", answers }];
    const run = await submitRun(platform, await relayDataset(platform, 1), { models });
    await deliverAll();
    expect(await platform.runs.get(run)).toMatchObject({ status: "finished", done: 1 });
    const snapshot = await latestSnapshot(platform);
    expect(JSON.stringify(snapshot)).toContain(run);
  });
});
