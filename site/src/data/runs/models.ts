import type { Leaderboard, LeaderboardEntry } from "#shared/contracts/boards/leaderboard.ts";
import type { DatasetChange } from "#shared/contracts/drift/drift-notice.ts";

import type { ListedRun, RunModel } from "#shared/contracts/run.ts";
import type { Sweep } from "#shared/contracts/submissions/sweep.ts";
import { fewServed, servedIds } from "#shared/measures/performance/served-models.ts";
import { suites } from "#shared/suites/registry.ts";
import { boardPages, entriesOfBoard } from "../boards/boards.ts";
import { type BoardPage, boardDifferences } from "../boards/place-boards.ts";
import { versionDraws } from "../datasets.ts";
import { runs, snapshot, sweeps } from "../results.ts";
import { type RunHistory, runHistories } from "./history.ts";
import { sweepOfRun } from "./sweeps.ts";

/** The ids of the requested model, and of those that answered. */
type ModelIds = Pick<RunModel, "asked" | "served">;

/** A model with its places on the boards and its runs, newest first. */
export interface ModelPage {
  model: RunModel;
  /** Ids of the newest run whose answers name a model, or else of the newest run. */
  ids: ModelIds;
  /** In the order of the suites. */
  places: ModelPlace[];
  histories: RunHistory[];
  /** Runs that were the first on another version of their dataset, newest first. */
  changes: readonly DatasetChange[];
  /** Runs, except variants of the listed sweeps. */
  runs: readonly ListedRun[];
  sweeps: readonly Sweep[];
}

/** A model's place on a board, with only the shown part of the board. */
interface ModelPlace {
  board: Pick<Leaderboard, "id" | "suite" | "dataset" | "headline" | "isDefault">;
  path: string;
  /** Differences of the board from its dataset's standard one. */
  differences: string[];
  /** Ranks below the models on the board's page are omitted, because they change with every model above. */
  entry: LeaderboardEntry;
  /** Number of ranked models; null: this model has no rank, or is below those on the board's page. */
  ranked: number | null;
  isBelow: boolean;
}

const namesServed = ({ served = [] }: ModelIds): boolean => served.length > 0;

const suiteOrder = new Map(suites.map(({ id }, i) => [id, i]));
const orderOf = ({ board }: ModelPlace): number => suiteOrder.get(board.suite) ?? suites.length;

const runsBySlug = Map.groupBy(runs, ({ model }) => model.slug);

const standing = boardPages.filter(({ board }) => board.supersededBy === null);
const entries = standing.flatMap(placesOn);

function placesOn({ board, path, others }: BoardPage): ModelPlace[] {
  const { id, suite, dataset, headline, isDefault } = board;
  // A dataset's standard board is first on its page.
  const standard = path.startsWith("/boards/") ? others[0]?.board : undefined;
  const its = {
    board: { id, suite, dataset, headline, isDefault },
    path,
    differences: standard ? boardDifferences(board, standard) : [],
  };
  const all = entriesOfBoard.get(id) ?? [];
  const ranked = all.filter(({ rank }) => rank !== null).length;
  return all.map((entry, i) => {
    const isBelow = i >= board.entries.length && entry.rank !== null;
    const shown = isBelow ? { ...entry, rank: null } : entry;
    return { ...its, entry: shown, isBelow, ranked: shown.rank === null ? null : ranked };
  });
}
const entriesBySlug = Map.groupBy(entries, ({ entry }) => entry.model.slug);

/** Every model that has a run or is on a board; its card is that of its newest run. */
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
  const histories = runHistories(single, snapshot.drifts, versionDraws);
  const ids = own.map((run) => run.model).find(namesServed) ?? model;
  return [{ model, ids, places, histories, changes, runs: single, sweeps: its }];
});

/** Maximum models that answered, as named on boards. */
const mostServed = 3;

const servedText = ({ served = [] }: ModelIds): string =>
  servedIds({ served: fewServed(served, mostServed) })
    .sort()
    .join("\n");

/** Whether two runs requested the same model, and got answers from the same one if both state it. */
export function haveSameIds(one: ModelIds, other: ModelIds): boolean {
  const isSame = (of: (ids: ModelIds) => string) => {
    const [its, others] = [of(one), of(other)];
    return its === "" || others === "" || its === others;
  };
  return isSame(({ asked = [] }) => asked.join("\n")) && isSame(servedText);
}

/** Which models of a board are simulated; "ranked": all ranked ones. */
export function simulatedModels(
  entries: readonly Pick<LeaderboardEntry, "rank" | "model">[],
): "all" | "ranked" | "some" | "none" {
  const simulated = entries.filter(({ model }) => model.simulated);
  if (simulated.length === 0) return "none";
  if (simulated.length === entries.length) return "all";
  const ranked = entries.filter(({ rank }) => rank !== null);
  return ranked.length > 0 && ranked.every(({ model }) => model.simulated) ? "ranked" : "some";
}
