import type { Snapshot } from "#shared/contracts/boards/snapshot.ts";
import type { ListedRun } from "#shared/contracts/run.ts";
import { boardPages } from "./boards/boards.ts";
import type { BoardPage } from "./boards/place-boards.ts";
import { paths } from "./paths.ts";
import { runs, snapshot } from "./results.ts";
import { type RunHistory, runHistories, type VersionDraws } from "./runs/history.ts";

type Listed = Snapshot["datasets"][number];
type OnDataset = Pick<ListedRun, "suite" | "dataset">;

/** A public dataset of a suite with all its versions. */
export interface DatasetPage<R extends OnDataset = ListedRun> {
  suite: string;
  name: string;
  /** Newest first. */
  versions: readonly [Listed, ...Listed[]];
  /** The standard one first. */
  boards: BoardPage[];
  /** Newest first. */
  runs: R[];
}

const newestRuns = 10;
/** Models with a chart on the page of a stream. */
const mostCharts = 6;

/** How each version of a stream was drawn, by version. */
export const versionDraws: VersionDraws = new Map(
  snapshot.datasets.flatMap(({ version, stream }) => (stream ? [[version, stream] as const] : [])),
);

/** The histories of models on a stream, by model, the newest runs first; empty for other datasets. */
export function timelinesOf({ versions, runs: all }: DatasetPage): [string, RunHistory[]][] {
  if (versions.every(({ stream }) => stream === undefined)) return [];
  const byModel = Map.groupBy(all, ({ model }) => model.slug);
  return [...byModel]
    .map(([slug, its]): [string, RunHistory[]] => [
      slug,
      runHistories(its, snapshot.drifts, versionDraws),
    ])
    .filter(([, histories]) => histories.length > 0)
    .slice(0, mostCharts);
}

/** The runs that a dataset's page lists. */
export const newestOf = (runs: readonly ListedRun[]): ListedRun[] =>
  runs.filter((run) => !run.republished).slice(0, newestRuns);

/** Datasets in the order of their names, which are unique within a suite. */
export function datasetPages<R extends OnDataset>(
  datasets: readonly Listed[],
  boards: readonly BoardPage[],
  runs: readonly R[],
): DatasetPage<R>[] {
  const groups = [...Map.groupBy(datasets, ({ suite, name }) => `${suite}/${name}`).values()];
  const nameOf = ({ suite, dataset }: { suite: string; dataset: { name: string } }) =>
    `${suite}/${dataset.name}`;
  const boardsOf = Map.groupBy(boards, ({ board }) => nameOf(board));
  const runsOf = Map.groupBy(runs, nameOf);
  const pages = groups.flatMap((group): DatasetPage<R>[] => {
    const [newest, ...older] = group.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
    if (!newest) return [];
    const { suite, name } = newest;
    const own = nameOf({ suite, dataset: newest });
    return [
      {
        suite,
        name,
        versions: [newest, ...older],
        boards: boardsOf.get(own) ?? [],
        runs: runsOf.get(own) ?? [],
      },
    ];
  });
  return pages.sort((a, b) => a.name.localeCompare(b.name));
}

export const allDatasets: readonly DatasetPage[] = datasetPages(
  snapshot.datasets,
  boardPages,
  runs,
);

const withPage = new Set(allDatasets.map(({ suite, name }) => paths.dataset(suite, name)));

/** Page of a dataset; null if this build has none, for example because it is private. */
export function datasetPath(suite: string, name: string): string | null {
  const path = paths.dataset(suite, name);
  return withPage.has(path) ? path : null;
}
