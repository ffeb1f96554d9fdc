import type { ScoredSample } from "../../../contracts/suite.ts";
import { type CallTotals, countCall, noCalls } from "../../../measures/performance/call-totals.ts";
import { shareInterval } from "../../../measures/run-sums/interval-of.ts";
import { type RunBasis, samplesOf } from "../../../measures/run-sums/run-basis.ts";
import { type PartSums, partLimits, type RunState } from "../../../measures/run-sums/run-state.ts";
import { bootstrap, type Interval, partResamples } from "../../../stats/bootstrap/bootstrap.ts";
import { groupFigures } from "../../../stats/bootstrap/group-figures.ts";
import { sumFigures } from "../../../stats/bootstrap/percentile-figures.ts";
import { eachSum } from "../../../stats/sums/compensated-sum.ts";
import {
  crowdsOf,
  entryIn,
  type Families,
  type FamilyRules,
  membersOf as membersIn,
  noFamilies,
} from "../../../stats/sums/families.ts";
import { addBinned, type LogBins, noBins } from "../../../stats/sums/log-bins.ts";
import { countLost, lostOutput, noLostOutputs } from "../score/lost-output.ts";
import type { ExtractionDetail } from "../score/score.ts";
import { headlineCount } from "./columns.ts";
import type { KeptAnswer } from "./correlations.ts";
import { headline, headlineStatistics } from "./figures.ts";
import { countErrors, countMetered, noErrors, type Tallies } from "./tallies.ts";

/** Counts of a group, in addition to its sums. */
interface GroupTally extends Pick<Tallies, "metered" | "hallucinations" | "patterns" | "lost"> {
  calls: CallTotals;
  latency: LogBins;
}

/** By family and name, like the parts of the run's sums. */
export type GroupTallies = Families<GroupTally>;

/** The family of complexity bins among the parts of a run. */
export const binFamily = "complexity";
const tagFamily = "tag ";

const tallyRules: FamilyRules<GroupTally> = { ...partLimits, make: noTally, add: () => {} };

function noTally(): GroupTally {
  return {
    calls: noCalls(),
    latency: noBins(),
    metered: { answers: 0, predictedFields: 0, outputTokens: 0 },
    ...noErrors(),
    lost: noLostOutputs(),
  };
}

/**
 * Counts without answers.
 * @example countInGroups(noGroups(), scored)
 */
export const noGroups = (): GroupTallies => noFamilies();

/**
 * Counts an answer in the groups of its tags and in the group of its complexity. The tag `cluster`, which defines the
 * samples that are resampled together, forms no group. Changes `groups`.
 * @example countInGroups(state.groups, scored)
 */
export function countInGroups(
  groups: GroupTallies,
  { tags, score, call }: ScoredSample<ExtractionDetail>,
): void {
  const why = lostOutput(score);
  const named = Object.entries(tags)
    .filter(([key]) => key !== "cluster")
    .map(([key, value]) => [`${tagFamily}${key}`, value] as const);
  for (const [family, name] of [...named, [binFamily, score.detail.complexity.bin] as const]) {
    const { entry, isCrowd } = entryIn(groups, family, name, tallyRules);
    if (isCrowd) continue;
    countCall(entry.calls, call);
    if (call.error === null && call.latencyMs !== null) addBinned(entry.latency, call.latencyMs);
    countMetered(entry.metered, score.detail, call);
    if (why !== null) countLost(entry.lost, why, score.detail);
    else for (const field of score.detail.fields) countErrors(entry, field);
  }
}

/** A group of samples with its name. */
export interface NamedGroup {
  /** The tag; null for a complexity bin. */
  key: string | null;
  name: string;
  n: number;
  sums: PartSums;
  tally: GroupTally;
}

/** Input of groups. */
interface Grouped {
  run: Pick<RunState, "parts">;
  groups: GroupTallies;
}

/**
 * The groups of a run, complexity bins and values of tags, by family and name, each with its number of samples. A
 * sample has `repeats` answers.
 * @example namedGroups(state, 1)[0] // { key: null, name: "complex", n, … }
 */
export function namedGroups({ run, groups }: Grouped, repeats: number): NamedGroup[] {
  return membersIn(run.parts).map(({ family, name, entry }) => ({
    key: family === binFamily ? null : family.slice(tagFamily.length),
    name,
    n: Math.ceil(entry.answers / repeats),
    sums: entry,
    tally: entryIn(groups, family, name, tallyRules).entry,
  }));
}

/**
 * Tags with too many values to count separately, with their samples; `key` is null for all tags after the limit
 * was reached.
 * @example crowdedTags(state, 1)[0] // { key: "id", moreThan: 200, n: 512 }
 */
