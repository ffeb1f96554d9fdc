import { describe, expect, it, vi } from "vitest";
import { sweep } from "../../api/pipeline/lanes/sweep.ts";
import type { AskModel, Ports } from "../../api/pipeline/ports.ts";
import { latestSnapshot } from "../../api/pipeline/publish.ts";
import { republishBoard } from "../../api/pipeline/republications/republish-board.ts";
import { controlRun } from "../../api/pipeline/runs/control-run.ts";
import { deleteRun } from "../../api/pipeline/runs/withdraw-run.ts";
import { registerDataset } from "../../api/pipeline/submissions/register-dataset.ts";
import type { SubmissionEstimate } from "../../shared/contracts/estimate.ts";
import type { Leaderboard } from "../../shared/contracts/leaderboard.ts";
import type { Republication } from "../../shared/contracts/republication.ts";
import type { Suite } from "../../shared/contracts/suite.ts";
import { aSubmission, serve } from "./client.ts";
import { anAccount, deliver, harness, submitRun, upperCasing } from "./harness.ts";
import { relaySuite } from "./relay-suite.ts";

const COUNT = 20;
const right = (i: number) => `AGAIN: WORD ${i}`;
const suitesOf = (suite: Suite) => ({ all: [suite], byId: () => suite });

/** Says "lantern" to the first sample, where other models repeat it. */
const ask: AskModel = async (target, request, limits, memory) => {
  const reply = await upperCasing(target, request, limits, memory);
  const isLantern = target.model === "lantern" && /again: WORD 0$/.test(said(request));
  if (!isLantern || reply.kind !== "answer") return reply;
  return { ...reply, answer: { ...reply.answer, output: "LANTERN" } };
};
const said = (request: Parameters<AskModel>[1]) => request.messages.at(-1)?.content ?? "";

type Change = (row: { id: string; first: string; expected: string }) => object;

function upload(
  ports: Ports,
  name: string,
  change: Change = (row) => row,
  corrects?: { version: string; reason: string },
  visibility: "public" | "private" = "public",
) {
  const rows = Array.from({ length: COUNT }, (_, i) =>
    JSON.stringify(change({ id: `s${i}`, first: `word ${i}`, expected: right(i) })),
  );
  return registerDataset(ports, {
    ...{ suite: relaySuite, name, visibility, owner: "acme", anyOwner: false },
    ...{ file: new TextEncoder().encode(rows.join("\n")), allowPartial: false, corrects },
  });
}

const lantern: Change = (row) => (row.id === "s0" ? { ...row, expected: "LANTERN" } : row);
const reason = "the first gold answer was of another page";

/** Two models on a board, of which only one says what the gold answers will be corrected to. */
async function board(overrides: Partial<Ports> = {}) {
  const made = harness({ suites: suitesOf(relaySuite), ask, ...overrides });
  const dataset = `acme/relay-${crypto.randomUUID().slice(0, 8)}`;
  const first = await upload(made.ports, dataset);
  if (!first.ok) throw new Error(JSON.stringify(first.error));
  const tag = crypto.randomUUID().slice(0, 8);
  const models = ["plain", "lantern"].map((model) => ({
    ...{ name: model, slug: `acme/${model}-${tag}` },
    endpoint: { baseUrl: "http://127.0.0.1:8790/v1", model },
  }));
  const [plain, other] = models;
  const runs = [];
  for (const model of [plain, plain, other]) {
    runs.push(await submitRun(made.ports, dataset, { models: [model] }));
    await made.deliverAll();
  }
  const old = await made.ports.boards.find("relay", dataset, null);
  if (old === null) throw new Error("there is no board");
  const never: AskModel = async () => expect.unreachable("re-publishing asked the model");
  const ports: Ports = { ...made.ports, ask: never };
  return { ...made, ports, dataset, version: first.value.version, runs, old };
}

type Made = Awaited<ReturnType<typeof board>>;

/** Carries on whatever waits, with ports whose model may not be asked. */
async function settle({ mail }: Made, ports: Ports) {
  for (;;) {
    const lane = mail.evaluate.shift();
    const finish = lane ? undefined : mail.finish.shift();
    if (lane) await deliver(ports, "evaluate", lane);
    else if (finish) await deliver(ports, "finish", finish);
    else return;
  }
}

