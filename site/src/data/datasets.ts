import type { Snapshot } from "#shared/contracts/boards/snapshot.ts";
import type { Run } from "#shared/contracts/run.ts";
import { boardPages } from "./boards/boards.ts";
import type { BoardPage } from "./boards/place-boards.ts";
import { paths } from "./paths.ts";
import { runs, snapshot } from "./results.ts";

type Listed = Snapshot["datasets"][number];
type ListedRun = Pick<Run, "suite" | "dataset">;

/** A public dataset of a suite with all its versions. */
export interface DatasetPage<R extends ListedRun = Run> {
  suite: string;
  name: string;
  /** Newest first. */
  versions: readonly [Listed, ...Listed[]];
  /** The standard one first. */
  boards: BoardPage[];
  /** Newest first. */
  runs: R[];
}

/** Datasets in the order of their names; each suite has names of its own. */
export function datasetPages<R extends ListedRun>(
  datasets: readonly Listed[],
  boards: readonly BoardPage[],
  runs: readonly R[],
): DatasetPage<R>[] {
  const groups = [...Map.groupBy(datasets, ({ suite, name }) => `${suite}/${name}`).values()];
  const pages = groups.flatMap((group): DatasetPage<R>[] => {
    const [newest, ...older] = group.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
    if (!newest) return [];
    const { suite, name } = newest;
    const isOf = (of: { suite: string; dataset: { name: string } }) =>
      of.suite === suite && of.dataset.name === name;
    return [
      {
        suite,
        name,
        versions: [newest, ...older],
        boards: boards.filter(({ board }) => isOf(board)),
        runs: runs.filter(isOf),
      },
    ];
  });
  return pages.sort((a, b) => a.name.localeCompare(b.name));
}

/** Every public dataset of this build. */
export const allDatasets: readonly DatasetPage[] = datasetPages(
  snapshot.datasets,
  boardPages,
  runs,
);

/** Page of a dataset; null where this build has none, as of a private one. */
export const datasetPath = (suite: string, name: string): string | null =>
  allDatasets.some((one) => one.suite === suite && one.name === name)
    ? paths.dataset(suite, name)
    : null;
