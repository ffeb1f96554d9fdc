import type { LeaderboardEntry } from "#shared/contracts/boards/leaderboard.ts";
import type { DatasetChange } from "#shared/contracts/datasets/dataset-change.ts";

import type { Run, RunModel } from "#shared/contracts/run.ts";
import type { Sweep } from "#shared/contracts/submissions/sweep.ts";
import { fewServed, servedIds } from "#shared/measures/performance/served-models.ts";
import { boardPages, entriesOfBoard } from "../boards/boards.ts";
import type { BoardPage } from "../boards/place-boards.ts";
import { runs, snapshot, sweeps } from "../results.ts";
import { suites } from "../suites.ts";
import { type RunHistory, runHistories } from "./history.ts";
import { sweepOfRun } from "./sweeps.ts";

/** The ids of the model that was asked, and of those that answered. */
type ModelIds = Pick<RunModel, "asked" | "served">;

/** A model with its places on the boards and its runs, newest first. */
export interface ModelPage {
  model: RunModel;
  /** Of the newest run whose answers name a model; of the newest where none does. */
  ids: ModelIds;
  /** In the order of the suites. */
  places: { page: BoardPage; entry: LeaderboardEntry }[];
  histories: RunHistory[];
  /** Runs that were the first on another version of their dataset, newest first. */
  changes: readonly DatasetChange[];
  /** Without variants of the sweeps that are listed. */
  runs: readonly Run[];
  sweeps: readonly Sweep[];
}

const namesServed = ({ served = [] }: ModelIds): boolean => served.length > 0;

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
  const ids = own.map((run) => run.model).find(namesServed) ?? model;
  return [{ model, ids, places, histories, changes, runs: single, sweeps: its }];
});

/** Models that answered, as many as boards name. */
const mostServed = 3;

const servedText = ({ served = [] }: ModelIds): string =>
  servedIds({ served: fewServed(served, mostServed) })
    .sort()
    .join("\n");

/** Whether two runs asked the same model and the same answered, as far as both say. */
export function haveSameIds(one: ModelIds, other: ModelIds): boolean {
  const isSame = (of: (ids: ModelIds) => string) => {
    const [its, others] = [of(one), of(other)];
    return its === "" || others === "" || its === others;
  };
  return isSame(({ asked = [] }) => asked.join("\n")) && isSame(servedText);
}

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
