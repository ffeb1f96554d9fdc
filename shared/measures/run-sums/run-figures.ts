import { z } from "zod";
import type { Estimate, Estimates, Metric } from "../../contracts/metric.ts";
import type { Prices } from "../../contracts/submissions/prices.ts";
import type { RunFacts, TagFigure } from "../../contracts/suite.ts";
import { bootstrap, type Interval, partResamples } from "../../stats/bootstrap/bootstrap.ts";
import { sumFigures } from "../../stats/bootstrap/percentile-figures.ts";
import { combineStatistics, type Statistic } from "../../stats/bootstrap/statistics.ts";
import { eachSum } from "../../stats/sums/compensated-sum.ts";
import { crowdsOf, membersOf } from "../../stats/sums/families.ts";
import { passFigures } from "../passes/pass-figures.ts";
import { type PerformanceFigure, performanceFigures } from "../performance/performance.ts";
import { tokenCostUsd } from "../performance/token-cost.ts";
import { fewestSamples } from "../report/figures/part-interval.ts";
import { tagsSchema } from "./breakdown.ts";
import { intervalOf, shareInterval, uncertain } from "./interval-of.ts";
import type { RunBasis } from "./run-basis.ts";
import type { PartSums, RunState } from "./run-state.ts";

/**
 * All figures computed from sums, with their 95% intervals, the performance of a run and its pass rates, by metric id.
 * Coverage is the share of samples that were answered and scored; for performance figures, the share that was
 * measured. `sampleCounts` computes a metric's number of samples from the sums, for metrics that not all samples
 * have. O(resamples · samples).
 * Source: docs/spec/statistics.md, bootstrap interval; docs/spec/extraction.md, section 10.
 * @example runFigures(state, basis, figures, catalogue, run)["f1"] // { value, interval, n, coverage }
 */
export function runFigures(
  state: RunState,
  basis: RunBasis,
  figures: Readonly<Record<string, Statistic>>,
  catalogue: readonly Metric[],
  { runId, wallMs, prices }: Pick<RunFacts<unknown>, "runId" | "wallMs" | "prices">,
  sampleCounts: Readonly<Record<string, Statistic>> = {},
): Record<string, Estimate> {
  const whole = Math.max(1, basis.answers + state.answers.unscored);
  const coverage = Math.min(1, state.answers.covered / whole);
  const drawn = intervalsOf(basis, figures, prices, runId);
  const sums = sumsOf(basis.columns);
  const unitOf = new Map(catalogue.map(({ id, unit }) => [id, unit]));
  const scores = Object.entries(figures).map(([id, statistic]) => {
    const value = basis.samples === 0 ? null : statistic(sums);
    const n = Math.round(sampleCounts[id]?.(sums) ?? basis.samples);
    const its = { value, statistic, interval: drawn[id] ?? null, n };
    const interval = intervalOf(basis, unitOf.get(id) ?? "count", its);
    return [id, { value, interval, n, coverage }] as const;
  });
  const performance = Object.entries(
    performanceFigures(state.calls, basis.distributions, wallMs, prices, basis.effects),
  ).map(([id, { value, n, interval = null }]: [string, PerformanceFigure]) => {
    const its = uncertain(drawn[id] ?? interval, n);
    return [id, { value, interval: its, n, coverage: Math.min(1, n / whole) }] as const;
  });
  const repeats = basis.answers / Math.max(1, basis.samples);
  return {
    ...passFigures(state.passes, runId, Math.round(whole / repeats), coverage),
    ...Object.fromEntries([...performance, ...scores]),
  };
}

/** An estimate of an unmeasured metric. */
export const noEstimate: Estimate = { value: null, interval: null, n: 0, coverage: 0 };

/**
 * An estimate for every metric of a catalogue, in its order; `noEstimate` for unmeasured ones.
 * @example estimatesOf(catalogue, {})["f1"] // noEstimate
 */
export const estimatesOf = (
  catalogue: readonly Metric[],
  measured: Estimates,
): Record<string, Estimate> =>
  Object.fromEntries(catalogue.map(({ id }) => [id, measured[id] ?? noEstimate]));

function intervalsOf(
  { columns, units, calls, tokens }: RunBasis,
  figures: Readonly<Record<string, Statistic>>,
  prices: Prices | null,
  seed: string,
): Record<string, Interval | null> {
  const scores = sumFigures(columns, combineStatistics(Object.values(figures)));
  const { count, strata } = units;
  const cost = prices && tokens ? [sumFigures(tokens, combineStatistics([costPer1k(prices)]))] : [];
  const groups = [scores, ...calls.drawn.figures, ...cost];
  const intervals = bootstrap(count, seed, groups, { strata });
  const ids = [...Object.keys(figures), ...calls.drawn.ids, ...cost.map(() => "costPer1kUsd")];
  const drawn = Object.fromEntries(ids.map((id, k) => [id, intervals[k] ?? null]));
  return { ...drawn, ...calls.known };
}

const costPer1k =
  (prices: Prices): Statistic =>
  ([input = 0, output = 0, cached = 0, audio = 0, reasoning = 0, n = 0]) =>
    n === 0 ? null : (1000 * tokenCostUsd(input, output, prices, { cached, audio, reasoning })) / n;