async function corrected(made: Made): Promise<Republication> {
  const stored = await upload(made.ports, made.dataset, lantern, { version: made.version, reason });
  if (!stored.ok) throw new Error(JSON.stringify(stored.error));
  await sweep(made.ports);
  await settle(made, made.ports);
  return only(made);
}

/** The one re-publication from or to the old board. */
async function only({ ports, old }: Made, api = serve(ports)): Promise<Republication> {
  const reply = await api.get(`/v1/republications?board=${old.id}`);
  const { republications } = (await reply.json()) as { republications: Republication[] };
  expect(republications).toHaveLength(1);
  return republications[0] as Republication;
}

const ranks = (entries: Leaderboard["entries"]) =>
  entries.map(({ model, rank, headline }) => [model.name, rank, headline.value]);

describe("a correction of gold answers", () => {
  it("re-publishes the stored answers on another board, with what became of each rank", async () => {
    const made = await board();
    expect(ranks(made.old.entries)).toEqual([
      ["plain", 1, 1],
      ["lantern", 2, 0.95],
    ]);
    const republication = await corrected(made);
    expect(republication).toMatchObject({
      ...{ causes: ["dataset"], reason, correctedSamples: 1, metric: "passed" },
      from: { board: made.old.id, datasetVersion: made.version },
    });
    expect(
      republication.changes?.map(({ model, before, after, reason }) => [
        ...[model.name, before.rank, after?.rank, before.headline.value, after?.headline.value],
        reason,
      ]),
    ).toEqual([
      ["plain", 1, 2, 1, 0.95, null],
      ["lantern", 2, 1, 0.95, 1, null],
    ]);
    const current = await made.ports.boards.find("relay", made.dataset, null);
    expect(current?.id).toBe(republication.to.board);
    expect(ranks(current?.entries ?? [])).toEqual([
      ["lantern", 1, 1],
      ["plain", 2, 0.95],
    ]);
  });

  it("leaves the old board as it was, where it can be read, and says by which it was superseded", async () => {
    const made = await board();
    const { to } = await corrected(made);
    const api = serve(made.ports);
    const before = (await (await api.get(`/v1/boards/${made.old.id}`)).json()) as Leaderboard;
    expect(before).toMatchObject({ supersededBy: to.board, entries: made.old.entries });
    const now = (await (await api.get(`/v1/boards/${to.board}`)).json()) as Leaderboard;
    expect(now).toMatchObject({ supersededBy: null, supersededAt: null });
    expect((await api.get("/v1/boards/none")).status).toBe(404);
  });

  it("shows the old board until every answer is scored anew", async () => {
    const made = await board();
    await upload(made.ports, made.dataset, lantern, { version: made.version, reason });
    await sweep(made.ports);
    const lane = made.mail.evaluate.shift();
    await deliver(made.ports, "evaluate", lane);
    while (made.mail.finish.length > 0) {
      await deliver(made.ports, "finish", made.mail.finish.shift());
    }
    expect((await made.ports.boards.find("relay", made.dataset, null))?.id).toBe(made.old.id);
    expect(await only(made)).toMatchObject({ finishedAt: null, changes: null });
    await settle(made, made.ports);
    expect((await made.ports.boards.find("relay", made.dataset, null))?.id).not.toBe(made.old.id);
  });

  it("counts the attempts of before, and the scoring anew as none", async () => {
    const made = await board();
    await corrected(made);
    const current = await made.ports.boards.find("relay", made.dataset, null);
    const attempts = current?.entries.map(({ model, attempts }) => [model.name, attempts.total]);
    expect(attempts).toEqual([
      ["lantern", 1],
      ["plain", 2],
    ]);
  });

  it("lists no new run on a board whose gold answers are known to be wrong", async () => {
    const made = await board();
    await corrected(made);
    const late = await submitRun({ ...made.ports, ask }, `${made.dataset}@${made.version}`);
    await settle(made, { ...made.ports, ask });
    const dry = await serve(made.ports, { acme: anAccount("acme") }).post(
      "/v1/submissions?dryRun=true",
      aSubmission(`${made.dataset}@${made.version}`),
      { authorization: "Bearer acme" },
    );
    expect(((await dry.json()) as SubmissionEstimate).warnings.join()).toMatch(/was corrected by/);
    const run = await made.ports.runs.get(late);
    expect(run).toMatchObject({ status: "finished", boardId: null, countedOn: null });
    expect(run?.notes.join()).toMatch(/was corrected by .*it stands on no board/);
  });

  it("says of an entry whose answers are gone that it was not scored anew", async () => {
    const made = await board();
    const [, plain = ""] = made.runs;
    await made.ports.cleanup.markAnswersRemoved(plain, made.ports.now());
    const { changes } = await corrected(made);
    expect(changes?.[0]).toMatchObject({ model: { name: "plain" }, after: null });
    expect(changes?.[0]?.reason).toMatch(/answers/);
    const current = await made.ports.boards.find("relay", made.dataset, null);
    expect(ranks(current?.entries ?? [])).toEqual([["lantern", 1, 1]]);
  });

  it("keeps the board where no answer is left to score, and tries once", async () => {
    const made = await board();
    for (const run of made.runs) {
      await made.ports.cleanup.markAnswersRemoved(run, made.ports.now());
    }
    const { to, finishedAt } = await corrected(made);
    expect(to.board).toBeNull();
    expect(finishedAt).not.toBeNull();
    expect((await made.ports.boards.find("relay", made.dataset, null))?.id).toBe(made.old.id);
    await sweep(made.ports);
    await only(made);
  });

  it("stands in the snapshot, without runs that were deleted since", async () => {
    const made = await board();
    const { id } = await corrected(made);
    const listed = async () =>
      (await latestSnapshot(made.ports))?.republications.find((one) => one.id === id);
    expect((await listed())?.changes).toHaveLength(2);
    const [, plain = ""] = made.runs;
    await deleteRun(made.ports, anAccount("acme"), plain);
    await settle(made, made.ports);
    expect((await listed())?.changes?.map(({ model }) => model.name)).toEqual(["lantern"]);
    expect((await listed())?.withdrawn).toBe(1);
  });

  it.each<[string, Change, Partial<{ version: string }>, RegExp]>([
    ["asks otherwise", (row) => ({ ...row, first: "other" }), {}, /20 sample\(s\) would be asked/],
    ["has other samples", (row) => ({ ...row, id: `${row.id}x` }), {}, /same samples in the same/],
    ["changes nothing", (row) => row, {}, /stored already, as no correction/],
    ["is of no newest version", lantern, { version: "abcdef" }, /"abcdef" is not the newest/],
  ])("is refused where it %s", async (_, change, version, detail) => {
    const { ports } = harness();
    const name = `acme/relay-${crypto.randomUUID().slice(0, 8)}`;
    const first = await upload(ports, name);
    const its = first.ok ? first.value.version : "";
    const stored = await upload(ports, name, change, { version: its, reason, ...version });
    expect(stored.ok ? null : stored.error).toMatchObject({
      ...{ kind: "correction", detail: expect.stringMatching(detail) },
    });
  });

  it("names no samples of a private dataset", async () => {
    const { ports } = harness();
    const name = `acme/relay-${crypto.randomUUID().slice(0, 8)}`;
    const first = await upload(ports, name, undefined, undefined, "private");
    const version = first.ok ? first.value.version : "";
    const stored = await upload(ports, name, lantern, { version, reason }, "private");
    expect(stored.ok && stored.value.corrects).toMatchObject({ version, samples: 1, ids: [] });
  });
});

