import { beforeAll, expect, it } from "vitest";
import { badgeOf } from "../../api/badges/badge.ts";
import { rankBoard } from "../../api/boards/rank-board.ts";
import { scoresKey } from "../../api/runs/run-objects.ts";
import type { Leaderboard } from "../../shared/contracts/boards/leaderboard.ts";
import { readSnapshot } from "../../shared/contracts/boards/read-snapshot.ts";
import { suiteById } from "../../shared/suites/registry.ts";
import { aBench } from "../simulator/support/evaluate.ts";
import { copyRuns } from "./copy-runs.ts";
import { demoModels } from "./demo-models.ts";
import { finishedRun } from "./finished-run.ts";
import { openService, publishAll, type Service } from "./service.ts";
import { simulatedAnswers } from "./simulated-answers.ts";

const MODELS = 250;

let service: Service;
let id: string;
/** The copied run. */
let first: string;

beforeAll(async () => {
  service = await openService();
  const bench = aBench(suiteById("slots")!);
  const [model] = demoModels(1);
  const answers = simulatedAnswers(bench, bench.simulation(1), model!, 0);
  const run = await finishedRun(
    service,
    bench,
    { model: model!, turn: 0, createdAt: 1e12 },
    answers,
  );
  copyRuns(service, run, 1, MODELS - 1);
  const scores = service.objects.get(scoresKey(run)) ?? "";
  for (let i = 1; i < MODELS; i++) {
    service.objects.set(scoresKey({ ...run, id: `${run.id}-${i}` }), scores);
  }
  [id, first] = [run.boardId ?? "", run.id];
  service.at(2e12);
  await rankBoard(service.platform, id);
});

const boardPage = async (cursor: string) =>
  (await service.read(`/v1/boards/${id}?cursor=${cursor}`)) as Leaderboard;

async function allPages(): Promise<Leaderboard[]> {
  const pages: Leaderboard[] = [];
  for (let cursor: string | null = "0"; cursor !== null; ) {
    const page: Leaderboard = await boardPage(cursor);
    pages.push(page);
    cursor = page.nextCursor;
  }
  return pages;
}

it("a board of more than 100 models has pages that list each model once, ordered by rank", async () => {
  const pages = await allPages();
  expect(pages.map(({ entries }) => entries.length)).toEqual([100, 100, 50]);
  expect(new Set(pages.map(({ listed }) => listed))).toEqual(new Set([MODELS]));
  const entries = pages.flatMap((page) => page.entries);
  expect(new Set(entries.map(({ model }) => model.slug)).size).toBe(MODELS);
  const ranks = entries.map(({ rank }) => rank ?? 0);
  expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
  expect((await boardPage("150")).entries[0]?.run).toBe(entries[150]?.run);
  expect((await boardPage("9999")).entries).toEqual([]);
  await expect(boardPage("-1")).rejects.toThrow("answers 422");
});

it("the board's CSV has every model, and badges find models of all pages", async () => {
  const query = new URLSearchParams({ suite: "slots", dataset: "stock" });
  const csv = await service.readText(`/v1/leaderboard.csv?${query}`);
  expect(csv.trim().split("\r\n")).toHaveLength(MODELS + 1);
  const last = (await allPages()).at(-1)?.entries.at(-1);
  const badge = await badgeOf(service.platform, last?.model.slug ?? "", {
    show: "rank",
    suite: "slots",
  });
  expect(badge.message).toContain(`#${last?.rank}/${MODELS}`);
});

it("ranking the board again writes only changed pages, and keeps the former ones until publication", async () => {
  const stored = () =>
    [...service.objects.keys()].filter((key) => key.includes("/entries-")).sort();
  const before = stored();
  expect(before).toHaveLength(2);
  await rankBoard(service.platform, id);
  expect(stored()).toEqual(before);
  const last = (await allPages()).at(-1)?.entries.at(-1)?.run ?? "";
  await service.platform.runs.hide(last, "spam", 2e12);
  await rankBoard(service.platform, id);
  expect(stored()).toHaveLength(3);
  await service.platform.publications.markChanged();
  await publishAll(service.platform);
  // A run was withdrawn, so the pages that listed it are deleted at once.
  expect(stored()).toHaveLength(2);
  expect(await badgeOf(service.platform, "bench/none")).toMatchObject({ message: "not evaluated" });
});

it("the site reads the whole board from the pages in the snapshot", async () => {
  await service.platform.publications.markChanged();
  await publishAll(service.platform);
  const { snapshot } = await readSnapshot(service.read);
  expect(snapshot.boards.find((board) => board.id === id)?.entries).toHaveLength(MODELS - 1);
  expect(snapshot.runs).toHaveLength(MODELS - 1);
  expect(snapshot.runs.map((run) => run.id)).toContain(first);
});

it.each([
  ["an upgrade to another format of snapshots", "format = NULL, hash = NULL, root = NULL", ""],
  ["the removal of the root, as after a restore of the database", "root = NULL", ""],
  [
    "a rollback to an earlier release, which did not count changes",
    `hash = '${"f".repeat(64)}', root = NULL`,
    "DELETE FROM snapshot_items;",
  ],
])("after %s, everything public is published again", async (_, state, more) => {
  const { database, objects, read } = service;
  const isLost = !state.includes("format");
  if (!isLost) database.exec("DELETE FROM snapshot_items; DELETE FROM snapshot_changes");
  for (const key of objects.keys()) if (key.startsWith("snapshot/")) objects.delete(key);
  database.exec(`UPDATE publications SET changes = changes + 1, ${state}; ${more}`);
  if (!isLost) await expect(read("/v1/snapshot")).rejects.toThrow("answers 409");
  await publishAll(service.platform);
  const { snapshot } = await readSnapshot(read);
  expect(snapshot.runs).toHaveLength(MODELS - 1);
  expect(snapshot.boards).toHaveLength(1);
  expect(snapshot.datasets.map(({ name }) => name)).toContain("stock");
});
