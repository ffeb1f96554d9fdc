import type { Interval } from "../../stats/bootstrap.ts";
import { entriesOf } from "../../stats/bounded.ts";
import type { GroupFigures } from "./breakdown-parts.ts";
import { columnValues, headlineColumns } from "./columns.ts";
import { groupFigureIds, headlineFigures } from "./figures.ts";
import { type GroupSums, tagOf } from "./groups.ts";
import { type ExtractionState, mostTagValues } from "./state.ts";

/** Samples from which a value of a tag is shown. */
const fewestOfTag = 10;

/** Values of tags that are shown, the largest: what a report can hold. */
const mostTagGroups = 200;

/** A group of samples with what it is called. */
export interface NamedGroup {
  key: string;
  name: string;
  n: number;
  group: GroupSums;
}

/**
 * The values of each tag with ten samples or more, and how many of these are left out: the largest 200
 * are kept, by key and then largest first. `repeats` answers make a sample.
 * Source: specification of the extraction suite, section 6.
 * @example tagGroups(state, 1).groups[0]?.key // "language"
 */
export function tagGroups(
  { tags }: ExtractionState,
  repeats: number,
): { groups: NamedGroup[]; left: number } {
  const large = entriesOf(tags, mostTagValues)
    .map(([tag, group]): NamedGroup => {
      const [key, name] = tagOf(tag);
      return { key, name, n: Math.ceil(group.answers / repeats), group };
    })
    .filter(({ n }) => n >= fewestOfTag)
    .sort((a, b) => b.n - a.n);
  const groups = large
    .slice(0, mostTagGroups)
    .sort((a, b) => Number(a.key > b.key) - Number(a.key < b.key));
  return { groups, left: large.length - groups.length };
}

/**
 * The complexity bins that have samples.
 * @example binGroups(state, 1)[0]?.name // "simple"
 */
export function binGroups({ bins }: ExtractionState, repeats: number): NamedGroup[] {
  return (["simple", "medium", "complex"] as const)
    .map((name) => ({
      key: "complexity",
      name,
      n: bins[name].answers / repeats,
      group: bins[name],
    }))
    .map((one) => ({ ...one, n: Math.ceil(one.n) }))
    .filter(({ n }) => n > 0);
}

/**
 * The headline figures of a group; `intervals` in the order of `groupFigureIds`.
 * Source: specification of the extraction suite, section 6.
 * @example groupFigures(group, intervals).figures.eqs // { value, interval }
 */
export function groupFigures(
  { name, n, group }: NamedGroup,
  intervals: readonly (Interval | null)[],
): GroupFigures {
  const sums = new Float64Array(headlineColumns.length);
  for (const part of Object.values(group.columns)) {
    columnValues(part).forEach((value, k) => {
      sums[k]! += value;
    });
  }
  const figures = groupFigureIds.map((id, k) => [
    id,
    { value: headlineFigures[id]!(sums), interval: intervals[k] ?? null },
  ]);
  return { name, n, figures: Object.fromEntries(figures) };
}
