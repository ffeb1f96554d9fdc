import { bootstrap, type Interval } from "../../stats/bootstrap.ts";
import { sumFigures } from "../../stats/sum-figures.ts";
import { columnValues, headlineColumns } from "./columns.ts";
import { headlineFigures } from "./figures.ts";
import type { GroupSums } from "./groups.ts";
import { partResamples } from "./part-intervals.ts";
import { unitColumns } from "./run-basis.ts";
import { type RunSample, samplesOf } from "./samples.ts";
import type { ScoreRow } from "./score-row.ts";

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
  /** What was resampled: the group's own samples, or random groups of all samples. */
  resampled: "samples" | "groups";
}

/**
 * Answers whose resampling summing up can afford, those of the whole run and again those of groups
 * whose own samples are resampled; each group costs as much as so many more for the sorting of its
 * figures. So a run of 10,000 has no more to do than 3 s of CPU allow, and a smaller one less.
 */
const mostResampled = 20_000;
const costOfGroup = 1_000;

/** Groups that are resampled side by side, so that their drawn figures take some 10 MB at most. */
const batch = 25;

const ids = Object.keys(headlineFigures);
const statistics = Object.values(headlineFigures);

/**
 * 95% bootstrap intervals of the headline figures of groups. A complexity bin or a tag's values have
 * 10,000 resamples of their own samples (clusters) where the run is kept in `rows` and they cost little,
 * bins first, then tags of few values; else 2,000 resamples of up to 128 random groups of samples, of
 * which `parts` are those that hold any.
 * Source: specification of the extraction suite, section 6; of statistics, bootstrap interval.
 * @example groupSpreads([group], rows, [3, 17, 90], "run-1").get(group)?.intervals["eqs"]
 */
export function groupSpreads(
  groups: readonly NamedGroup[],
  rows: readonly ScoreRow[] | null,
  parts: readonly number[],
  seed: string,
): Map<NamedGroup, GroupSpread> {
  const own = new Set(rows === null ? [] : affordable(groups, mostResampled - rows.length));
  const others = groups.filter((group) => !own.has(group));
  const samples = own.size === 0 ? [] : samplesOf(rows ?? []);
  return new Map([
    ...[...own].map((group) => [group, ofSamples(samplesIn(group, samples), seed)] as const),
    ...ofParts(others, parts, seed),
  ]);
}

function affordable(groups: readonly NamedGroup[], most: number): NamedGroup[] {
  const byKey = new Map<string | null, NamedGroup[]>();
  for (const group of groups) byKey.set(group.key, [...(byKey.get(group.key) ?? []), group]);
  const keys = [...byKey].sort(([a, x], [b, y]) =>
    a === null || b === null ? Number(b === null) - Number(a === null) : x.length - y.length,
  );
  let cost = 0;
  return keys.flatMap(([, members]) => {
    const more = members.reduce((sum, { n }) => sum + n + costOfGroup, 0);
    if (cost + more > most) return [];
    cost += more;
    return members;
  });
}

function samplesIn({ key, name }: NamedGroup, samples: readonly RunSample[]): RunSample[] {
  return samples.filter(({ rows: [row] }) => (key === null ? row!.bin : row!.tags[key]) === name);
}

/** Units of samples that are not in the group are left out. */
function ofSamples(samples: readonly RunSample[], seed: string): GroupSpread {
  const units = new Map<number, number>();
  const own = samples.map(({ numbers, unit }) => {
    const place = units.get(unit) ?? units.size;
    units.set(unit, place);
    return { numbers, unit: place };
  });
  const columns = unitColumns(own, units.size);
  const intervals = bootstrap(units.size, seed, [sumFigures(columns, statistics)]);
  return { ...spreadOf(columns, intervals), resampled: "samples" };
}

function ofParts(
  groups: readonly NamedGroup[],
  parts: readonly number[],
  seed: string,
): [NamedGroup, GroupSpread][] {
  return Array.from({ length: Math.ceil(groups.length / batch) }, (_, k) => {
    const some = groups.slice(k * batch, (k + 1) * batch);
    const columns = some.map(({ group }) => partColumns(group, parts));
    const figures = columns.map((own) => sumFigures(own, statistics));
    const intervals = bootstrap(parts.length, seed, figures, { resamples: partResamples });
    return some.map((group, g): [NamedGroup, GroupSpread] => {
      const own = intervals.slice(g * ids.length, (g + 1) * ids.length);
      return [group, { ...spreadOf(columns[g]!, own), resampled: "groups" }];
    });
  }).flat();
}

function partColumns({ columns }: GroupSums, parts: readonly number[]): Float64Array[] {
  const values = parts.map((part) => (columns[part] ? columnValues(columns[part]) : null));
  return headlineColumns.map((_, k) => Float64Array.from(values, (sums) => sums?.[k] ?? 0));
}

function spreadOf(columns: readonly Float64Array[], intervals: readonly (Interval | null)[]) {
  return {
    sums: Float64Array.from(columns, (column) => column.reduce((a, b) => a + b, 0)),
    intervals: Object.fromEntries(ids.map((id, k) => [id, intervals[k] ?? null])),
  };
}
