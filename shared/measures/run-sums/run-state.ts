import type { ScoredSample } from "../../contracts/suite.ts";
import { hash32 } from "../../stats/hash32.ts";
import { addEach, addTo, type CompensatedSums, noSums } from "../../stats/sums/compensated-sum.ts";
import { entryIn, type Families, type FamilyRules, noFamilies } from "../../stats/sums/families.ts";
import { addValue, noSpread, type UnitSpread } from "../../stats/sums/unit-spread.ts";
import { addPass, noPasses, type PassTally } from "../passes/pass-tally.ts";
import {
  type CallTotals,
  countCall,
  noCalls,
  numbersOf,
  ratesOf,
} from "../performance/call-totals.ts";
import {
  addQuantities,
  type CallNumbers,
  type QuantityBins,
} from "../performance/distributions.ts";

/** Maximum number of answers stored in rows; a larger run is stored in blocks. */
export const mostRows = 20_000;

/**
 * Number of sample groups in which a large run is stored and resampled: its intervals differ from those over samples
 * by about 1% of their width.
 */
const blockCount = 4_096;

/**
 * Number of random groups of samples (or clusters) for intervals of parts: enough for a width within about 6%, and
 * few enough to store for thousands of parts.
 */
const partGroups = 128;

/** A part of a run: answers of one topic, level or function, or with one value of a tag. */
export interface PartNumbers<Name extends string> {
  family: string;
  name: string;
  numbers: Readonly<Record<Name, number>>;
}

/** The numbers of one scored answer. */
interface AnswerNumbers<Name extends string> {
  numbers: Readonly<Record<Name, number>>;
  /** Parts in addition to its tags; tags are parts with the numbers of the whole answer. */
  parts?: readonly PartNumbers<Name>[];
  /** Other counts, by name. */
  counts?: Readonly<Record<string, number>>;
  /** Correctness, 0–1, if the score also rates other qualities. */
  right?: number;
}

/** How a suite's answers become numbers. */
export interface RunRules<Name extends string, Detail> {
  /** Names of the numbers from which figures are computed; each is 0 or more. */
  columns: readonly Name[];
  /** In parts of a run, the first `byGroup` columns are stored by group of samples; all if missing. */
  partColumns?: number;
  /** Columns of values 0–1 whose distribution is stored. */
  spreads: readonly Name[];
  /** Returns null for an answer without a score. */
  read(scored: ScoredSample<Detail>): AnswerNumbers<Name> | null;
}

/** One answer: its numbers in the order of the columns, its times and tokens. */
export interface AnswerRow extends CallNumbers {
  id: string;
  cluster: string | null;
  values: number[];
  /** The call's contribution to each share of requests. */
  rates: (number | null)[];
}

/** Sums over the answers of a part, by group of samples. */
export interface PartSums {
  answers: number;
  /** Number of columns that are stored by group. */
  width: number;
  /** Without the last columns if they are 0: most parts use few of them. */
  columns: Record<number, CompensatedSums>;
  /** The columns that are not stored by group, summed over all answers. */
  others?: CompensatedSums;
}

/** A run with more answers than are stored in rows. */
export interface Blocks {
  /** By block, in the order of the columns. */
  columns: Record<number, CompensatedSums>;
  times: QuantityBins;
}

/** The stored state of a run: up to 20,000 answers as rows, or the sums of blocks; and counts for everything else. */
export interface RunState {
  /** In the order of the run. */
  rows: AnswerRow[];
  /** Replaces the rows if there are too many. */
  blocks: Blocks | null;
  /** Counts: scored answers, those with an answered request, those with a cluster; unscored answers. */
  answers: { scored: number; covered: number; clustered: number; unscored: number };
  calls: CallTotals;
  counts: Record<string, number>;
  spreads: UnitSpread[];
  parts: Families<PartSums>;
  /** Null if answers neither pass nor fail. */
  passes: PassTally | null;
}

/** Limits on names counted separately, in a family and in total; further names merge into one crowd. */
export const partLimits = { most: 200, total: 1_000 };

const partRules: FamilyRules<PartSums> = {
  ...partLimits,
  make: () => ({ answers: 0, width: 0, columns: {} }),
  add: (crowd, { answers }) => {
    crowd.answers += answers;
  },
};

/**
 * The state without answers; `passScore` is the score from which an answer passes, null: answers neither pass nor fail.
 * @example noAnswers(rules, 1).rows // []
 */
export function noAnswers(
  { spreads }: Pick<RunRules<string, never>, "spreads">,
  passScore: number | null,
): RunState {
  return {
    rows: [],
    blocks: null,
    answers: { scored: 0, covered: 0, clustered: 0, unscored: 0 },
    calls: noCalls(),
    counts: {},
    spreads: spreads.map(noSpread),
    parts: noFamilies(),
    passes: noPasses(passScore),
  };
}

/**
 * Adds an answer. An unscored one gets no row: it is counted, and its call is too. Changes and returns `state`.
 * @example addAnswer(rules, noAnswers(rules, 1), scored).rows.length // 1
 */
