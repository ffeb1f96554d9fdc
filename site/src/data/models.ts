import type { LeaderboardEntry } from "#shared/contracts/leaderboard.ts";
import type { Run, RunModel } from "#shared/contracts/run.ts";
import type { Sweep } from "#shared/contracts/sweep.ts";
import { boardPages } from "./boards.ts";
import type { BoardPage } from "./place-boards.ts";
import { runs, sweeps } from "./results.ts";
import { sweepOfRun } from "./sweeps.ts";

/** A model with its places on the boards and its runs, newest first. */
export interface ModelPage {
  model: RunModel;
  places: { page: BoardPage; entry: LeaderboardEntry }[];
  /** Without variants of the sweeps that are listed. */
  runs: readonly Run[];
  sweeps: readonly Sweep[];
}

const runsBySlug = Map.groupBy(runs, ({ model }) => model.slug);

const entries = boardPages.flatMap((page) => page.board.entries.map((entry) => ({ page, entry })));
const entriesBySlug = Map.groupBy(entries, ({ entry }) => entry.model.slug);

/** Every model that has a run or stands on a board; its card is that of the newest run. */
export const modelPages: readonly ModelPage[] = [
  ...new Set([...runsBySlug.keys(), ...entriesBySlug.keys()]),
].flatMap((slug) => {
  const places = entriesBySlug.get(slug) ?? [];
  const own = runsBySlug.get(slug) ?? [];
  const model = own[0]?.model ?? places[0]?.entry.model;
  if (!model) return [];
  const its = sweeps.filter(({ models }) => models.some((swept) => swept.model.slug === slug));
  return [{ model, places, runs: own.filter((run) => !sweepOfRun(run)), sweeps: its }];
});
