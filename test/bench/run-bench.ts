import { percentile } from "../../shared/stats/percentile.ts";
import type { Bench, BenchResult, BenchRow, Settings, Target } from "./bench.ts";

/** Measures a bench: the median, lowest and highest of its repeats, row by row. */
export async function runBench(bench: Bench, settings: Settings): Promise<BenchResult[]> {
  const ends: (() => void | Promise<void>)[] = [];
  try {
    const measure = await bench.prepare(settings, (work) => ends.push(work));
    const { repeats = settings.repeats } = bench;
    const warmUps = bench.repeats === undefined ? settings.warmUps : 0;
    for (let i = 0; i < warmUps; i++) await measure();
    const rounds: number[][] = [];
    for (let i = 0; i < repeats; i++) rounds.push(await measure());
    return bench.rows.map((row, k) =>
      resultOf(
        row,
        rounds.map((round) => round[k]!),
      ),
    );
  } finally {
    for (const end of ends.toReversed()) await end();
  }
}

function resultOf({ name, what, unit, target }: BenchRow, measured: number[]): BenchResult {
  const sorted = Float64Array.from(measured).sort();
  const value = percentile(sorted, 0.5)!;
  return {
    ...{ name, what, unit, value },
    ...{ low: sorted[0]!, high: sorted.at(-1)!, repeats: measured.length },
    target: target?.words ?? null,
    ratio: target === undefined ? null : ratioTo(target, value),
  };
}

function ratioTo({ atLeast, atMost }: Target, value: number): number | null {
  if (atLeast !== undefined) return value / atLeast;
  return atMost === undefined ? null : atMost / value;
}
