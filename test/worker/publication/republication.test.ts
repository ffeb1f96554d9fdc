import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { runCron } from "../../../api/cron.ts";
import { banAccount } from "../../../api/operator/moderation.ts";
import { republishBoard } from "../../../api/publication/republish-board.ts";
import { deleteRun } from "../../../api/runs/service.ts";
import type { Leaderboard } from "../../../shared/contracts/boards/leaderboard.ts";
import type { Dataset } from "../../../shared/contracts/datasets/dataset.ts";
import type { SubmissionEstimate } from "../../../shared/contracts/submissions/estimate.ts";
import type { Suite } from "../../../shared/contracts/suite.ts";
import { aSubmission, latestSnapshot, serve } from "../support/client.ts";
import {
  another,
  ask,
  begun,
  board,
  type Change,
  corrected,
  lantern,
  only,
  ranks,
  reason,
  settle,
  suitesOf,
  upload,
} from "../support/corrected-board.ts";
import { anAccount, deliver, harness, submitRun } from "../support/harness.ts";
import { relaySuite } from "../support/relay-suite.ts";

describe("a correction of gold answers", () => {
  it("re-publishes the stored answers on another board, with old and new ranks", async () => {
    const rig = await board();
    expect(ranks(rig.old.entries)).toEqual([
      ["plain", 1, 1],
      ["lantern", 2, 0.95],
    ]);
    const republication = await corrected(rig);
    expect(republication).toMatchObject({
      causes: ["dataset"],
      reason,
      correctedSamples: 1,
      metric: "passed",
      from: { board: rig.old.id, datasetVersion: rig.version },
    });
    expect(
      republication.changes?.map(({ model, before, after, reason }) => [
        model.name,
        before.rank,
        after?.rank,
        before.headline.value,
        after?.headline.value,
        reason,
      ]),
    ).toEqual([
      ["plain", 1, 2, 1, 0.95, null],
      ["lantern", 2, 1, 0.95, 1, null],
    ]);
    const current = await rig.platform.boards.find("relay", rig.dataset, null);
    expect(current?.id).toBe(republication.to.board);
    expect(ranks(current?.entries ?? [])).toEqual([
      ["lantern", 1, 1],
      ["plain", 2, 0.95],
    ]);
  });

  it("keeps the old board readable and unchanged, with a link to its successor", async () => {
    const rig = await board();
    const { to } = await corrected(rig);
    const api = serve(rig.platform);
    const before = (await (await api.get(`/v1/boards/${rig.old.id}`)).json()) as Leaderboard;
    expect(before).toMatchObject({ supersededBy: to.board, entries: rig.old.entries });
    const now = (await (await api.get(`/v1/boards/${to.board}`)).json()) as Leaderboard;
    expect(now).toMatchObject({ supersededBy: null, supersededAt: null });
    expect((await api.get("/v1/boards/none")).status).toBe(404);
  });

  it("shows the old board until every answer is rescored", async () => {
    const rig = await board();
    await upload(rig.platform, rig.dataset, lantern, { version: rig.version, reason });
    await runCron(rig.platform);
    const lane = rig.mail.evaluate.shift();
    await deliver(rig.platform, "evaluate", lane);
    while (rig.mail.finish.length > 0) {
      await deliver(rig.platform, "finish", rig.mail.finish.shift());
    }
    expect((await rig.platform.boards.find("relay", rig.dataset, null))?.id).toBe(rig.old.id);
    expect(await only(rig)).toMatchObject({ finishedAt: null, changes: null });
    await settle(rig, rig.platform);
    expect((await rig.platform.boards.find("relay", rig.dataset, null))?.id).not.toBe(rig.old.id);
  });

  it("keeps the number of attempts, and does not count rescorings", async () => {
    const rig = await board();
    await corrected(rig);
    const current = await rig.platform.boards.find("relay", rig.dataset, null);
    const attempts = current?.entries.map(({ model, attempts }) => [model.name, attempts.total]);
    expect(attempts).toEqual([
      ["lantern", 1],
      ["plain", 2],
    ]);
  });

  it("lists no new run on a board whose gold answers are known to be wrong", async () => {
    const rig = await board();
    await corrected(rig);
    const late = await submitRun({ ...rig.platform, ask }, `${rig.dataset}@${rig.version}`);
    await settle(rig, { ...rig.platform, ask });
    const dry = await serve(rig.platform, { acme: anAccount("acme") }).post(
      "/v1/submissions?dryRun=true",
      aSubmission(`${rig.dataset}@${rig.version}`),
      { authorization: "Bearer acme" },
    );
    expect(((await dry.json()) as SubmissionEstimate).warnings.join()).toMatch(/was corrected by/);
    const run = await rig.platform.runs.get(late);
    expect(run).toMatchObject({ status: "finished", boardId: null, countedOn: null });
    expect(run?.notes.join()).toMatch(/was corrected by .*it is on no board/);
  });

  it("gives the reason why an entry without answers was not rescored", async () => {
    const rig = await board();
    const [, plain = ""] = rig.runs;
    await rig.platform.cleanup.markAnswersRemoved(plain, rig.platform.now());
    const { changes } = await corrected(rig);
    expect(changes?.[0]).toMatchObject({ model: { name: "plain" }, after: null });
    expect(changes?.[0]?.reason).toMatch(/answers/);
    const current = await rig.platform.boards.find("relay", rig.dataset, null);
    expect(ranks(current?.entries ?? [])).toEqual([["lantern", 1, 1]]);
  });

  it("keeps the board if no answer is left to score, and tries only once", async () => {
    const rig = await board();
    for (const run of rig.runs) {
      await rig.platform.cleanup.markAnswersRemoved(run, rig.platform.now());
    }
    const { to, finishedAt } = await corrected(rig);
    expect(to.board).toBeNull();
    expect(finishedAt).not.toBeNull();
    expect((await rig.platform.boards.find("relay", rig.dataset, null))?.id).toBe(rig.old.id);
    await runCron(rig.platform);
    await only(rig);
  });

  it("is in the snapshot, without runs that were deleted afterwards", async () => {
    const rig = await board();
    const { id } = await corrected(rig);
    const listed = async () =>
      (await latestSnapshot(rig.platform))?.republications.find((one) => one.id === id);
    expect((await listed())?.changes).toHaveLength(2);
    const [, plain = ""] = rig.runs;
    await deleteRun(rig.platform, anAccount("acme"), plain);
    await settle(rig, rig.platform);
    expect((await listed())?.changes?.map(({ model }) => model.name)).toEqual(["lantern"]);
    expect((await listed())?.withdrawn).toBe(1);
  });

  it.each<[string, Change, Partial<{ version: string }>, RegExp]>([
    ["edits questions", (row) => ({ ...row, first: "other" }), {}, /would change for 20 samples: /],
    ["has other samples", (row) => ({ ...row, id: `${row.id}x` }), {}, /same samples in the same/],
    ["changes nothing", (row) => row, {}, /already exists, but not as a correction/],
    ["corrects an older version", lantern, { version: "abcdef" }, /"abcdef" is not the newest/],
  ])("is refused if it %s", async (_, change, version, detail) => {
    const { platform } = harness();
    const name = `acme/relay-${crypto.randomUUID().slice(0, 8)}`;
    const first = await upload(platform, name);
    const newest = first.ok ? first.value.version : "";
    const stored = await upload(platform, name, change, { version: newest, reason, ...version });
    expect(stored.ok ? null : stored.error).toMatchObject({
      kind: "correction",
      detail: expect.stringMatching(detail),
    });
  });

  it("names samples only to readers of the dataset, also after a change of visibility", async () => {
    const { platform } = harness();
    Object.assign(platform.settings, { requireApiKey: true });
    const name = `acme/relay-${crypto.randomUUID().slice(0, 8)}`;
    const first = await upload(platform, name, undefined, undefined, "private");
    const version = first.ok ? first.value.version : "";
    await upload(platform, name, lantern, { version, reason }, "private");
    const run = await submitRun(platform, `${name}@${version}`, { visibility: "public" });
    const api = serve(platform, { acme: anAccount("acme") });
    const headers = { authorization: "Bearer acme" };
    const idsFor = async (
      who: Record<string, string>,
      path = `/v1/datasets?name=${name}&limit=1`,
    ) => {
      const { datasets } = (await (await api.get(path, who)).json()) as { datasets: Dataset[] };
      return datasets[0]?.corrects?.ids;
    };
    const own = `/v1/datasets?mine=true&name=${name}&limit=1`;
    const newest = await platform.datasets.find("relay", name, null);
    await env.DB.prepare("UPDATE runs SET dataset_version = ?2 WHERE id = ?1")
      .bind(run, newest?.version ?? "")
      .run();
    expect([await idsFor({}), await idsFor(headers, own)]).toEqual([[], ["s0"]]);
    const shown = await api.get(`/v1/datasets/relay/${name}`);
    expect(((await shown.json()) as Dataset).corrects).toMatchObject({ samples: 1, ids: [] });
    for (const visibility of ["public", "private", "public"]) {
      await api.patch(`/v1/datasets/relay/${name}`, { visibility }, headers);
    }
    expect(await idsFor({})).toEqual(["s0"]);
  });
});

