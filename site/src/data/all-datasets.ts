import { boardPages } from "./boards.ts";
import { type DatasetPage, datasetPages } from "./datasets.ts";
import { paths } from "./paths.ts";
import { runs, snapshot } from "./results.ts";

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
