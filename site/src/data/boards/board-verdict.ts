import type { Comparison } from "#shared/contracts/boards/comparison.ts";
import type { Leaderboard } from "#shared/contracts/boards/leaderboard.ts";
import type { Metric } from "#shared/contracts/metric.ts";
import {
  type Verdict,
  type VerdictRun,
  verdictOf,
} from "#shared/measures/comparison/words/verdict.ts";
import { scoreText } from "../../format/number.ts";
import { costMetric, latencyMetric } from "../../report/shown-run.ts";
import type { LatencyLoad } from "../runs/latency-load.ts";

type RankedBoard = Pick<Leaderboard, "headline" | "entries" | "tests" | "comparedSamples">;

interface Tested {
  comparison: Comparison | null | undefined;
  load: LatencyLoad;
  about?: string;
}

/**
 * The verdict of a board on its first models, or on the run `about` and the first. Order, significance and the chance
 * to be first come from the board and all its models; differences come from the comparison. An answer that was not
 * submitted counts as 0 on the board but is not compared: then differences are those of the board's scores, without
 * intervals. For a single model: its score. Null without models, and for several without a comparison. `metric`: the
 * board's headline.
 */
export function boardVerdict(
  { headline, entries, tests, comparedSamples }: RankedBoard,
  metric: Metric,
  { comparison, load, about }: Tested,
): Verdict | null {
  const [only, ...others] = entries.filter(({ rank }) => rank !== null);
  if (only && others.length === 0) {
    const rest = [`${scoreText(metric, only.headline)}. There is nothing to compare it with yet.`];
    return { lead: `${only.model.name} is the only ranked model.`, rest };
  }
  const tested = comparison?.metrics.find((one) => one.metric === headline);
  if (tested === undefined || tests === null) return null;
  const places = new Map(entries.map(({ run }, place) => [run, place]));
  const placeOf = (run: string) => places.get(run) ?? Infinity;
  const isSame = tested.samples >= (comparedSamples ?? 0);
  const standings = tested.standings.map((one) => {
    const { tieGroup, best } = entries[placeOf(one.run)] ?? one;
    return { ...one, tieGroup: tieGroup ?? one.tieGroup, best: best ?? one.best };
  });
  const pairs = tested.pairs.map((pair) => {
    const both = [placeOf(pair.a), placeOf(pair.b)];
    const pHolm = tests.pHolm[Math.max(...both)]?.[Math.min(...both)] ?? null;
    if (isSame) return { ...pair, pHolm };
    const [a = 0, b = 0] = both.map((place) => entries[place]?.headline.value ?? 0);
    return {
      ...pair,
      pHolm,
      difference: { value: a - b, interval: null },
      samplesToSeparate: null,
    };
  });
  standings.sort((a, b) => placeOf(a.run) - placeOf(b.run));
  const own = { ...tested, standings, pairs };
  const isTimedAlike = load.shared !== null && load.own.size === 0;
  const runOf = (run: string): VerdictRun => {
    const entry = entries[placeOf(run)];
    return {
      name: entry?.model.name ?? run,
      p95Ms: isTimedAlike ? (entry?.metrics[latencyMetric]?.value ?? null) : null,
      costUsd: entry?.metrics[costMetric]?.value ?? null,
    };
  };
  return verdictOf(own, metric, runOf, about, tests.count);
}
