import type { MetricComparison } from "../../contracts/comparison.ts";
import { effectSize } from "../../stats/effect-size.ts";
import { holm } from "../../stats/holm.ts";
import { jointMeans } from "../../stats/joint-means.ts";
import { pairedTests } from "../../stats/paired-tests.ts";
import { detectableDifference, samplesToSeparate } from "../../stats/power.ts";
import { rankSpread } from "../../stats/rank-spread.ts";
import { tails } from "../../stats/tails.ts";
import { winRate } from "../../stats/win-rate.ts";
import { type CommonSamples, commonSamples, scoreAt } from "./common-samples.ts";
import type { ScoreTable } from "./score-table.ts";
import { tieGroups } from "./tie-groups.ts";
import { linearised, ratioOf, unitSums } from "./unit-sums.ts";

type Pair = MetricComparison["pairs"][number];

/** One metric of each run, over the same units. */
interface Measured {
  run: string;
  /** The metric over all common samples. */
  value: number;
  /** The metric in each resample; the same resample for every run. */
  draws: Float64Array;
  /** By unit, what is tested. */
  tested: number[];
  /** By sample, what wins are counted by. */
  scores: number[];
}

/**
 * Compares runs on one metric over the samples that all of them have: values, ranks and differences
 * from the same resamples, paired tests corrected by Holm over all pairs. Where samples share sources,
 * sources are resampled and tested, each weighing as many samples as it holds. Null when no sample is
 * common. O(resamples · units · runs + pairs · samples log samples).
 * Source: specification of statistics.
 * @example compareMetric(table, { id: "eqs", better: "higher" }, "seed")?.pairs[0]?.pHolm
 */
export function compareMetric(
  table: ScoreTable,
  { id, better }: { id: string; better: "higher" | "lower" },
  seed: string,
): MetricComparison | null {
  const common = commonSamples(table, id);
  const samples = common.ids.length;
  if (samples === 0) return null;
  const measured = measure(table, common, seed);
  const scale = common.units.count / samples;
  const pairs = corrected(pairsOf(measured, scale));
  return {
    ...{ metric: id, better, samples, units: common.units, pairs },
    standings: standings(measured, pairs, better),
  };
}

function measure(table: ScoreTable, common: CommonSamples, seed: string): Measured[] {
  const sums = unitSums(common);
  const draws = jointMeans(sums, seed);
  return table.runs.map(({ run }, i) => ({
    ...{ run, value: ratioOf(sums[i]!), draws: draws[i]!, tested: linearised(sums[i]!) },
    scores: common.ids.map((_, sample) => scoreAt(common.columns[i]!, sample)),
  }));
}

/** All pairs, not corrected yet; `scale` is units a sample. */
function pairsOf(measured: readonly Measured[], scale: number): Pair[] {
  return measured.flatMap((a, i) => measured.slice(i + 1).map((b) => pairOf(a, b, scale)));
}

function pairOf(a: Measured, b: Measured, scale: number): Pair {
  const { n, t, p, wilcoxon, wilcoxonP, cohensD, dz, ...test } = pairedTests(a.tested, b.tested);
  const separating = samplesToSeparate(test.sdDifference, test.meanDifference);
  return {
    ...{ a: a.run, b: b.run, t, p, pHolm: null, significantAt: null },
    difference: {
      value: a.value - b.value,
      interval: tails(a.draws.map((drawn, k) => drawn - b.draws[k]!)),
    },
    ...{ wilcoxon, wilcoxonP, wilcoxonPHolm: null, cohensD, dz },
    effectSize: cohensD === null ? null : effectSize(cohensD),
    winRate: winRate(a.scores, b.scores) ?? 0.5,
    detectableDifference: detectableDifference(test.sdDifference, n),
    // As samples, of which a unit holds 1 / scale on average.
    samplesToSeparate: separating === null ? null : Math.ceil(separating / scale),
  };
}

function corrected(pairs: readonly Pair[]): Pair[] {
  const p = holm(pairs.map((pair) => pair.p));
  const wilcoxonP = holm(pairs.map((pair) => pair.wilcoxonP));
  return pairs.map((pair, i) => {
    const pHolm = p[i] ?? null;
    return {
      ...{ ...pair, pHolm, wilcoxonPHolm: wilcoxonP[i] ?? null },
      significantAt: levelOf(pHolm),
    };
  });
}

function levelOf(p: number | null): 0.01 | 0.05 | null {
  if (p === null || p >= 0.05) return null;
  return p < 0.01 ? 0.01 : 0.05;
}

function standings(
  measured: readonly Measured[],
  pairs: readonly Pair[],
  better: "higher" | "lower",
): MetricComparison["standings"] {
  const sign = better === "higher" ? 1 : -1;
  const ranked = [...measured.keys()].sort(
    (a, b) => sign * (measured[b]!.value - measured[a]!.value) || a - b,
  );
  const spreads = rankSpread(measured.map(({ draws }) => draws.map((value) => sign * value)));
  const apart = new Set(
    pairs.flatMap(({ a, b, significantAt }) => (significantAt === null ? [] : [key(a, b)])),
  );
  const groups = tieGroups(ranked, (a, b) => {
    const [first, second] = [measured[Math.min(a, b)]!, measured[Math.max(a, b)]!];
    return apart.has(key(first.run, second.run));
  });
  return ranked.map((m) => ({
    ...{ run: measured[m]!.run, value: measured[m]!.value },
    interval: tails(measured[m]!.draws.slice()),
    ...{ rankInterval: spreads[m]!.interval, best: spreads[m]!.best, tieGroup: groups[m]! },
  }));
}

// Names may hold any character, as those of files do.
const key = (a: string, b: string) => JSON.stringify([a, b]);