/** A part of a run with its figures. */
export interface PartFigures {
  name: string;
  /** Number of answers with the part. */
  n: number;
  figures: Record<string, { value: number; interval: Interval | null }>;
}

/**
 * The parts of a family, such as topics, by name, with their measurable figures and intervals from 2,000 resamples of
 * up to 128 random groups of samples. `figures` are by id; those in `totals` are not shares, even if they are below 1.
 * @example partFigures(state, "topic", { f1 }, "run-1")[0]?.figures["f1"]
 */
export function partFigures(
  { parts, rows }: RunState,
  family: string,
  figures: Readonly<Record<string, Statistic>>,
  seed: string,
  totals: readonly string[] = [],
): PartFigures[] {
  const ids = Object.keys(figures);
  const repeats = rows.length / Math.max(1, new Set(rows.map(({ id }) => id)).size);
  return membersOf(parts)
    .filter((member) => member.family === family)
    .map(({ name, entry }) => {
      const columns = columnsOf(entry);
      const sums = sumsOf(columns);
      const statistics = Object.values(figures);
      const intervals = bootstrap(
        columns[0]?.length ?? 0,
        `${seed} ${family} ${name}`,
        [sumFigures(columns, combineStatistics(statistics))],
        { resamples: partResamples },
      );
      const measured = ids.flatMap((id, k) => {
        const value = statistics[k]!(sums);
        if (value === null) return [];
        const [drawn, units] = [intervals[k] ?? null, columns[0]?.length ?? 0];
        const isShare = value >= 0 && value <= 1 && !totals.includes(id);
        const own = isShare ? shareInterval(drawn, value, units) : uncertain(drawn, units);
        // Reports hide intervals of small parts by their number of answers, but repeats are not additional samples.
        const interval = repeats > 1 && entry.answers / repeats < fewestSamples ? null : own;
        return [[id, { value, interval }] as const];
      });
      return { name, n: entry.answers, figures: Object.fromEntries(measured) };
    });
}

/**
 * The parts of a family with the sums of their columns, by name.
 * @example partSums(state, "function")[0]?.sums // Float64Array
 */
export function partSums({ parts }: RunState, family: string) {
  return membersOf(parts)
    .filter((member) => member.family === family)
    .map(({ name, entry }) => ({
      name,
      n: entry.answers,
      sums: sumsOf(columnsOf(entry)),
    }));
}

/** By column: the sums of each group of samples. */
function columnsOf({ columns, width }: PartSums): Float64Array[] {
  const groups = Object.values(columns).map(eachSum);
  return Array.from({ length: width }, (_, k) =>
    Float64Array.from(groups, (values) => values[k] ?? 0),
  );
}

const sumsOf = (columns: readonly Float64Array[]): Float64Array =>
  Float64Array.from(columns, (column) => column.reduce((a, b) => a + b, 0));

/**
 * Families whose parts are counted separately, by name.
 * @example partFamilies(state) // ["tag domain", "topic"]
 */
function partFamilies({ parts }: RunState): string[] {
  return [...new Set(membersOf(parts).map(({ family }) => family))];
}

/**
 * The values of the samples' tags with their figures, except the tags in `without`; `totals` as in `partFigures`.
 * @example tagParts(state, { f1 }, "run-1")[0]?.tag // "domain"
 */
export const tagParts = (
  state: RunState,
  figures: Readonly<Record<string, Statistic>>,
  seed: string,
  without: readonly string[] = [],
  totals: readonly string[] = [],
): (PartFigures & { tag: string })[] =>
  partFamilies(state).flatMap((family) => {
    const tag = family.replace(/^tag /, "");
    if (tag === family || without.includes(tag)) return [];
    return partFigures(state, family, figures, seed, totals).map((part) => ({ tag, ...part }));
  });

/**
 * Families with too many names to count separately, with their numbers of answers.
 * @example crowdedFamilies(state) // [{ family: "tag id", moreThan: 200, answers: 512 }]
 */
export function crowdedFamilies({ parts }: RunState) {
  return crowdsOf(parts).map(({ family, moreThan, entry }) => ({
    family,
    moreThan,
    answers: entry.answers,
  }));
}

const taggedSchema = z.object({ tags: tagsSchema });

/**
 * The headline by tag, from a breakdown with `tags`; omits values over which it was not measured. Empty if the
 * breakdown is null or has no such table. Linear.
 * Source: docs/spec/statistics.md, bootstrap interval.
 * @example tagFigures(breakdown, "overall")[0]?.headline.value // 0–1
 */
export function tagFigures(breakdown: unknown, headline: string): TagFigure[] {
  const read = taggedSchema.safeParse(breakdown);
  return read.success ? headlineFigures(read.data.tags, headline) : [];
}

/** A part of a run with its figures by metric id. */
type TaggedPart = z.infer<typeof tagsSchema>[number];

/**
 * The headline of parts of a run; omits those over which it was not measured. Linear.
 * @example headlineFigures([{ tag: "topic", name: "hobby", n: 3, figures: {} }], "f1") // []
 */
export function headlineFigures(parts: readonly TaggedPart[], headline: string): TagFigure[] {
  return parts.flatMap(({ tag, name, n, figures }) => {
    const figure = figures[headline];
    return figure === undefined ? [] : [{ tag, name, n, headline: figure }];
  });
}