export function crowdedTags({ run }: Pick<Grouped, "run">, repeats: number) {
  return crowdsOf(run.parts).map(({ family, moreThan, entry }) => ({
    key: family === null ? null : family.slice(tagFamily.length),
    moreThan,
    n: Math.ceil(entry.answers / repeats),
  }));
}

/**
 * The groups with answers among the 128 groups of samples for resampling parts.
 * @example groupsWithSamples(namedGroups(state, 1)) // [3, 17, 90]
 */
export function groupsWithSamples(groups: readonly NamedGroup[]): number[] {
  const bins = groups.filter(({ key }) => key === null);
  const held = bins.flatMap(({ sums }) => Object.keys(sums.columns).map(Number));
  return [...new Set(held)].sort((a, b) => a - b);
}
/** The sums from which a group's figures are computed, and their intervals. */
export interface GroupSpread {
  sums: Float64Array;
  /** By metric id. */
  intervals: Readonly<Record<string, Interval | null>>;
  /** What was resampled: the run's samples, or random groups of them. */
  resampled: "samples" | "groups";
}

/** Maximum groups that are resampled by sample: each takes a few milliseconds. */
const mostBySample = 24;

/** Groups that are resampled at the same time, so that their figures take about 5 MB at most. */
const batch = 25;

/**
 * The groups whose intervals come from resamples of the run's samples: complexity bins first, then tags with few
 * values, each with all of its values, up to 24 groups in total.
 * @example groupsBySample([simple, complex, ...languages])
 */
export function groupsBySample(groups: readonly NamedGroup[]): NamedGroup[] {
  const byKey = Map.groupBy(groups, ({ key }) => key);
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
 * The spreads of groups from 2,000 resamples of the run's `units` (samples or clusters); a resample of a group consists
 * of its samples that were drawn. Intervals need at least two units.
 * Source: docs/spec/extraction.md, section 6; docs/spec/statistics.md, bootstrap interval.
 * @example spreadsBySample([english], state.kept, basis, "run-1")[0]?.intervals["eqs"]
 */
export function spreadsBySample(
  groups: readonly NamedGroup[],
  kept: readonly KeptAnswer[],
  { values, units }: Pick<RunBasis, "values" | "units">,
  seed: string,
): GroupSpread[] {
  const samples = samplesOf(kept);
  const columns = Array.from({ length: headlineCount }, (_, k) =>
    Float64Array.from(values ?? [], (numbers) => numbers[k]!),
  );
  const unitOf = Int32Array.from(samples, ({ unit }) => unit);
  const members = groups.map((group) =>
    [...samples.keys()].filter((place) => isIn(group, samples[place]!.rows[0]!)),
  );
  const figures = groupFigures({ columns, unitOf, units: units.count, groups: members }, headline);
  const intervals = bootstrap(units.count, seed, [figures], { resamples: partResamples });
  return members.map((its, g) => {
    const isSpread = its.some((place) => unitOf[place] !== unitOf[its[0]!]);
    const own = intervals.slice(g * headline.count, (g + 1) * headline.count);
    const picked = columns.map((column) => Float64Array.from(its, (place) => column[place]!));
    return spreadOf(picked, isSpread ? own : [], "samples");
  });
}

const isIn = ({ key, name }: NamedGroup, { bin, tags }: KeptAnswer): boolean =>
  (key === null ? bin : tags[key]) === name;

/**
 * The spreads of groups from 2,000 resamples of up to 128 random groups of samples, of which `parts` are not empty. The
 * cost does not depend on the number of samples.
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
    const columns = some.map(({ sums }) => partColumns(sums, parts));
    const figures = columns.map((own) => sumFigures(own, headline));
    const intervals = bootstrap(parts.length, seed, figures, { resamples: partResamples });
    return some.map((_group, g) => {
      const own = intervals.slice(g * headline.count, (g + 1) * headline.count);
      return spreadOf(columns[g]!, own, "groups");
    });
  }).flat();
}

function partColumns({ columns }: PartSums, parts: readonly number[]): Float64Array[] {
  const values = parts.map((part) => (columns[part] ? eachSum(columns[part]) : null));
  return Array.from({ length: headlineCount }, (_, k) =>
    Float64Array.from(values, (sums) => sums?.[k] ?? 0),
  );
}

function spreadOf(
  columns: readonly Float64Array[],
  intervals: readonly (Interval | null)[],
  resampled: GroupSpread["resampled"],
): GroupSpread {
  const sums = Float64Array.from(columns, (column) => column.reduce((a, b) => a + b, 0));
  const units = columns[0]?.filter((_, unit) => columns.some((column) => column[unit] !== 0));
  const own = Object.entries(headlineStatistics).map(([id, statistic], k) => {
    const interval = shareInterval(intervals[k] ?? null, statistic(sums), units?.length ?? 0);
    return [id, interval] as const;
  });
  return { sums, intervals: Object.fromEntries(own), resampled };
}