it("two successive corrections are shown as one", async () => {
  const rig = await board();
  const first = await upload(rig.platform, rig.dataset, lantern, {
    version: rig.version,
    reason,
  });
  const version = first.ok ? first.value.version : "";
  const both: Change = (row) => lantern(row.id === "s1" ? { ...row, expected: "TWO" } : row);
  await upload(rig.platform, rig.dataset, both, { version, reason: "and another one" });
  await runCron(rig.platform);
  await settle(rig, rig.platform);
  expect(await only(rig)).toMatchObject({
    reason: `${reason}; and another one`,
    correctedSamples: 2,
  });
});

describe("a change of a suite", () => {
  const later: Suite = {
    ...relaySuite,
    version: "2",
    score: (sample, answer, options) => ({
      ...relaySuite.score(sample, answer, options),
      score: answer.output === "LANTERN" ? 1 : 0.5,
    }),
  };

  it("automatically re-publishes boards without judges", async () => {
    const rig = await board();
    const platform = { ...rig.platform, suites: suitesOf(later) };
    // Boards of other tests are due, too, and each cron run starts a few.
    const started = async () =>
      (await platform.republications.list(rig.old.id, { after: null, limit: 1 })).length > 0;
    while (!(await started())) await runCron(platform);
    await settle(rig, platform);
    expect(await only(rig)).toMatchObject({
      causes: ["scoring"],
      correctedSamples: null,
      reason: 'suite "relay" scores with version 2, before with 1',
      changes: [
        { model: { name: "plain" }, before: { rank: 1 }, after: { rank: 2 } },
        { model: { name: "lantern" }, before: { rank: 2 }, after: { rank: 1 } },
      ],
    });
    await runCron(platform);
    await only(rig);
  });

  it("re-publishes boards of a judged suite only when an admin starts it", async () => {
    const rig = await board();
    const judged = vi.fn(rig.platform.republications.due);
    const platform = { ...rig.platform, suites: suitesOf(later) };
    platform.republications = { ...platform.republications, due: judged.mockResolvedValue([]) };
    const api = serve(platform, {
      admin: anAccount("root", { scopes: ["admin"] }),
      acme: anAccount("acme"),
    });
    const path = `/v1/boards/${rig.old.id}/republish`;
    const as = (key: string) => ({ authorization: `Bearer ${key}` });
    expect((await api.post(path, {}, as("acme"))).status).toBe(403);
    const reply = await api.post(path, { reason: "Judges read the whole answer now" }, as("admin"));
    expect(reply.status).toBe(202);
    expect(await reply.json()).toMatchObject({
      reason: "Judges read the whole answer now",
      finishedAt: null,
      changes: null,
    });
    expect((await api.post(path, {}, as("admin"))).status).toBe(409);
    await settle(rig, platform);
    expect((await only(rig)).changes).toHaveLength(2);
    const again = await api.post(path, {}, as("admin"));
    expect(await again.json()).toMatchObject({
      detail: expect.stringMatching(/was superseded by/),
    });
  });
});

