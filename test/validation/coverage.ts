import { intervalOf } from "../../shared/measures/run-sums/interval-of.ts";
import { bootstrap, type Interval } from "../../shared/stats/bootstrap/bootstrap.ts";
import { jointMeans } from "../../shared/stats/bootstrap/joint-figures.ts";
import { percentileFigures, sumFigures } from "../../shared/stats/bootstrap/percentile-figures.ts";
import { rankSpread } from "../../shared/stats/bootstrap/rank-spread.ts";
import { combineStatistics, ratiosOf } from "../../shared/stats/bootstrap/statistics.ts";
import { type Check, clamped, Draws } from "./check.ts";

const group = "95% intervals contain the true value";
const SIMULATIONS = 2_000;
const SIZES = [15, 30, 60, 200] as const;

/** Scores of one kind: a draw, its true mean, and the least coverage by number of samples. */
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
];

const mean = ([sum = 0, count = 0]: Float64Array) => (count === 0 ? null : sum / count);

/** The interval of a mean as a run's report has it; `unitOf`: the source of each sample. */
function meanInterval(scores: readonly number[], seed: string, unitOf?: number[]): Interval | null {
  const units = unitOf ?? scores.map((_, i) => i);
  const count = new Set(units).size;
  const [sums, sizes] = [new Float64Array(count), new Float64Array(count)];
  for (const [i, score] of scores.entries()) {
    sums[units[i]!]! += score;
    sizes[units[i]!]! += 1;
  }
  const value = scores.reduce((sum, one) => sum + one, 0) / scores.length;
  const figures = sumFigures([sums, sizes], ratiosOf([[0, 1]]));
  const [interval = null] = bootstrap(count, seed, [figures]);
  const basis = {
    values: scores.map((score) => [score, 1]),
    unitOf: units,
    units: { kind: "samples" as const, count, strata: [count] },
  };
  return intervalOf(basis, "ratio", { value, statistic: mean, interval, n: scores.length });
}

/** How often intervals contain what they estimate. */
export function* coverage(scale: number): Generator<Check> {
  for (const kind of kinds) {
    for (const n of SIZES) {
      // A thousand of many samples take as long as the others.
      const share = n > 60 ? scale / 2 : scale;
      yield covered(`${kind.name}, n = ${n}`, kind.truth, share, kind.least[n]!, (draws, seed) =>
        meanInterval(
          draws.list(n, () => kind.draw(draws)),
          seed,
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
      unitOf,
    );
  });
  yield covered("a ratio of sums over 60 samples, as micro F1", 0.8, scale, 0.92, (draws, seed) => {
    const items = draws.list(60, () => 1 + Math.floor(10 * draws.uniform()));
    const hits = items.map(
      (count) => draws.list(count, () => draws.isOne(0.8)).filter(Boolean).length,
    );
    const columns = [Float64Array.from(hits), Float64Array.from(items)];
    return bootstrap(60, seed, [sumFigures(columns, ratiosOf([[0, 1]]))])[0] ?? null;
  });
  yield covered(
    "a total of 60 samples, as cost",
    60 * Math.exp(0.125),
    scale,
    0.92,
    (draws, seed) => {
      const costs = Float64Array.from(draws.list(60, () => Math.exp(0.5 * draws.normal())));
      const total = combineStatistics([(sums) => sums[0]!]);
      return bootstrap(60, seed, [sumFigures([costs], total)])[0] ?? null;
    },
  );
  for (const [share, n, quantile] of [
    [0.5, 60, 0],
    [0.95, 200, 1.6448536269514722],
  ] as const) {
    const what = `the ${share === 0.5 ? "median" : "95th percentile"} of ${n} times`;
    yield covered(what, Math.exp(0.6 * quantile), scale, 0.91, (draws, seed) => {
      const times = draws.list(n, (unit) => ({ value: Math.exp(0.6 * draws.normal()), unit }));
      return bootstrap(n, seed, [percentileFigures(times, n, [share])])[0] ?? null;
    });
  }
  yield ranks(scale);
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

/** Three models on 100 samples; their true ranks are 1, 2 and 3. */
function ranks(scale: number): Check {
  const what = "the rank intervals of three models on 100 samples";
  const draws = new Draws(what);
  const of = Math.ceil((SIMULATIONS / 4) * scale);
  let [happened, width] = [0, 0];
  for (let i = 0; i < of; i++) {
    const samples = draws.list(100, () => 0.2 * draws.normal());
    const over = new Float64Array(100).fill(1);
    const models = [0.8, 0.77, 0.7].map((skill) => ({
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
