import quantile from "@stdlib/stats-base-dists-t-quantile";
import { intervalOf } from "../../shared/measures/run-sums/interval-of.ts";
import { bootstrap, type Interval, resampleCount } from "../../shared/stats/bootstrap/bootstrap.ts";
import { jointMeans } from "../../shared/stats/bootstrap/joint-figures.ts";
import { percentileFigures, sumFigures } from "../../shared/stats/bootstrap/percentile-figures.ts";
import { rankSpread } from "../../shared/stats/bootstrap/rank-spread.ts";
import { combineStatistics, ratiosOf } from "../../shared/stats/bootstrap/statistics.ts";
import { rateDifferenceInterval } from "../../shared/stats/significance/rate-interval.ts";
import { percentileInterval } from "../../shared/stats/sums/percentile-interval.ts";
import { type Check, clamped, Draws } from "./check.ts";

const group = "95% intervals contain the true value";
const comparison = "other methods and hard cases, for comparison";
const SIMULATIONS = 2_000;
const SIZES = [15, 30, 60, 200] as const;

/** A distribution of scores with its true mean, and the minimum coverage by number of samples. */
interface Scores {
  name: string;
  truth: number;
  draw: (draws: Draws) => number;
  least: Partial<Record<(typeof SIZES)[number], number>>;
}

const usual = { 15: 0.92, 30: 0.92, 60: 0.94, 200: 0.93 };
const kinds: readonly Scores[] = [
  ...[0.5, 0.8, 0.95].map((rate) => ({
    name: `a rate of ${rate}`,
    truth: rate,
    draw: (draws: Draws) => Number(draws.isOne(rate)),
    least: usual,
  })),
  {
    name: "scores around 0.8, Beta(8, 2)",
    truth: 0.8,
    draw: (draws) => draws.beta(8, 2),
    least: usual,
  },
  {
    name: "scores around 0.33, Beta(2, 4)",
    truth: 1 / 3,
    draw: (draws) => draws.beta(2, 4),
    least: usual,
  },
  {
    name: "EQS-like scores, 10% of them 0 and 40% 1",
    truth: 0.4 + (0.5 * 4) / 6,
    draw: (draws) => {
      const place = draws.uniform();
      return place < 0.1 ? 0 : place < 0.5 ? 1 : draws.beta(4, 2);
    },
    least: { ...usual, 15: 0.9 },
  },
  {
    name: "MCS by its formula, 1% of the answers empty",
    truth: 0.99 * (0.3 * 0.65 + 0.25 * 0.75 + 0.15 * 0.9 + (0.3 * 2) / 3),
    draw: memoryScore,
    least: { ...usual, 15: 0.9 },
  },
  {
    name: "MCS-like scores, 5% of them 0 and the others from 0.40 on",
    truth: 0.95 * (0.4 + (0.6 * 3) / 5),
    draw: (draws) => (draws.isOne(0.05) ? 0 : 0.4 + 0.6 * draws.beta(3, 2)),
    // Half of all draws of 15 samples contain no 0, so they can't show the effect of such scores.
    least: { 15: 0.9, 30: 0.9, 60: 0.94, 200: 0.93 },
  },
];

/** A score of `memory`: the weighted sum of citation F1, with mass at 0 and 1, and the judged metrics. */
function memoryScore(draws: Draws): number {
  if (draws.isOne(0.01)) return 0;
  const place = draws.uniform();
  const f1 = place < 0.15 ? 0 : place < 0.5 ? 1 : draws.beta(3, 2);
  const judged = 0.25 * draws.beta(6, 2) + 0.15 * draws.beta(9, 1) + 0.1 * draws.beta(4, 2);
  return 0.3 * f1 + judged + 0.2 * draws.beta(8, 4);
}

const mean = ([sum = 0, count = 0]: Float64Array) => (count === 0 ? null : sum / count);

