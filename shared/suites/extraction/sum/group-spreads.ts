import { bootstrap, type Interval, partResamples } from "../../../stats/bootstrap/bootstrap.ts";
import { groupFigures } from "../../../stats/bootstrap/group-figures.ts";
import { sumFigures } from "../../../stats/bootstrap/percentile-figures.ts";
import { eachSum } from "../../../stats/sums/compensated-sum.ts";
import { headlineColumns } from "./columns.ts";
import { headline, headlineIds } from "./figures.ts";
import type { GroupSums } from "./groups.ts";
import type { RunSample } from "./run-basis.ts";

/** A group of samples with what it is called. */
export interface NamedGroup {
  /** The tag; null for a complexity bin. */
  key: string | null;
  name: string;
  n: number;
  group: GroupSums;
}

/** The sums that a group's figures follow from, and the figures' intervals. */
export interface GroupSpread {
  sums: Float64Array;
  /** By metric id. */
  intervals: Readonly<Record<string, Interval | null>>;
  /** What was resampled: the run's samples, or random groups of them. */
  resampled: "samples" | "groups";
}

/** Groups that are resampled by sample: each takes some milliseconds. */
const mostBySample = 24;

/**
 * The groups whose intervals come from resamples of the run's own samples: complexity bins first, then tags
 * of few values, each with all of its values, as long as they are 24 together.
 * @example groupsBySample([simple, complex, ...languages])
 */
export function groupsBySample(groups: readonly NamedGroup[]): NamedGroup[] {
  const byKey = new Map<string | null, NamedGroup[]>();
  for (const group of groups) byKey.set(group.key, [...(byKey.get(group.key) ?? []), group]);
  const keys = [...byKey].sort(([a, x], [b, y]) =>
    a === null || b === null ? Number(b === null) - Number(a === null) : x.length - y.length,
  );
  let count = 0;
  return keys.flatMap(([, members]) => {
    if (count + members.length > mostBySample) return [];
    count += members.length;
    return members;
  });
}

/**
 * The spreads of groups from 2,000 resamples of the run's `units` (samples, or clusters of them), of which a group has
 * those of its samples that were drawn; there are intervals from two units on.
 * Source: docs/spec/extraction.md, section 6; docs/spec/statistics.md, bootstrap interval.
 * @example spreadsBySample([english], samples, 60, "run-1")[0]?.intervals["eqs"]
 */
export function spreadsBySample(
  groups: readonly NamedGroup[],
  samples: readonly RunSample[],
  units: number,
  seed: string,
): GroupSpread[] {
  const columns = headlineColumns.map((name) =>
    Float64Array.from(samples, ({ numbers }) => numbers[name]),
  );
  const unitOf = Int32Array.from(samples, ({ unit }) => unit);
  const members = groups.map((group) => membersOf(group, samples));
  const figures = groupFigures({ columns, unitOf, units, groups: members }, headline);
  const intervals = bootstrap(units, seed, [figures], { resamples: partResamples });
  return members.map((its, g) => {
    const isSpread = its.some((place) => unitOf[place] !== unitOf[its[0]!]);
    const own = intervals.slice(g * headline.count, (g + 1) * headline.count);
    const picked = columns.map((column) => Float64Array.from(its, (place) => column[place]!));
    return spreadOf(picked, isSpread ? own : [], "samples");
  });
}

/** Places of the samples that are in a group. */
function membersOf({ key, name }: NamedGroup, samples: readonly RunSample[]): number[] {
  return [...samples.keys()].filter((place) => {
    const row = samples[place]!.rows[0]!;
    return (key === null ? row.bin : row.tags[key]) === name;
  });
}

/** Groups that are resampled side by side, so that their figures take some 5 MB at most. */
const batch = 25;

/**
 * The spreads of groups from 2,000 resamples of up to 128 random groups of samples, of which `parts` are those that
 * hold any: the same cost for any number of samples.
 * Source: docs/spec/extraction.md, section 6; docs/spec/statistics.md, bootstrap interval.
 * @example spreadsByPart([english], [3, 17, 90], "run-1")[0]?.intervals["eqs"]
 */
export function spreadsByPart(
  groups: readonly NamedGroup[],
  parts: readonly number[],
  seed: string,
): GroupSpread[] {
  return Array.from({ length: Math.ceil(groups.length / batch) }, (_, k) => {
    const some = groups.slice(k * batch, (k + 1) * batch);
    const columns = some.map(({ group }) => partColumns(group, parts));
    const figures = columns.map((own) => sumFigures(own, headline));
    const intervals = bootstrap(parts.length, seed, figures, { resamples: partResamples });
    return some.map((_group, g) => {
      const own = intervals.slice(g * headline.count, (g + 1) * headline.count);
      return spreadOf(columns[g]!, own, "groups");
    });
  }).flat();
}

function partColumns({ columns }: GroupSums, parts: readonly number[]): Float64Array[] {
  const values = parts.map((part) => (columns[part] ? eachSum(columns[part]) : null));
  return headlineColumns.map((_, k) => Float64Array.from(values, (sums) => sums?.[k] ?? 0));
}

function spreadOf(
  columns: readonly Float64Array[],
  intervals: readonly (Interval | null)[],
  resampled: GroupSpread["resampled"],
): GroupSpread {
  return {
    sums: Float64Array.from(columns, (column) => column.reduce((a, b) => a + b, 0)),
    intervals: Object.fromEntries(headlineIds.map((id, k) => [id, intervals[k] ?? null])),
    resampled,
  };
}