export function addAnswer<Name extends string, Detail>(
  rules: RunRules<Name, Detail>,
  state: RunState,
  scored: ScoredSample<Detail>,
): RunState {
  countCall(state.calls, scored.call);
  const read = rules.read(scored);
  if (read === null) {
    state.answers.unscored++;
    return state;
  }
  const inOrder = (numbers: Readonly<Record<Name, number>>) =>
    rules.columns.map((name) => numbers[name]);
  const row = rowOf(scored, inOrder(read.numbers));
  state.answers.scored++;
  if (scored.score.covered) state.answers.covered++;
  if (row.cluster !== null) state.answers.clustered++;
  addRow(state, row);
  addCounted(state.counts, read.counts ?? {});
  const score = read.right ?? scored.score.score;
  if (state.passes !== null && score !== null) {
    addPass(state.passes, { id: row.id, unit: unitName(row), score });
  }
  rules.spreads.forEach((name, k) => {
    addValue(state.spreads[k]!, read.numbers[name]);
  });
  for (const [key, name] of Object.entries(scored.tags)) {
    if (key === "cluster") continue;
    addPart(state.parts, `tag ${key}`, name, row, row.values, rules.partColumns);
  }
  for (const { family, name, numbers } of read.parts ?? []) {
    addPart(state.parts, family, name, row, inOrder(numbers), rules.partColumns);
  }
  return state;
}

function rowOf({ id, tags, call }: ScoredSample, values: number[]): AnswerRow {
  return { id, cluster: tags["cluster"] ?? null, values, rates: ratesOf(call), ...numbersOf(call) };
}

/**
 * Name of a row's unit of resampling: its cluster, or its sample.
 * Source: docs/spec/statistics.md, bootstrap interval.
 * @example unitName({ id: "s1", cluster: null }) // "sample s1"
 */
export function unitName({ id, cluster }: Pick<AnswerRow, "id" | "cluster">): string {
  return cluster === null ? `sample ${id}` : `cluster ${cluster}`;
}

/** Sorted by name, as breakdowns show counts. */
function addCounted(counts: Record<string, number>, more: Readonly<Record<string, number>>): void {
  let grown = false;
  for (const [name, count] of Object.entries(more)) {
    grown ||= counts[name] === undefined;
    counts[name] = (counts[name] ?? 0) + count;
  }
  if (!grown) return;
  for (const name of Object.keys(counts).sort()) {
    const count = counts[name]!;
    delete counts[name];
    counts[name] = count;
  }
}

/**
 * Adds the numbers of an answer to a part of its run; if the part is not counted separately, only counts the answer.
 * The first `byGroup` numbers are stored by group of samples. Changes `parts`.
 * @example addPart(parts, "topic", "hobby", { id: "s1", cluster: null }, [1, 0.5])
 */
export function addPart(
  parts: Families<PartSums>,
  family: string,
  name: string,
  answer: Pick<AnswerRow, "id" | "cluster">,
  values: readonly number[],
  byGroup = values.length,
): void {
  const { entry, isCrowd } = entryIn(parts, family, name, partRules);
  entry.answers++;
  if (isCrowd) return;
  entry.width = byGroup;
  addUsed(entry.columns, partGroup(answer), values, byGroup);
  if (byGroup === values.length) return;
  entry.others ??= noSums(values.length - byGroup);
  addEach(entry.others, values.slice(byGroup));
}

/** Adds the first `width` numbers to the sums of a group, up to the last that is not 0. */
function addUsed(
  columns: PartSums["columns"],
  group: number,
  values: readonly number[],
  width: number,
): void {
  let used = width;
  while (used > 0 && values[used - 1] === 0) used--;
  let sums = columns[group] ?? [];
  if (sums.length < 2 * used) sums = [...sums, ...noSums(used - sums.length / 2)];
  columns[group] = sums;
  for (let k = 0; k < used; k++) addTo(sums, values[k]!, k);
}

/**
 * The group of samples, 0–127, with which an answer is resampled in parts of its run.
 * Source: docs/spec/statistics.md, bootstrap interval.
 * @example partGroup({ id: "s1", cluster: null })
 */
export const partGroup = (answer: Pick<AnswerRow, "id" | "cluster">): number =>
  hash32(unitName(answer)) % partGroups;

function addRow(state: RunState, row: AnswerRow): void {
  if (state.blocks !== null) {
    addToBlocks(state.blocks, row);
    return;
  }
  state.rows.push(row);
  if (state.rows.length <= mostRows) return;
  state.blocks = { columns: {}, times: {} };
  for (const one of state.rows) addToBlocks(state.blocks, one);
  state.rows = [];
}

/** Adds a row to the block of its sample, or of its cluster. Changes the blocks. */
function addToBlocks({ columns, times }: Blocks, row: AnswerRow): void {
  const block = hash32(unitName(row)) % blockCount;
  columns[block] ??= noSums(row.values.length);
  addEach(columns[block], row.values);
  addQuantities(times, row);
}
