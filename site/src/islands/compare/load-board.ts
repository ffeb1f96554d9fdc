import type { Leaderboard } from "#shared/contracts/leaderboard.ts";
import { getJson } from "../api.ts";
import { ApiError } from "../api-error.ts";
import { type DatasetOption, datasetOptions, listedDatasets } from "../dataset-options.ts";
import { boardChoices, boardTraits, type RunChoice, type RunTraits } from "./run-choice.ts";

/** What there is to choose from. */
export interface LoadedBoard {
  choices: RunChoice[];
  /** What the runs have in common; null: there is no board. */
  traits: RunTraits | null;
  /** Id of the metric that ranks them; null: there is no board. */
  headline: string | null;
  /** Why there is nothing to choose. */
  notice: string | null;
}

/** The public datasets of a suite. */
export async function loadDatasets(suite: string, signal: AbortSignal): Promise<DatasetOption[]> {
  return datasetOptions(await listedDatasets(suite, signal));
}

/** The runs of a suite's board on a dataset; none where no run has finished on it. */
export async function loadBoard(
  suite: string,
  dataset: string,
  signal: AbortSignal,
): Promise<LoadedBoard> {
  const path = `/v1/leaderboard?${new URLSearchParams({ suite, dataset })}`;
  try {
    const board = await getJson<Leaderboard>(path, { signal });
    const { headline } = board;
    return { choices: boardChoices(board), traits: boardTraits(board), headline, notice: null };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    const notice = "No run stands on a board of this dataset yet. Runs can be added by their ids.";
    return { choices: [], traits: null, headline: null, notice };
  }
}
