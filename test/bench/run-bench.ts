import { percentile } from "../../shared/stats/sums/percentile.ts";
import type { Bench, BenchResult, BenchRow, Settings, Target } from "./bench.ts";

/** Measures a bench: the median, lowest and highest of its repeats, row by row. */
export async function runBench(bench: Bench, settings: Settings): Promise<BenchResult[]> {
  const ends: (() => void | Promise<void>)[] = [];
  try {
    const measure = await bench.prepare(settings, (work) => ends.push(work));
    const repeats = Math.min(bench.repeats ?? Number.POSITIVE_INFINITY, settings.repeats);
    const warmUps = bench.repeats === undefined ? settings.warmUps : 0;
    for (let i = 0; i < warmUps; i++) await measure();
    const rounds: number[][] = [];
    for (let i = 0; i < repeats; i++) rounds.push(await measure());
    return bench.rows.map((row, k) =>
      resultOf(
        row,
        rounds.map((round) => round[k]!),
        settings.scale === 1,
      ),
    );
  } finally {
    for (const end of ends.toReversed()) await end();
  }
}

/** Targets are of full sizes: at others none is held. */
function resultOf(row: BenchRow, measured: number[], isFull: boolean): BenchResult {
  const { name, what, unit } = row;
  const target = isFull ? row.target : undefined;
  const sorted = Float64Array.from(measured).sort();
  const value = percentile(sorted, 0.5)!;
  return {
    name,
    what,
    unit,
    value,
    low: sorted[0]!,
    high: sorted.at(-1)!,
    repeats: measured.length,
    ...heldTo(target, value),
  };
}

/** What a value is held to, and how far it holds that. */
export const heldTo = (
  target: Target | undefined,
  value: number,
): Pick<BenchResult, "target" | "ratio" | "isPromised"> => ({
  target: target?.words ?? null,
  ratio: target === undefined ? null : ratioTo(target, value),
  isPromised: target !== undefined && target.isPromised !== false,
});

function ratioTo({ atLeast, atMost }: Target, value: number): number | null {
  if (atLeast !== undefined) return value / atLeast;
  if (atMost === 0) return value === 0 ? 1 : 0;
  return atMost === undefined ? null : atMost / value;
}
