import type { Comparison } from "#shared/contracts/boards/comparison.ts";
import type { LeaderboardEntry } from "#shared/contracts/boards/leaderboard.ts";
import type { RunStanding } from "../../report/shown-run.ts";
import { type LatencyLoad, latencyLoad } from "../runs/latency-load.ts";
import { boardVerdict } from "./board-verdict.ts";
import { comparisonRequest, mostCompared } from "./comparison-request.ts";
import type { BoardPage } from "./place-boards.ts";

const isRanked = ({ rank }: LeaderboardEntry): boolean => rank !== null;

/**
 * The place of a run on its board, without a verdict, and which runs are compared; null if it is not among the first,
 * which are compared: so a new run changes the pages of no more runs. `all`: the entries of the whole board.
 */
export function placeOfRun(
  { board, path }: BoardPage,
  all: readonly LeaderboardEntry[],
  run: string,
): (Omit<RunStanding, "verdict"> & { compared: unknown }) | null {
  const first = board.entries.filter(isRanked).slice(0, mostCompared);
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

/** What the tests of a board say of one of its runs and the first; `runs`: all that the board may list. */
export function runVerdict(
  page: BoardPage,
  run: string,
  comparison: Comparison | null | undefined,
  runs: Parameters<typeof latencyLoad>[1],
): RunStanding["verdict"] {
  const load = loads.get(page) ?? latencyLoad(page.board.entries.filter(isRanked), runs);
  loads.set(page, load);
  return boardVerdict(page.board, comparison, load, run);
}
