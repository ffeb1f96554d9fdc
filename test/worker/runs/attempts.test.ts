import { expect, it } from "vitest";
import { runCron } from "../../../api/cron.ts";
import type { Platform } from "../../../api/platform/platform.ts";
import { changeVisibility } from "../../../api/publication/change-visibility.ts";
import { cleanUp } from "../../../api/runs/clean-up.ts";
import { deleteRun, hideRun } from "../../../api/runs/service.ts";
import type { Leaderboard } from "../../../shared/contracts/boards/leaderboard.ts";
import { serve } from "../support/client.ts";
import { anAccount, harness, relayDataset, submitRun } from "../support/harness.ts";

const owner = anAccount("acme");
const models = [
  { name: "M", slug: "acme/m", endpoint: { baseUrl: "http://127.0.0.1:8790/v1", model: "m" } },
];

const entryOf = async (platform: Platform, dataset: string) => {
  const reply = await serve(platform).get(`/v1/leaderboard?suite=relay&dataset=${dataset}`);
  return ((await reply.json()) as Leaderboard).entries[0];
};

it("a board counts all attempts of a model in its configuration, also unlisted, hidden and deleted runs", async () => {
  const { platform, deliverAll } = harness();
  const dataset = await relayDataset(platform, 4);
  const start = (more: object = {}) => submitRun(platform, dataset, { models, ...more });
  const runs: string[] = [];
  for (let i = 0; i < 4; i++) {
    runs.push(await start());
    await deliverAll();
  }
  const [deleted = "", hidden = ""] = runs;
  await start({ visibility: "unlisted" });
  await start({ options: { sample: { n: 2 } } });
  await submitRun(platform, dataset, { models: [{ ...models[0], slug: "acme/other" }] });
  await submitRun(platform, await relayDataset(platform, 4), { models });
  await deliverAll();
  const failed = await start();
  await platform.runs.fail(failed, "no key", platform.now());
  const cancelled = await start();
  await platform.runs.cancel(cancelled, platform.now());
  await deleteRun(platform, owner, deleted);
  await hideRun(platform, hidden, "copied answers");
  const last = await start();
  const board = await platform.boards.find("relay", dataset, null);
  const counts = await platform.boards.attempts(board?.id ?? "");
  const expected = {
    total: 8,
    finished: 2,
    failed: 1,
    cancelled: 1,
    running: 1,
    unlisted: 1,
    hidden: 1,
    deleted: 1,
  };
  expect(counts.get("acme/m")).toEqual(expected);
  expect(counts.get("acme/other")).toMatchObject({ total: 1, finished: 1, deleted: 0 });

  await cleanUp(platform);
  expect(await platform.runs.get(deleted)).toBeNull();
  expect((await platform.boards.attempts(board?.id ?? "")).get("acme/m")).toEqual(expected);

  await runCron(platform);
  await deliverAll();
  const entry = await entryOf(platform, dataset);
  expect(entry?.attempts.total).toBe(8);
  expect(entry?.run).toBe(last);
});

it("a board is ranked again after an unlisted run has ended", async () => {
  const { platform, deliverAll } = harness();
  const dataset = await relayDataset(platform, 4);
  await submitRun(platform, dataset, { models });
  await deliverAll();
  expect((await entryOf(platform, dataset))?.attempts).toMatchObject({ total: 1, unlisted: 0 });
  await submitRun(platform, dataset, { models, visibility: "unlisted" });
  await deliverAll();
  await runCron(platform);
  await deliverAll();
  expect((await entryOf(platform, dataset))?.attempts).toMatchObject({ total: 2, unlisted: 1 });
  const csv = await serve(platform).get(`/v1/leaderboard.csv?suite=relay&dataset=${dataset}`);
  const [header = "", record = ""] = (await csv.text()).split("\r\n");
  const cell = (name: string) => record.split(",")[header.split(",").indexOf(name)];
  expect([cell("attempts"), cell("attemptsFinished"), cell("attemptsUnlisted")]).toEqual([
    "2",
    "1",
    "1",
  ]);
});

it("a run that becomes private still counts once; a run that was always private does not", async () => {
  const { platform, deliverAll } = harness();
  const dataset = await relayDataset(platform, 4);
  const runs: string[] = [];
  for (const visibility of ["public", "public", "unlisted", "private"]) {
    runs.push(await submitRun(platform, dataset, { models, visibility }));
    await deliverAll();
  }
  const [best = "", second = "", unlisted = "", secret = ""] = runs;
  const counts = async () => {
    await runCron(platform);
    await deliverAll();
    return (await entryOf(platform, dataset))?.attempts;
  };
  const change = async (run: string, to: "public" | "private") =>
    expect((await changeVisibility(platform, owner, run, to)).ok).toBe(true);
  expect(await counts()).toMatchObject({ total: 3, finished: 2, unlisted: 1, deleted: 0 });
  await change(second, "private");
  await change(unlisted, "private");
  expect(await counts()).toMatchObject({ total: 3, finished: 1, unlisted: 0, deleted: 2 });
  await deleteRun(platform, owner, unlisted);
  await change(second, "public");
  expect(await counts()).toMatchObject({ total: 3, finished: 2, deleted: 1 });
  for (const to of ["public", "private", "public"] as const) await change(secret, to);
  expect(await counts()).toMatchObject({ total: 4, finished: 3, deleted: 1 });
  for (const run of [second, secret]) {
    await change(run, "private");
    await deleteRun(platform, owner, run);
  }
  expect(await counts()).toMatchObject({ total: 4, finished: 1, deleted: 3 });
  expect((await entryOf(platform, dataset))?.run).toBe(best);
});
