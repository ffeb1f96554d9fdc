import type { LeaderboardEntry } from "#shared/contracts/boards/leaderboard.ts";
import type { DatasetChange } from "#shared/contracts/datasets/dataset-change.ts";
import type { Run, RunModel } from "#shared/contracts/run.ts";
import type { Sweep } from "#shared/contracts/submissions/sweep.ts";
import { boardPages, entriesOfBoard } from "../boards/boards.ts";
import type { BoardPage } from "../boards/place-boards.ts";
import { runs, snapshot, sweeps } from "../results.ts";
import { suites } from "../suites.ts";
import { type RunHistory, runHistories } from "./history.ts";
import { sweepOfRun } from "./sweeps.ts";

/** A model with its places on the boards and its runs, newest first. */
export interface ModelPage {
  model: RunModel;
  /** In the order of the suites. */
  places: { page: BoardPage; entry: LeaderboardEntry }[];
  histories: RunHistory[];
  /** Runs that were the first on another version of their dataset, newest first. */
  changes: readonly DatasetChange[];
  /** Without variants of the sweeps that are listed. */
  runs: readonly Run[];
  sweeps: readonly Sweep[];
}

const suiteOrder = new Map(suites.map(({ id }, i) => [id, i]));
const orderOf = ({ page }: ModelPage["places"][number]): number =>
  suiteOrder.get(page.board.suite) ?? suites.length;

const runsBySlug = Map.groupBy(runs, ({ model }) => model.slug);

const standing = boardPages.filter(({ board }) => board.supersededBy === null);
const entries = standing.flatMap((page) =>
  (entriesOfBoard.get(page.board.id) ?? []).map((entry) => ({ page, entry })),
);
const entriesBySlug = Map.groupBy(entries, ({ entry }) => entry.model.slug);

/** Every model that has a run or is on a board; its card is that of the newest run. */
export const modelPages: readonly ModelPage[] = [
  ...new Set([...runsBySlug.keys(), ...entriesBySlug.keys()]),
].flatMap((slug) => {
  const places = entriesBySlug.get(slug)?.toSorted((a, b) => orderOf(a) - orderOf(b)) ?? [];
  const own = runsBySlug.get(slug) ?? [];
  const model = own[0]?.model ?? places[0]?.entry.model;
  if (!model) return [];
  const its = sweeps.filter(({ models }) => models.some((swept) => swept.model.slug === slug));
  const single = own.filter((run) => !sweepOfRun(run));
  const changes = snapshot.datasetChanges.filter((change) => change.model.slug === slug);
  const histories = runHistories(single, snapshot.drifts);
  return [{ model, places, histories, changes, runs: single, sweeps: its }];
});

/** Which models of a board are programs; "ranked": all but some that are listed without a rank. */
export function simulatedModels(
  entries: readonly Pick<LeaderboardEntry, "rank" | "model">[],
): "all" | "ranked" | "some" | "none" {
  const simulated = entries.filter(({ model }) => model.simulated);
  if (simulated.length === 0) return "none";
  if (simulated.length === entries.length) return "all";
  const ranked = entries.filter(({ rank }) => rank !== null);
  return ranked.length > 0 && ranked.every(({ model }) => model.simulated) ? "ranked" : "some";
}