/** Runs one more time on the first board's dataset, as somebody else would. */
async function another(made: Made, dataset: string, model: string, slug?: string) {
  const endpoint = { baseUrl: "http://127.0.0.1:8790/v1", model };
  const models = [
    { name: model, slug: slug ?? `acme/${crypto.randomUUID().slice(0, 8)}`, endpoint },
  ];
  return submitRun({ ...made.ports, ask }, dataset, { models });
}

const boardNow = ({ ports, dataset }: Made) => ports.boards.find("relay", dataset, null);

describe("runs beside a correction", () => {
  const correct = (made: Made) =>
    upload(made.ports, made.dataset, lantern, { version: made.version, reason });

  it("on the new version wait for it, so that none stands alone on the new board", async () => {
    const made = await board();
    await correct(made);
    await another(made, made.dataset, "lantern");
    await settle(made, { ...made.ports, ask });
    expect((await boardNow(made))?.id).toBe(made.old.id);
    await sweep(made.ports);
    await settle(made, made.ports);
    const current = await boardNow(made);
    expect([current?.id === made.old.id, current?.entries.length]).toEqual([false, 3]);
  });

  it("that are newer keep their place before older answers that are scored anew", async () => {
    const made = await board();
    await correct(made);
    const [plain] = made.old.entries;
    const fresh = await another(made, made.dataset, "lantern", plain?.model.slug);
    await settle(made, { ...made.ports, ask });
    await sweep(made.ports);
    await settle(made, made.ports);
    const entry = (await boardNow(made))?.entries.find(
      ({ model }) => model.slug === plain?.model.slug,
    );
    expect(entry).toMatchObject({ run: fresh, headline: { value: 1 } });
  });

  it("that were paused meanwhile come to the new board when they finish, and the old one stays", async () => {
    const made = await board();
    const late = await another(made, made.dataset, "late");
    await made.ports.runs.pause(late, null);
    await correct(made);
    await sweep(made.ports);
    await settle(made, made.ports);
    expect((await boardNow(made))?.entries).toHaveLength(2);
    await made.ports.runs.resume(late, { maxCostUsd: null });
    made.mail.evaluate.push({ v: 1, kind: "lane", run: late, lane: 0, phase: "answering" });
    await settle(made, { ...made.ports, ask });
    await sweep(made.ports);
    await settle(made, made.ports);
    expect((await made.ports.boards.get(made.old.id))?.entries).toEqual(made.old.entries);
    const names = (await boardNow(made))?.entries.map(({ model }) => model.name);
    expect(names?.toSorted()).toEqual(["lantern", "late", "plain"]);
  });

  it("wait, too, where the correction is corrected before it is through", async () => {
    const made = await board();
    const first = await correct(made);
    await sweep(made.ports);
    const version = first.ok ? first.value.version : "";
    const both: Change = (row) => lantern(row.id === "s1" ? { ...row, expected: "TWO" } : row);
    await upload(made.ports, made.dataset, both, { version, reason: "and another one" });
    const scoring = made.mail.evaluate.splice(0);
    await another(made, made.dataset, "lantern");
    await settle(made, { ...made.ports, ask });
    expect((await boardNow(made))?.id).toBe(made.old.id);
    made.mail.evaluate.push(...scoring);
    await settle(made, made.ports);
    await sweep(made.ports);
    await settle(made, made.ports);
    expect((await boardNow(made))?.entries).toHaveLength(3);
  });

  it("made by it can't be paused, since their board waits for them", async () => {
    const made = await board();
    await correct(made);
    await sweep(made.ports);
    const [open] = await made.ports.republications.list(made.old.id, 1);
    const [child] = (await made.ports.runs.submission(open?.submissionId ?? ""))?.runs ?? [];
    const paused = await controlRun(made.ports, anAccount("acme"), child?.id ?? "", "pause");
    expect(paused).toMatchObject({
      ok: false,
      error: { detail: expect.stringMatching(/cancel or/) },
    });
  });

  it("are deleted with what was made of their answers", async () => {
    const made = await board();
    const { changes } = await corrected(made);
    const [plain] = changes ?? [];
    await deleteRun(made.ports, anAccount("acme"), plain?.before.run ?? "");
    await settle(made, made.ports);
    const api = serve(made.ports);
    expect((await api.get(`/v1/runs/${plain?.after?.run}`)).status).toBe(404);
    expect(ranks((await boardNow(made))?.entries ?? [])).toEqual([["lantern", 1, 1]]);
    const old = await made.ports.boards.get(made.old.id);
    expect(old?.entries.map(({ rank, model }) => [model.name, rank])).toEqual([["lantern", 2]]);
  });
});

