import type { MetricComparison } from "../../contracts/comparison.ts";
import type { RunScores } from "../../contracts/run-scores.ts";
import { intervalOf } from "../../stats/bootstrap.ts";
import { effectSize } from "../../stats/effect-size.ts";
import { holm } from "../../stats/holm.ts";
import { jointMeans } from "../../stats/joint-means.ts";
import { mean } from "../../stats/moments.ts";
import { pairedTests } from "../../stats/paired-tests.ts";
import { detectableDifference, samplesToSeparate } from "../../stats/power.ts";
import { rankSpread } from "../../stats/rank-spread.ts";
import { winRate } from "../../stats/win-rate.ts";
import { type CommonSamples, commonSamples } from "./common-samples.ts";
import { tieGroups } from "./tie-groups.ts";

/** A run with its scores. */
export interface ScoredRun {
  run: string;
  scores: RunScores;
}

type Pair = MetricComparison["pairs"][number];

/**
 * Compares runs on one metric over the samples that all of them have: means, ranks and differences
 * from the same resamples, paired tests corrected by Holm over all pairs. Where samples share sources,
 * sources are resampled and tested, each weighing as many samples as it holds. Null when no sample is
 * common. O(resamples · units · runs + pairs · samples log samples).
 * Source: specification of statistics.
 * @example compareMetric([a, b], { id: "eqs", better: "higher" }, "seed")?.pairs[0]?.pHolm
 */
export function compareMetric(
  runs: readonly ScoredRun[],
  { id, better }: { id: string; better: "higher" | "lower" },
  seed: string,
): MetricComparison | null {
  const common = commonSamples(
    runs.map(({ scores }) => scores),
    id,
  );
  const samples = common.ids.length;
  if (samples === 0) return null;
  const { columns, sizes } = byUnit(common);
  const draws = jointMeans(columns, sizes, seed);
  const names = runs.map(({ run }) => run);
  const tested = tests(names, common, columns, draws);
  const pairs = corrected(tested);
  return {
    ...{ metric: id, better, samples, units: common.units, pairs },
    standings: standings(names, common, draws, pairs, better),
  };
}

/** Sums over each unit, and how many samples it holds. */
function byUnit({ scores, unitOf, units }: CommonSamples) {
  const sizes = new Float64Array(units.count);
  for (const unit of unitOf) sizes[unit]! += 1;
  const columns = scores.map((run) => {
    const column = new Float64Array(units.count);
    run.forEach((score, i) => {
      column[unitOf[i]!]! += score;
    });
    return column;
  });
  return { columns, sizes };
}

/** All pairs, not corrected yet. The mean over units of `sum · units / samples` is that over samples. */
function tests(
  names: readonly string[],
  { scores, ids, units }: CommonSamples,
  columns: readonly Float64Array[],
  draws: readonly Float64Array[],
): Pair[] {
  const scale = units.count / ids.length;
  const tested = columns.map((column) => Array.from(column, (sum) => sum * scale));
  return names.flatMap((a, i) =>
    names.slice(i + 1).map((b, offset): Pair => {
      const j = i + 1 + offset;
      const test = pairedTests(tested[i]!, tested[j]!);
      return {
        ...{ a, b, t: test.t, p: test.p, pHolm: null, dz: test.dz },
        difference: {
          value: mean(scores[i]!) - mean(scores[j]!),
          interval: intervalOf(draws[i]!.map((drawn, k) => drawn - draws[j]![k]!)),
        },
        ...{ wilcoxon: test.wilcoxon, wilcoxonP: test.wilcoxonP, wilcoxonPHolm: null },
        ...{ cohensD: test.cohensD, significantAt: null },
        effectSize: test.cohensD === null ? null : effectSize(test.cohensD),
        winRate: winRate(scores[i]!, scores[j]!) ?? 0.5,
        detectableDifference: detectableDifference(test.sdDifference, units.count),
        samplesToSeparate: toSamples(
          samplesToSeparate(test.sdDifference, test.meanDifference),
          scale,
        ),
      };
    }),
  );
}

/** Units as samples, of which each holds 1 / `scale` on average. */
const toSamples = (units: number | null, scale: number) =>
  units === null ? null : Math.ceil(units / scale);

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
  names: readonly string[],
  { scores }: CommonSamples,
  draws: readonly Float64Array[],
  pairs: readonly Pair[],
  better: "higher" | "lower",
): MetricComparison["standings"] {
  const sign = better === "higher" ? 1 : -1;
  const means = scores.map(mean);
  const ranked = [...means.keys()].sort((a, b) => sign * (means[b]! - means[a]!) || a - b);
  const spreads = rankSpread(draws.map((drawn) => drawn.map((value) => sign * value)));
  const apart = new Set(
    pairs.flatMap(({ a, b, significantAt }) => (significantAt === null ? [] : [key(a, b)])),
  );
  const groups = tieGroups(ranked, (a, b) => {
    const [first, second] = [names[Math.min(a, b)]!, names[Math.max(a, b)]!];
    return apart.has(key(first, second));
  });
  return ranked.map((m) => ({
    ...{ run: names[m]!, mean: means[m]!, interval: intervalOf(draws[m]!.slice()) },
    ...{ rankInterval: spreads[m]!.interval, best: spreads[m]!.best, tieGroup: groups[m]! },
  }));
}

const key = (a: string, b: string) => `${a} ${b}`;
