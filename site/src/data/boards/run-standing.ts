import type { Comparison } from "#shared/contracts/boards/comparison.ts";
import type { LeaderboardEntry } from "#shared/contracts/boards/leaderboard.ts";
import type { Metric } from "#shared/contracts/metric.ts";
import type { RunStanding } from "../../report/shown-run.ts";
import { type LatencyLoad, latencyLoad } from "../runs/latency-load.ts";
import { boardVerdict } from "./board-verdict.ts";
import { comparisonRequest, mostCompared } from "./comparison-request.ts";
import type { BoardPage } from "./place-boards.ts";

const isRanked = ({ rank }: LeaderboardEntry): boolean => rank !== null;

/**
 * The place of a run on its board, without a verdict, and the compared runs; null if it is not among the first `most`.
 * Only compared runs show it: a new run changes every rank below it and the number of ranked models, so with more ranks
 * a build would render every model's report again. `all`: the entries of the whole board.
 */
export function placeOfRun(
  { board, path }: BoardPage,
  all: readonly LeaderboardEntry[],
  run: string,
  most = mostCompared,
): (Omit<RunStanding, "verdict"> & { compared: unknown }) | null {
  const first = board.entries.filter(isRanked).slice(0, most);
  const entry = first.find((one) => one.run === run);
  if (entry === undefined || entry.rank === null) return null;
  const rival = first.find((one) => one.run !== run);
  return {
    board: path,
    rank: entry.rank,
    rankInterval: entry.rankInterval,
    ranked: all.filter(isRanked).length,
    rival: rival ? { run: rival.run, name: rival.model.name } : null,
    compared: comparisonRequest(board)?.runs,
  };
}

const loads = new WeakMap<BoardPage, LatencyLoad>();

interface Tested {
  run: string;
  /** The board's headline. */
  metric: Metric;
  comparison: Comparison | null | undefined;
  /** All runs that the board may list. */
  runs: Parameters<typeof latencyLoad>[1];
}

/** The verdict of a board's tests on one of its runs and the first. */
export function runVerdict(
  page: BoardPage,
  { run, metric, comparison, runs }: Tested,
): RunStanding["verdict"] {
  const load = loads.get(page) ?? latencyLoad(page.board.entries.filter(isRanked), runs);
  loads.set(page, load);
  return boardVerdict(page.board, metric, { comparison, load, about: run });
}