it("two corrections, one after the other, are told as one", async () => {
  const made = await board();
  const first = await upload(made.ports, made.dataset, lantern, { version: made.version, reason });
  const version = first.ok ? first.value.version : "";
  const both: Change = (row) => lantern(row.id === "s1" ? { ...row, expected: "TWO" } : row);
  await upload(made.ports, made.dataset, both, { version, reason: "and another one" });
  await sweep(made.ports);
  await settle(made, made.ports);
  expect(await only(made)).toMatchObject({
    ...{ reason: `${reason}; and another one`, correctedSamples: 2 },
  });
});

it("a badge goes by when answers were given, not by when they were scored anew", async () => {
  const made = await board();
  const slug = made.old.entries[0]?.model.slug ?? "";
  const other = `acme/other-${crypto.randomUUID().slice(0, 8)}`;
  await upload(made.ports, other);
  await another(made, other, "lantern", slug);
  await settle(made, { ...made.ports, ask });
  await corrected(made);
  const [newest] = await made.ports.boards.ofModel(slug, { suite: null, dataset: null }, 1);
  expect(newest?.datasetName).toBe(other);
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

  it("re-publishes boards that no judge is asked for, by itself", async () => {
    const made = await board();
    const ports = { ...made.ports, suites: suitesOf(later) };
    // Boards of other tests are due as well, and a sweep starts a few.
    const started = async () => (await ports.republications.list(made.old.id, 1)).length > 0;
    while (!(await started())) await sweep(ports);
    await settle(made, ports);
    expect(await only(made)).toMatchObject({
      ...{ causes: ["scoring"], correctedSamples: null },
      reason: 'suite "relay" scores by its version 2, before by 1',
      changes: [
        { model: { name: "plain" }, before: { rank: 1 }, after: { rank: 2 } },
        { model: { name: "lantern" }, before: { rank: 2 }, after: { rank: 1 } },
      ],
    });
    await sweep(ports);
    await only(made);
  });

  it("is started for a judged suite by an admin alone", async () => {
    const made = await board();
    const judged = vi.fn(made.ports.republications.due);
    const ports = { ...made.ports, suites: suitesOf(later) };
    ports.republications = { ...ports.republications, due: judged.mockResolvedValue([]) };
    const api = serve(ports, {
      admin: anAccount("root", { scopes: ["admin"] }),
      acme: anAccount("acme"),
    });
    const path = `/v1/boards/${made.old.id}/republish`;
    const as = (key: string) => ({ authorization: `Bearer ${key}` });
    expect((await api.post(path, {}, as("acme"))).status).toBe(403);
    const reply = await api.post(path, { reason: "Judges read the whole answer now" }, as("admin"));
    expect(reply.status).toBe(202);
    expect(await reply.json()).toMatchObject({
      ...{ reason: "Judges read the whole answer now", finishedAt: null, changes: null },
    });
    expect((await api.post(path, {}, as("admin"))).status).toBe(409);
    await settle(made, ports);
    expect((await only(made)).changes).toHaveLength(2);
    const again = await api.post(path, {}, as("admin"));
    expect(await again.json()).toMatchObject({
      detail: expect.stringMatching(/was superseded by/),
    });
  });
});

it("republishBoard() refuses a board whose answers are scored by today's rules", async () => {
  const { ports, old } = await board();
  expect(await republishBoard(ports, old)).toMatchObject({
    error: {
      type: "conflict",
      detail: expect.stringMatching(/has been scored with suite version 1/),
    },
  });
});

it("sweep() starts a re-publication anew whose service died before its runs were stored", async () => {
  const made = await board();
  await upload(made.ports, made.dataset, lantern, { version: made.version, reason });
  const insert = vi.fn().mockRejectedValue(new Error("the service died"));
  const due = async () => [made.old.id];
  const republications = { ...made.ports.republications, due };
  await sweep({ ...made.ports, republications, runs: { ...made.ports.runs, insert } });
  expect(insert).toHaveBeenCalled();
  const later = { ...made.ports, republications, now: () => Date.now() + 600_000 };
  await sweep(later);
  await sweep(later);
  await settle(made, later);
  expect((await only(made)).changes).toHaveLength(2);
});
