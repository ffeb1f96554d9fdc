import type { Estimate } from "../../contracts/metric.ts";
import { bootstrap } from "../../stats/bootstrap/bootstrap.ts";
import { sumFigures } from "../../stats/bootstrap/percentile-figures.ts";
import { ratiosOf } from "../../stats/bootstrap/statistics.ts";
import { rateInterval } from "../../stats/significance/rate-interval.ts";
import { shareInterval } from "../run-sums/interval-of.ts";
import { passPowers } from "./pass-metrics.ts";
import { type PassTally, passesByUnit, type SamplePasses } from "./pass-tally.ts";

/** A sample's value, 0–1; null if it has too few repeats. */
type OfSample = (sample: SamplePasses) => number | null;

const ofRepeated =
  (holds: (sample: SamplePasses) => boolean): OfSample =>
  (sample) =>
    sample.repeats < 2 ? null : +holds(sample);

/** By metric id: means over samples. */
const means: Readonly<Record<string, OfSample>> = {
  passRate: ({ passed, repeats }) => passed / repeats,
  ...Object.fromEntries(
    passPowers.map((k): [string, OfSample] => [`pass${k}`, (sample) => passPower(sample, k)]),
  ),
  alwaysPasses: ofRepeated(({ passed, repeats }) => passed === repeats),
  sometimesPasses: ofRepeated(({ passed, repeats }) => passed > 0 && passed < repeats),
  neverPasses: ofRepeated(({ passed }) => passed === 0),
};

/**
 * Unbiased estimate of the probability that k repeats of a sample all pass: C(passed, k) / C(repeats, k). Null below k
 * repeats.
 * Source: Yao et al. 2024, τ-bench, arXiv 2406.12045.
 * @example passPower({ passed: 3, repeats: 4 }, 2) // 0.5
 */
export function passPower({ passed, repeats }: SamplePasses, k: number): number | null {
  if (repeats < k) return null;
  let chance = 1;
  for (let i = 0; i < k; i++) chance *= Math.max(0, passed - i) / (repeats - i);
  return chance;
}

/**
 * Pass rates of a run by metric id with 95% intervals: Wilson's for shares of samples, bootstrap intervals for means of
 * pass probabilities. Coverage is the share of `wanted` samples with a score and enough repeats, at most `answered`,
 * the run's share of answers. Empty without a tally. O(resamples · samples).
 * Source: docs/spec/statistics.md, bootstrap interval; Yao et al. 2024 (pass^k).
 * @example passFigures(tally, "run-1", 40)["passRate"] // { value, interval, n, coverage }
 */
export function passFigures(
  tally: PassTally | null,
  seed: string,
  wanted: number,
  answered = 1,
): Record<string, Estimate> {
  if (tally === null) return {};
  // Failed answers count as not passed, but are not covered.
  const coverageOf = (n: number) => Math.min(answered, n / Math.max(1, wanted));
  const units = passesByUnit(tally);
  const ids = Object.keys(means);
  const values = Object.values(means).map((of) =>
    units.map((samples) => samples.flatMap((sample) => of(sample) ?? [])),
  );
  const sums = values.map((known) => Float64Array.from(known, sumOf));
  const counts = values.map((known) => Float64Array.from(known, ({ length }) => length));
  const areShares = values.map((known) => known.flat().every((one) => one === 0 || one === 1));
  const ratios = ratiosOf(ids.map((_, k) => [k, ids.length + k] as const));
  // Most runs have no repeats, so all figures are shares and need no resamples.
  const drawn = areShares.includes(false)
    ? bootstrap(units.length, seed, [sumFigures([...sums, ...counts], ratios)])
    : [];
  const figures = ids.map((id, k) => {
    const n = sumOf(counts[k]!);
    const value = n === 0 ? null : sumOf(sums[k]!) / n;
    const interval = areShares[k]
      ? rateInterval({ hits: sums[k]!, items: counts[k]! })
      : shareInterval(drawn[k] ?? null, value, counts[k]!.filter((count) => count > 0).length);
    return [id, { value, interval, n, coverage: coverageOf(n) }] as const;
  });
  const repeated = units.flat().filter(({ repeats }) => repeats > 1);
  const lowest = {
    value: repeated.reduce<number | null>(
      (least, { passed, repeats }) => Math.min(least ?? 1, passed / repeats),
      null,
    ),
    interval: null,
    n: repeated.length,
    coverage: coverageOf(repeated.length),
  };
  return { ...Object.fromEntries(figures), lowestPassShare: lowest };
}

function sumOf(values: Iterable<number>): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}
