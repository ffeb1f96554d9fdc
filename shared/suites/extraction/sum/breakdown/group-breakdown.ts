import {
  binnedDistribution,
  noDistributions,
} from "../../../../measures/performance/distributions.ts";
import { performanceFigures } from "../../../../measures/performance/performance.ts";
import { eachSum } from "../../../../stats/sums/compensated-sum.ts";
import { at } from "../columns.ts";
import { groupMeans, headlineStatistics } from "../figures.ts";
import type { GroupSpread, NamedGroup } from "../groups.ts";
import type { GroupFigures } from "./breakdown-parts.ts";
import { severityOf } from "./error-breakdown.ts";

/** Minimum samples of a shown value of a tag. */
const fewestOfTag = 10;

/** Maximum shown values of tags, the largest first: as many as a report has room for. */
const mostTagGroups = 200;

type Prices = Parameters<typeof performanceFigures>[3];

/**
 * The groups that are shown: complexity bins in their order; the 200 largest values of tags with ten samples or more,
 * sorted by key and then by size; and counts of the rest.
 * Source: docs/spec/extraction.md, section 6.
 * @example shownGroups(namedGroups(state, 1)).tags[0]?.key // "language"
 */
export function shownGroups(groups: readonly NamedGroup[]) {
  const bins = (["simple", "medium", "complex"] as const).flatMap((name) =>
    groups.filter((group) => group.key === null && group.name === name),
  );
  const values = groups.filter(({ key }) => key !== null).toSorted((a, b) => b.n - a.n);
  const large = values.filter(({ n }) => n >= fewestOfTag);
  const tags = large
    .slice(0, mostTagGroups)
    .sort((a, b) => Number(a.key! > b.key!) - Number(a.key! < b.key!));
  const left = { small: values.length - large.length, large: large.length - tags.length };
  return { bins, tags, left };
}

/**
 * The measured figures of a group by metric id: all figures computed from sums, headline figures with their interval;
 * and its errors.
 * Source: docs/spec/extraction.md, sections 6, 8 and 10.
 * @example groupFigures(group, spread, null).figures["eqs"] // { value, interval }
 */
export function groupFigures(
  { name, n, sums, tally }: NamedGroup,
  { sums: headline, intervals, resampled }: GroupSpread,
  prices: Prices,
): GroupFigures {
  // In a run kept as rows, repeats are averaged in the headline's sums, but not in the other sums.
  const share = headline[at.samples]! / sums.answers;
  const others = eachSum(sums.others ?? []).map((sum) => sum * share);
  const all = {
    ...groupMeans(Float64Array.of(...headline, ...others)),
    ...performanceOf(tally, prices),
    ...Object.fromEntries(
      Object.entries(headlineStatistics).map(([id, statistic]) => [id, statistic(headline)]),
    ),
  };
  const measured = Object.entries(all).flatMap(([id, value]) =>
    value === null ? [] : [[id, { value, interval: intervals[id] ?? null }] as const],
  );
  const { hallucinations, patterns, lost } = tally;
  const counted = Object.entries(patterns).filter(([, count]) => count > 0);
  return {
    name,
    n,
    resampled,
    figures: Object.fromEntries(measured),
    hallucinations,
    severity: severityOf(hallucinations),
    patterns: Object.fromEntries(counted.sort(([, a], [, b]) => b - a)),
    lost: lost.byKind,
  };
}

/** Figures of requests, which have no interval. */
function performanceOf(
  { calls, latency, metered }: NamedGroup["tally"],
  prices: Prices,
): Record<string, number | null> {
  const durations = { ...noDistributions, latency: binnedDistribution(latency) };
  const performance = Object.entries(performanceFigures(calls, durations, null, prices));
  return {
    ...Object.fromEntries(performance.map(([id, { value }]) => [id, value])),
    tokenEfficiency:
      metered.outputTokens === 0 ? null : metered.predictedFields / metered.outputTokens,
  };
}
