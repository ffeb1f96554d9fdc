import type { BenchResult } from "../../shared/contracts/operator/bench-record.ts";
import { percentile } from "../../shared/stats/sums/percentile.ts";
import type { Bench, BenchRow, Measured, Measurement, Settings } from "./bench.ts";

/** Prepares a bench, warms it up, passes its round to `work` with the number of rounds, and cleans up. */
export async function withBench<T>(
  bench: Bench,
  settings: Settings,
  work: (measure: Measurement, repeats: number) => Promise<T>,
): Promise<T> {
  const ends: (() => void | Promise<void>)[] = [];
  try {
    const measure = await bench.prepare(settings, (end) => ends.push(end));
    const repeats = Math.min(bench.repeats ?? Number.POSITIVE_INFINITY, settings.repeats);
    const warmUps = bench.repeats === undefined ? settings.warmUps : 0;
    for (let i = 0; i < warmUps; i++) await measure();
    return await work(measure, repeats);
  } finally {
    for (const end of ends.toReversed()) await end();
  }
}

/** Measures a bench and returns the median of its rounds for each row. */
export const runBench = (bench: Bench, settings: Settings): Promise<BenchResult[]> =>
  withBench(bench, settings, async (measure, repeats) => {
    const rounds: Measured[][] = [];
    for (let i = 0; i < repeats; i++) rounds.push(await measure());
    return resultsOf(bench.rows, rounds, settings.scale === 1);
  });

/** Results of rounds. Targets apply only to full sizes. */
export const resultsOf = (
  rows: readonly BenchRow[],
  rounds: readonly (readonly Measured[])[],
  isFull: boolean,
): BenchResult[] =>
  rows.map((row, k) =>
    resultOf(
      row,
      rounds.map((round) => round[k]!),
      isFull,
    ),
  );

function resultOf(row: BenchRow, measured: readonly Measured[], isFull: boolean): BenchResult {
  const { name, what, unit } = row;
  const pairs = measured.filter((one) => typeof one !== "number");
  if (pairs.length !== (row.yardstick === undefined ? 0 : measured.length))
    throw new Error(`${name}: a row with a yardstick takes pairs, another takes numbers`);
  const values = measured.map((one) => (typeof one === "number" ? one : one.measured));
  const ratios = pairs.map((pair) => ratioOf(row, pair));
  const held = ratios.length === 0 ? values : ratios;
  const target = isFull ? row.target : undefined;
  return {
    name,
    what,
    unit,
    value: median(values),
    yardstick:
      row.yardstick === undefined
        ? null
        : { what: row.yardstick, value: median(pairs.map(({ yardstick }) => yardstick)) },
    ratio: ratios.length === 0 ? null : median(ratios),
    low: Math.min(...held),
    high: Math.max(...held),
    repeats: measured.length,
    target: target === undefined ? null : targetWords(row),
    isMet: target === undefined ? null : isMet(row, median(held)),
  };
}

const ratioOf = ({ target }: BenchRow, { measured, yardstick }: Exclude<Measured, number>) =>
  target !== undefined && "atLeast" in target ? yardstick / measured : measured / yardstick;

const isMet = ({ target }: BenchRow, value: number): boolean =>
  target === undefined || ("atLeast" in target ? value >= target.atLeast : value <= target.atMost);

/** A target in words: "≤ 2.2 ×" the yardstick, "≥ 10 ×" as fast, "≤ 64 MB". */
function targetWords({ target, unit, yardstick }: BenchRow): string | null {
  if (target === undefined) return null;
  const [sign, limit] = "atLeast" in target ? ["≥", target.atLeast] : ["≤", target.atMost];
  return `${sign} ${limit.toLocaleString("en")} ${yardstick === undefined ? unit : "×"}`.trim();
}

const median = (values: readonly number[]): number =>
  percentile(Float64Array.from(values).sort(), 0.5)!;
