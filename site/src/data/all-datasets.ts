import { boardPages } from "./boards.ts";
import { type DatasetPage, datasetPages } from "./datasets.ts";
import { runs, snapshot } from "./results.ts";

/** Every public dataset of this build. */
export const allDatasets: readonly DatasetPage[] = datasetPages(
  snapshot.datasets,
  boardPages,
  runs,
);
