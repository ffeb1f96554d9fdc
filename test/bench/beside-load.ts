import { fork } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { BenchResult } from "../../shared/contracts/operator/bench-record.ts";
import type { Bench, Measured, Settings } from "./bench.ts";
import { alignedTable } from "./result-table.ts";
import { resultsOf, withBench } from "./run-bench.ts";

/** Maximum relative change of a ratio when the machine has twice the load. */
const MAX_MOVE = 0.25;

/** A ratio measured without load, and next to a busy process for each core. */
export interface MovedRatio {
  name: string;
  alone: number;
  besideLoad: number;
}

/**
 * Measures each ratio of a bench alternately alone and under load, and swaps the order each time, so that other work of
 * the machine and compiler optimizations affect both.
 */
export const movedRatios = (bench: Bench, settings: Settings): Promise<MovedRatio[]> =>
  withBench(bench, settings, async (measure, repeats) => {
    const alone: Measured[][] = [];
    const beside: Measured[][] = [];
    for (let i = 0; i < repeats; i++) {
      if (i % 2 === 0) alone.push(await measure());
      beside.push(await withLoad(measure));
      if (i % 2 === 1) alone.push(await measure());
    }
    const loaded = resultsOf(bench.rows, beside, false);
    return resultsOf(bench.rows, alone, false).flatMap((result, k) => moveOf(result, loaded[k]!));
  });

const moveOf = ({ name, ratio }: BenchResult, loaded: BenchResult): MovedRatio[] =>
  ratio === null ? [] : [{ name, alone: ratio, besideLoad: loaded.ratio! }];

/** Relative change of a ratio under load. */
const moveBy = ({ alone, besideLoad }: MovedRatio): number => besideLoad / alone - 1;

/** Whether load changes a ratio by more than the limit, up or down. */
export const isMoved = (moved: MovedRatio): boolean => Math.abs(moveBy(moved)) > MAX_MOVE;

/** The moved ratios as lines with aligned columns. */
export const movedTable = (moved: readonly MovedRatio[]): string =>
  alignedTable(
    [
      ["row", "alone", "beside load", "moved"],
      ...moved.map((one) => [
        one.name,
        one.alone.toFixed(2),
        one.besideLoad.toFixed(2),
        `${Math.round(100 * moveBy(one))}%${isMoved(one) ? " TOO FAR" : ""}`,
      ]),
    ],
    new Set([0]),
  );

async function withLoad<T>(work: () => T | Promise<T>): Promise<T> {
  const busy = Array.from({ length: availableParallelism() }, () =>
    fork(join(import.meta.dirname, "support", "busy-process.ts")),
  );
  try {
    await Promise.all(busy.map((child) => once(child, "message")));
    return await work();
  } finally {
    const ended = Promise.all(busy.map((child) => once(child, "exit")));
    for (const child of busy) child.disconnect();
    await ended;
  }
}
