import type { Estimate } from "../../contracts/metric.ts";
import { bootstrap, type Interval } from "../../stats/bootstrap/bootstrap.ts";
import { sumFigures } from "../../stats/bootstrap/percentile-figures.ts";
import { ratiosOf } from "../../stats/bootstrap/statistics.ts";
import { equalInterval, rateInterval } from "../../stats/significance/rate-interval.ts";
import { passPowers } from "./pass-metrics.ts";
import { type PassTally, passesByUnit, type SamplePasses } from "./pass-tally.ts";

/** The value of a sample, 0–1; null if it has too few repeats. */
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
 * The chance that k repeats of a sample all pass, without bias: C(passed, k) / C(repeats, k). Null below k repeats.
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
 * Pass rates of a run with their 95% intervals, by metric id: Wilson's for shares of samples, of the bootstrap for
 * means of chances. Coverage is the share of `wanted` samples that have a score and enough repeats. Empty without a
 * tally. O(resamples · samples).
 * Source: docs/spec/statistics.md, bootstrap interval; Yao et al. 2024 (pass^k).
 * @example passFigures(tally, "run-1", 40)["passRate"] // { value, interval, n, coverage }
 */
export function passFigures(
  tally: PassTally | null,
  seed: string,
  wanted: number,
): Record<string, Estimate> {
  if (tally === null) return {};
  const units = passesByUnit(tally);
  const figures = Object.entries(means).map(([id, of]) => {
    const { n, estimate } = meanOf(units, of, `${seed} ${id}`);
    return [id, { ...estimate, n, coverage: Math.min(1, n / Math.max(1, wanted)) }] as const;
  });
  const repeated = units.flat().filter(({ repeats }) => repeats > 1);
  const lowest = {
    value: repeated.reduce<number | null>(
      (least, { passed, repeats }) => Math.min(least ?? 1, passed / repeats),
      null,
    ),
    interval: null,
    n: repeated.length,
    coverage: Math.min(1, repeated.length / Math.max(1, wanted)),
  };
  return { ...Object.fromEntries(figures), lowestPassShare: lowest };
}

function meanOf(units: readonly SamplePasses[][], of: OfSample, seed: string) {
  const known = units.map((samples) => samples.flatMap((sample) => of(sample) ?? []));
  const sums = Float64Array.from(known, (values) => values.reduce((sum, one) => sum + one, 0));
  const counts = Float64Array.from(known, ({ length }) => length);
  const n = counts.reduce((sum, one) => sum + one, 0);
  if (n === 0) return { n, estimate: { value: null, interval: null } };
  const value = sums.reduce((sum, one) => sum + one, 0) / n;
  return { n, estimate: { value, interval: intervalOf(known, sums, counts, value, seed) } };
}

/** Of a share of samples Wilson's; of equal values that of equal values; else that of the resamples. */
function intervalOf(
  known: readonly number[][],
  sums: Float64Array,
  counts: Float64Array,
  value: number,
  seed: string,
): Interval | null {
  const values = known.flat();
  if (values.every((one) => one === 0 || one === 1)) {
    return rateInterval({ hits: sums, items: counts });
  }
  if (values.every((one) => one === values[0])) {
    const measured = counts.filter((count) => count > 0).length;
    return equalInterval(value, measured, [0, 1]);
  }
  return bootstrap(known.length, seed, [sumFigures([sums, counts], ratiosOf([[0, 1]]))])[0] ?? null;
}
