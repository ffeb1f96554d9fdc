import type { Comparison } from "#shared/contracts/boards/comparison.ts";
import type { Leaderboard } from "#shared/contracts/boards/leaderboard.ts";
import type { Metric } from "#shared/contracts/metric.ts";
import {
  type Verdict,
  type VerdictRun,
  verdictOf,
} from "#shared/measures/comparison/words/verdict.ts";
import { scoreText } from "../../format/score-text.ts";
import { costMetric, latencyMetric } from "../../report/shown-run.ts";
import type { LatencyLoad } from "../runs/latency-load.ts";

type RankedBoard = Pick<Leaderboard, "headline" | "entries" | "tests">;

interface Tested {
  comparison: Comparison | null | undefined;
  load: LatencyLoad;
  about?: string;
}

/**
 * What a board says about its first models, or about the run `about` and the first. Significance is that of the board's
 * own tests, of all its models; the comparison has the differences. Of a single model, its score. Null without models,
 * and for several without a comparison of them. `metric`: the board's headline.
 */
export function boardVerdict(
  { headline, entries, tests }: RankedBoard,
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
  const groupOf = (run: string) => entries[places.get(run) ?? -1]?.tieGroup;
  const pOf = ({ a, b }: { a: string; b: string }) => {
    const both = [places.get(a) ?? Infinity, places.get(b) ?? Infinity];
    return tests.pHolm[Math.max(...both)]?.[Math.min(...both)] ?? null;
  };
  const own = {
    ...tested,
    standings: tested.standings.map((one) => ({
      ...one,
      tieGroup: groupOf(one.run) ?? one.tieGroup,
    })),
    pairs: tested.pairs.map((pair) => ({ ...pair, pHolm: pOf(pair) })),
  };
  const isTimedAlike = load.shared !== null && load.own.size === 0;
  const runOf = (run: string): VerdictRun => {
    const entry = entries[places.get(run) ?? -1];
    return {
      name: entry?.model.name ?? run,
      p95Ms: isTimedAlike ? (entry?.metrics[latencyMetric]?.value ?? null) : null,
      costUsd: entry?.metrics[costMetric]?.value ?? null,
    };
  };
  return verdictOf(own, metric, runOf, about, tests.count);
}
