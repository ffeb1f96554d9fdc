import { binnedDuration, noTimes } from "../../../../measures/performance/durations.ts";
import { performanceFigures } from "../../../../measures/performance/performance.ts";
import { crowdsOf, membersOf } from "../../../../stats/sums/families.ts";
import { headlineFigures, sampleMeans } from "../figures.ts";
import type { GroupSpread, NamedGroup } from "../group-spreads.ts";
import type { GroupSums } from "../groups.ts";
import type { ExtractionState } from "../state.ts";
import type { GroupFigures, TagsBreakdown } from "./breakdown-parts.ts";
import { severityOf } from "./error-breakdown.ts";

/** Samples from which a value of a tag is shown. */
const fewestOfTag = 10;

/** Values of tags that are shown, the largest: what a report can hold. */
const mostTagGroups = 200;

type Prices = Parameters<typeof performanceFigures>[3];

/**
 * The values of each tag with ten samples or more, the largest 200 of them, by key and then largest
 * first; and what is not among them. `repeats` answers make a sample.
 * Source: docs/spec/extraction.md, section 6.
 * @example tagGroups(state, 1).groups[0]?.key // "language"
 */
export function tagGroups(
  { tags }: ExtractionState,
  repeats: number,
): { groups: NamedGroup[]; left: TagsBreakdown["left"] } {
  const samplesOf = ({ answers }: GroupSums) => Math.ceil(answers / repeats);
  const values = membersOf(tags)
    .map(({ family: key, name, entry }) => ({ key, name, n: samplesOf(entry), group: entry }))
    .sort((a, b) => b.n - a.n);
  const large = values.filter(({ n }) => n >= fewestOfTag);
  const groups = large
    .slice(0, mostTagGroups)
    .sort((a, b) => Number(a.key > b.key) - Number(a.key < b.key));
  const left = {
    small: values.length - large.length,
    large: large.length - groups.length,
    tags: crowdsOf(tags).map(({ family: key, moreThan, entry }) => ({
      key,
      moreThan,
      n: samplesOf(entry),
    })),
  };
  return { groups, left };
}

/**
 * The complexity bins that have samples.
 * @example binGroups(state, 1)[0]?.name // "simple"
 */
export function binGroups({ bins }: ExtractionState, repeats: number): NamedGroup[] {
  return (["simple", "medium", "complex"] as const)
    .map((name) => ({
      key: null,
      name,
      n: Math.ceil(bins[name].answers / repeats),
      group: bins[name],
    }))
    .filter(({ n }) => n > 0);
}

/**
 * The measured figures of a group by metric id: all that are computed from sums, headline
 * figures with their interval; and its errors.
 * Source: docs/spec/extraction.md, sections 6, 8 and 10.
 * @example groupFigures(group, spread, null).figures["eqs"] // { value, interval }
 */
export function groupFigures(
  { name, n, group }: NamedGroup,
  { sums, intervals, resampled }: GroupSpread,
  prices: Prices,
): GroupFigures {
  const all = { ...sumsFigures(group, prices), ...headlineFigures(sums) };
  const measured = Object.entries(all).flatMap(([id, value]) =>
    value === null ? [] : [[id, { value, interval: intervals[id] ?? null }] as const],
  );
  const { hallucinations, patterns, lost } = group;
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

/** Figures without an interval: means other than the headline, and performance. */
function sumsFigures(
  { means, calls, latency, metered }: GroupSums,
  prices: Prices,
): Record<string, number | null> {
  const durations = { ...noTimes, latency: binnedDuration(latency) };
  const performance = Object.entries(performanceFigures(calls, durations, null, prices));
  const share = (part: number, whole: number) => (whole === 0 ? null : part / whole);
  return {
    ...sampleMeans(means),
    ...Object.fromEntries(performance.map(([id, { value }]) => [id, value])),
    tokenEfficiency: share(metered.predictedFields, metered.outputTokens),
  };
}