/** The interval of a mean as in a run's report; `unitOf`: the source of each sample. */
function meanInterval(
  scores: readonly number[],
  seed: string,
  { unitOf, ...resampling }: { unitOf?: number[]; resamples?: number } = {},
): Interval | null {
  const units = unitOf ?? scores.map((_, i) => i);
  const count = new Set(units).size;
  const [sums, sizes] = [new Float64Array(count), new Float64Array(count)];
  for (const [i, score] of scores.entries()) {
    sums[units[i]!]! += score;
    sizes[units[i]!]! += 1;
  }
  const value = scores.reduce((sum, one) => sum + one, 0) / scores.length;
  const figures = sumFigures([sums, sizes], ratiosOf([[0, 1]]));
  const [interval = null] = bootstrap(count, seed, [figures], resampling);
  const basis = {
    values: scores.map((score) => [score, 1]),
    unitOf: units,
    units: { kind: "samples" as const, count, strata: [count] },
  };
  return intervalOf(basis, "ratio", { value, statistic: mean, interval, n: scores.length });
}

/**
 * How often intervals contain the true value. `few`: scale of the simulations of few samples, which are quick.
 * `resamples` per interval: with fewer, the ends vary more, which few simulations do not show.
 */
export function* coverage(scale: number, few = scale, resamples = resampleCount): Generator<Check> {
  for (const kind of kinds) {
    for (const n of SIZES) {
      // Half as many simulations of many samples take as long as the others.
      const share = n > 60 ? scale / 2 : n < 30 ? few : scale;
      yield covered(`${kind.name}, n = ${n}`, kind.truth, share, kind.least[n]!, (draws, seed) =>
        meanInterval(
          draws.list(n, () => kind.draw(draws)),
          seed,
          { resamples },
        ),
      );
    }
  }
  yield covered("a rate of 0.7 over 20 sources of 5 samples", 4 / 6, scale, 0.92, (draws, seed) => {
    const rates = draws.list(20, () => draws.beta(4, 2));
    const unitOf = draws.list(100, (i) => Math.floor(i / 5));
    return meanInterval(
      unitOf.map((unit) => Number(draws.isOne(rates[unit]!))),
      seed,
      { unitOf, resamples },
    );
  });
  yield* rateDifferences(scale, few);
  for (const n of [15, 60]) yield* otherFigures(n, scale, resamples);
  yield* percentiles(scale, resamples);
  for (const n of [15, 60, 100]) {
    for (const skills of [
      [0.8, 0.77, 0.7],
      [0.75, 0.74, 0.73],
    ])
      yield ranks(n, skills, scale);
  }
}

/** Intervals of percentiles of times. */
function* percentiles(scale: number, resamples: number): Generator<Check> {
  for (const [name, share, quantile, n] of tails) {
    const what = `the ${name} of ${n} times`;
    yield covered(what, timeAt(quantile), scale, 0.93, (draws) =>
      percentileInterval(Float64Array.from(timesOf(n, draws)).sort(), share),
    );
  }
  for (const [name, share, quantile, count] of drawnTails) {
    const what = `the ${name} of times from ${count} sources of ${OF_SOURCE}`;
    yield covered(what, timeAt(quantile), count > 200 ? scale / 4 : scale, 0.9, (draws, seed) => {
      const times = sourcedTimes(count, draws);
      const figures = percentileFigures(times, count, [share]);
      return bootstrap(count, seed, [figures], { resamples })[0] ?? null;
    });
  }
}

/** Percentiles with the smallest number of times that allows an interval, and with more. */
const tails = [
  ["median", 0.5, 0, 6],
  ["median", 0.5, 0, 15],
  ["median", 0.5, 0, 60],
  ["95th percentile", 0.95, 1.6448536269514722, 72],
  ["95th percentile", 0.95, 1.6448536269514722, 200],
  ["99th percentile", 0.99, 2.3263478740408408, 368],
] as const;
const drawnTails = [
  ["median", 0.5, 0, 6],
  ["median", 0.5, 0, 15],
  ["95th percentile", 0.95, 1.6448536269514722, 120],
  ["95th percentile", 0.95, 1.6448536269514722, 200],
  ["99th percentile", 0.99, 2.3263478740408408, 600],
] as const;