it("republishBoard() refuses a board that is already scored with the current version", async () => {
  const { platform, old } = await board();
  expect(await republishBoard(platform, old)).toMatchObject({
    error: {
      type: "conflict",
      detail: expect.stringMatching(/has already been scored with suite version 1/),
    },
  });
});

it("runCron() continues a failing re-publication with growing delays", async () => {
  let clock = Date.now();
  const rig = await board({ now: () => clock });
  await upload(rig.platform, rig.dataset, lantern, { version: rig.version, reason });
  const insert = vi.fn().mockRejectedValue(new Error("the service died"));
  const due = async () => [rig.old.id];
  const republications = { ...rig.platform.republications, due };
  const failing = { ...rig.platform, republications, runs: { ...rig.platform.runs, insert } };
  const minutes: number[] = [];
  for (let minute = 0; minute < 60; minute++) {
    const before = insert.mock.calls.length;
    await begun(rig, failing);
    if (insert.mock.calls.length > before) minutes.push(minute);
    clock += 60_000;
  }
  expect(minutes).toEqual([0, 2, 4, 8, 16, 32]);
  expect(await only(rig)).toMatchObject({ finishedAt: null, causes: ["dataset"], reason });
  clock += 3_600_000;
  await runCron(rig.platform);
  await settle(rig, rig.platform);
  expect((await only(rig)).changes).toHaveLength(2);
});

it("a re-publication does not wait for runs of an account that was banned meanwhile", async () => {
  let clock = Date.now();
  const rig = await board({ now: () => clock });
  const { platform } = rig;
  await another(rig, rig.dataset, "plain", "acme/by-a-banned-account");
  await rig.deliverAll();
  await env.DB.prepare("UPDATE runs SET owner = ?1 WHERE model_slug = ?2")
    .bind("banned", "acme/by-a-banned-account")
    .run();
  await upload(platform, rig.dataset, lantern, { version: rig.version, reason });
  await begun(rig, platform);
  rig.mail.evaluate.length = 0;
  await banAccount(platform, anAccount("root", { scopes: ["admin"] }), "banned", "spam");
  for (let minute = 0; minute < 10; minute++) {
    clock += 60_000;
    await runCron(platform);
    await settle(rig, platform);
  }
  const { changes, withdrawn } = await only(rig);
  expect(changes?.map(({ model }) => model.name)).toEqual(["plain", "lantern"]);
  expect(withdrawn).toBe(1);
  const current = await platform.boards.find("relay", rig.dataset, null);
  expect(ranks(current?.entries ?? [])).toEqual([
    ["lantern", 1, 1],
    ["plain", 2, 0.95],
  ]);
});
