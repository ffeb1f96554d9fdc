import { levelOf, tieGroups } from "#shared/measures/comparison/tie-groups.ts";
import { bootstrapMean } from "#shared/stats/bootstrap/bootstrap-mean.ts";
import { jointMeans } from "#shared/stats/bootstrap/joint-figures.ts";
import { type RankSpread, rankSpread } from "#shared/stats/bootstrap/rank-spread.ts";
import { holm } from "#shared/stats/significance/holm.ts";
import { effectSize } from "#shared/stats/significance/moments.ts";
import { pairedTests } from "#shared/stats/significance/paired-tests.ts";
import { detectableDifference, samplesToSeparate } from "#shared/stats/significance/power.ts";
import { winRate } from "#shared/stats/significance/wilson-interval.ts";

const seed = "worked-example";

/** Invented scores on twelve samples, the best model first: hard samples are hard for all. */
const invented = [
  { name: "A", scores: [0.95, 0.9, 0.4, 1, 0.75, 0.3, 0.85, 0.6, 0.95, 0.5, 0.8, 0.7] },
  { name: "B", scores: [0.85, 0.8, 0.4, 0.9, 0.6, 0.35, 0.75, 0.45, 0.95, 0.4, 0.7, 0.6] },
  { name: "C", scores: [0.8, 0.85, 0.4, 0.85, 0.7, 0.3, 0.65, 0.55, 0.85, 0.3, 0.75, 0.6] },
];

/** Results for these scores, by the same functions as every published number. */
export function statisticsExample() {
  const over = new Float64Array(12).fill(1);
  const ratios = invented.map(({ scores }) => ({ of: Float64Array.from(scores), over }));
  const ranks = rankSpread(jointMeans(ratios, seed));
  const pairs = examplePairs();
  const differ = (a: number, b: number) =>
    pairs.some(({ of, pHolm }) => of.includes(a) && of.includes(b) && levelOf(pHolm) !== null);
  const groups = tieGroups([0, 1, 2], differ);
  const models = invented.map((model, i) => ({
    ...model,
    mean: model.scores.reduce((sum, score) => sum + score, 0) / model.scores.length,
    interval: bootstrapMean(model.scores, seed),
    rank: ranks[i] as RankSpread,
    tieGroup: groups[i] as number,
  }));
  return { models, pairs };
}

function examplePairs() {
  const places: [number, number][] = [
    [0, 1],
    [0, 2],
    [1, 2],
  ];
  const tested = places.map((of) => {
    const [a, b] = of.map((place) => invented[place]?.scores ?? []) as [number[], number[]];
    const tests = pairedTests(a, b);
    return {
      /** Indexes of both models. */
      of,
      ...tests,
      winRate: winRate(a, b),
      effectSize: effectSize(tests.cohensD ?? 0),
      name: of.map((place) => invented[place]?.name).join(" − "),
      interval: bootstrapMean(
        a.map((score, i) => score - (b[i] ?? 0)),
        seed,
      ),
      detectable: detectableDifference(tests.sdDifference, tests.n),
      toSeparate: samplesToSeparate(tests.sdDifference, tests.meanDifference),
    };
  });
  const corrected = holm(tested.map(({ p }) => p));
  return tested.map((pair, i) => ({ ...pair, pHolm: corrected[i] ?? null }));
}