/** Intervals of differences of two rates on the same samples. */
function* rateDifferences(scale: number, few: number): Generator<Check> {
  for (const [a, b] of [
    [0.95, 0.97],
    [0.8, 0.7],
  ] as const) {
    for (const n of SIZES) {
      const what = `the difference of rates of ${a} and ${b}, n = ${n}`;
      yield covered(what, a - b, n < 30 ? few : scale, usual[n], (draws) => {
        const hits = draws.list(n, () => Number(draws.isOne(a)) - Number(draws.isOne(b)));
        const lost = hits.filter((one) => one < 0).length;
        return rateDifferenceInterval({ hits, items: hits.map(() => 1) }, lost);
      });
    }
  }
}

/** Intervals of metrics that are not means of samples. */
function* otherFigures(n: number, scale: number, resamples: number): Generator<Check> {
  const least = n < 60 ? 0.92 : 0.94;
  const micro = `a ratio of sums over ${n} samples, as micro F1`;
  yield covered(micro, 0.8, scale, least, (draws, seed) => {
    const items = draws.list(n, () => 1 + Math.floor(10 * draws.uniform()));
    const hits = items.map(
      (count) => draws.list(count, () => draws.isOne(0.8)).filter(Boolean).length,
    );
    const columns = [Float64Array.from(hits), Float64Array.from(items)];
    const figures = sumFigures(columns, ratiosOf([[0, 1]]));
    return bootstrap(n, seed, [figures], { resamples })[0] ?? null;
  });
  const total = `a total of ${n} samples, as cost`;
  yield covered(total, n * Math.exp(0.125), scale, least, (draws, seed) => {
    const costs = Float64Array.from(draws.list(n, () => Math.exp(0.5 * draws.normal())));
    const sum = combineStatistics([(sums) => sums[0]!]);
    return bootstrap(n, seed, [sumFigures([costs], sum)], { resamples })[0] ?? null;
  });
}

/** A time at a quantile of the standard normal distribution. */
const timeAt = (quantile: number) => Math.exp(0.6 * quantile);

const timesOf = (n: number, draws: Draws): number[] => draws.list(n, () => timeAt(draws.normal()));

/** Times per source. */
const OF_SOURCE = 5;

/** Times whose logarithms have a correlation of 0.5 within a source. */
const sourcedTimes = (sources: number, draws: Draws) =>
  draws
    .list(sources, () => draws.normal())
    .flatMap((shared, unit) =>
      draws.list(OF_SOURCE, () => ({
        value: timeAt((shared + draws.normal()) * Math.SQRT1_2),
        unit,
      })),
    );

/** Other intervals of the same scores, and rates close to 1, for comparison and without bounds. */
export function* otherIntervals(scale: number): Generator<Check> {
  for (const n of [15, 60]) {
    const what = `Wilson's: a rate of 0.99, n = ${n}`;
    const { least: _, ...check } = covered(what, 0.99, scale / 2, 0, (draws, seed) =>
      meanInterval(
        draws.list(n, () => Number(draws.isOne(0.99))),
        seed,
      ),
    );
    yield { ...check, group: comparison };
  }
  for (const n of [15, 60]) {
    const what = `the difference where 5% of answers fail and the others are equal within 0.01, n = ${n}`;
    const { least: _, ...check } = covered(what, -0.05, scale / 2, 0, (draws, seed) =>
      meanInterval(
        draws.list(n, () => (draws.isOne(0.05) ? -1 : 0.01 * (draws.uniform() - 0.5))),
        seed,
      ),
    );
    yield { ...check, group: comparison };
  }
  const { least: _, ...few } = ranks(6, [0.75, 0.74, 0.73], scale);
  yield { ...few, group: comparison };
  const methods = { "Student's t": studentInterval, betting: bettingInterval };
  for (const kind of kinds.filter(({ name }) => !name.startsWith("a rate"))) {
    for (const n of [15, 60]) {
      for (const [method, of] of Object.entries(methods)) {
        const what = `${method}: ${kind.name}, n = ${n}`;
        const { least: _, ...check } = covered(what, kind.truth, scale / 2, 0, (draws) =>
          of(draws.list(n, () => kind.draw(draws))),
        );
        yield { ...check, group: comparison };
      }
    }
  }
}

function studentInterval(scores: readonly number[]): Interval {
  const n = scores.length;
  const centre = scores.reduce((sum, one) => sum + one / n, 0);
  const variance = scores.reduce((sum, one) => sum + (one - centre) ** 2 / (n - 1), 0);
  const reach = quantile(0.975, n - 1) * Math.sqrt(variance / n);
  return [centre - reach, centre + reach];
}

/** Candidates for the mean. */
const GRID = 400;

/**
 * The hedged betting interval of Waudby-Smith and Ramdas 2023 (Estimating means of bounded random variables by betting,
 * theorem 3 with predictable plug-in bets): the means against which neither the gambler on more nor the one on less has
 * reached 1 / 0.025 times the stake.
 */
function bettingInterval(scores: readonly number[]): Interval {
  const n = scores.length;
  const bets: number[] = [];
  let [sum, squares] = [0.5, 0.25];
  for (const [t, score] of scores.entries()) {
    bets.push(Math.sqrt((2 * Math.log(2 / 0.05)) / (n * (squares / (t + 1)))));
    sum += score;
    squares += (score - sum / (t + 2)) ** 2;
  }
  const isKept = (mean: number) => {
    let [more, less] = [1, 1];
    return scores.every((score, t) => {
      more *= 1 + Math.min(bets[t]!, 0.5 / mean) * (score - mean);
      less *= 1 - Math.min(bets[t]!, 0.5 / (1 - mean)) * (score - mean);
      return Math.max(more, less) / 2 < 1 / 0.05;
    });
  };
  const kept = Array.from({ length: GRID - 1 }, (_, i) => (i + 1) / GRID).filter(isKept);
  return [Math.min(...kept, 1) - 1 / GRID, Math.max(...kept, 0) + 1 / GRID];
}

function covered(
  what: string,
  truth: number,
  scale: number,
  least: number,
  make: (draws: Draws, seed: string) => Interval | null,
): Check {
  const draws = new Draws(what);
  const of = Math.ceil(SIMULATIONS * scale);
  let [happened, width] = [0, 0];
  for (let i = 0; i < of; i++) {
    const [low, high] = make(draws, `${what} ${i}`) ?? [Number.NaN, Number.NaN];
    if (low <= truth && truth <= high) happened++;
    width += (high - low) / of;
  }
  return { group, what, of, happened, least, width };
}

/** Rank intervals of three models with these skills and the true ranks 1, 2 and 3. */
function ranks(n: number, skills: readonly number[], scale: number): Check {
  const what = `the rank intervals of three models, skills ${skills.join(", ")}, n = ${n}`;
  const draws = new Draws(what);
  const of = Math.ceil((SIMULATIONS / 4) * scale);
  let [happened, width] = [0, 0];
  for (let i = 0; i < of; i++) {
    const samples = draws.list(n, () => 0.2 * draws.normal());
    const over = new Float64Array(n).fill(1);
    const models = skills.map((skill) => ({
      of: Float64Array.from(samples, (hard) => clamped(skill + hard + 0.2 * draws.normal())),
      over,
    }));
    const spreads = rankSpread(jointMeans(models, `${what} ${i}`));
    const contained = spreads.filter(
      ({ interval: [low, high] }, rank) => low <= rank + 1 && rank + 1 <= high,
    );
    happened += contained.length;
    width += spreads.reduce((sum, { interval: [low, high] }) => sum + (high - low) / 3, 0) / of;
  }
  return { group, what, of: 3 * of, happened, least: 0.92, width };
}
