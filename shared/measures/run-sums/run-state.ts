import type { ScoredSample } from "../../contracts/suite.ts";
import { addCounts } from "../../stats/add-counts.ts";
import {
  crowdOf,
  type Families,
  type FamilyRules,
  memberOf,
  mergeFamilies,
  noFamilies,
} from "../../stats/families.ts";
import { hash32 } from "../../stats/hash32.ts";
import { addBinned, type LogBins, mergeBins, noBins } from "../../stats/log-bins.ts";
import { addValue, mergeSpread, noSpread, type UnitSpread } from "../../stats/unit-spread.ts";
import { type CallTotals, countCall, noCalls, timesOf } from "../call-totals.ts";
import { addColumns, type ColumnSums, type Columns, inOrder, noColumnSums } from "./columns.ts";

/** Answers that are kept row by row; a run with more is kept in blocks. */
const mostRows = 20_000;

/** Groups of samples that a large run is kept and resampled in, and its parts always. */
const blockCount = 4_096;
const partGroups = 128;

/** A part of a run: answers of one topic, level or function, or with one value of a tag. */
export interface PartNumbers<Name extends string> {
  family: string;
  name: string;
  numbers: Readonly<Record<Name, number>>;
}

/** What figures take of one scored answer. */
interface AnswerNumbers<Name extends string> {
  numbers: Readonly<Record<Name, number>>;
  /** Beside its tags, which are parts with the numbers of the whole answer. */
  parts?: readonly PartNumbers<Name>[];
  /** Anything else that is counted, by name. */
  counts?: Readonly<Record<string, number>>;
}

/** How the answers of a suite become numbers. */
export interface RunRules<Name extends string, Detail> {
  columns: Columns<Name>;
  /** Columns of values 0–1 whose distribution is kept. */
  spreads: readonly Name[];
  /** Null for an answer without a score. */
  read(scored: ScoredSample<Detail>): AnswerNumbers<Name> | null;
}

/** One answer: its numbers in the order of the columns, its times in ms. */
export interface AnswerRow {
  id: string;
  cluster: string | null;
  values: number[];
  latencyMs: number | null;
  firstByteMs: number | null;
}

/** Sums over the answers of a part, by group of samples. */
export interface PartSums {
  answers: number;
  columns: Record<number, ColumnSums>;
}

/** Times of a run that is kept in blocks. */
interface BlockTimes {
  latency: LogBins;
  firstByte: LogBins;
  generation: LogBins;
}

/**
 * What is kept of a run: up to 20,000 answers a row each by seq, of more sums by block; and everything
 * else in counts. States of disjoint sets of answers merge in any grouping and order to the same bytes.
 */
export interface RunState {
  rows: Record<number, AnswerRow>;
  rowCount: number;
  /** Instead of rows, once they are too many. */
  blocks: { columns: Record<number, ColumnSums>; times: BlockTimes } | null;
  /** Scored answers, of these those whose request had an answer, those with a cluster; the others. */
  answers: { scored: number; covered: number; clustered: number; unscored: number };
  calls: CallTotals;
  counts: Record<string, number>;
  spreads: UnitSpread[];
  parts: Families<PartSums>;
}

/** Names of a family that are told apart, and in sum; more become one crowd that is only counted. */
export const partRules: FamilyRules<PartSums> = {
  ...{ most: 200, total: 1_000, make: noPart, merge: mergeParts },
  fold: (crowd, { answers }) => {
    crowd.answers += answers;
  },
};

function noPart(): PartSums {
  return { answers: 0, columns: {} };
}

function mergeParts(part: PartSums, other: PartSums): void {
  addCounts(part, other);
}

/**
 * The state of no answers.
 * @example noAnswers(rules).rowCount // 0
 */
export function noAnswers({ spreads }: Pick<RunRules<string, never>, "spreads">): RunState {
  return {
    ...{ rows: {}, rowCount: 0, blocks: null },
    answers: { scored: 0, covered: 0, clustered: 0, unscored: 0 },
    ...{ calls: noCalls(), counts: {}, spreads: spreads.map(noSpread) },
    parts: noFamilies(partRules),
  };
}

/**
 * Adds an answer; one whose row is there already changes nothing. An answer without a score has no row:
 * it counts as one, and as a call. Changes and returns `state`.
 * @example addAnswer(rules, noAnswers(rules), scored).rowCount // 1
 */
export function addAnswer<Name extends string, Detail>(
  rules: RunRules<Name, Detail>,
  state: RunState,
  scored: ScoredSample<Detail>,
): RunState {
  if (state.rows[scored.seq] !== undefined) return state;
  countCall(state.calls, scored.call);
  const read = rules.read(scored);
  if (read === null) {
    state.answers.unscored++;
    return state;
  }
  const row = rowOf(scored, inOrder(rules.columns, read.numbers));
  state.answers.scored++;
  if (scored.score.covered) state.answers.covered++;
  if (row.cluster !== null) state.answers.clustered++;
  addRow(rules.columns, state, scored.seq, row);
  addCounted(state.counts, read.counts ?? {});
  rules.spreads.forEach((name, k) => {
    addValue(state.spreads[k]!, read.numbers[name]);
  });
  const group = hash32(unitName(row)) % partGroups;
  for (const [key, name] of Object.entries(scored.tags)) {
    if (key !== "cluster") addPart(rules.columns, state, `tag ${key}`, name, row.values, group);
  }
  for (const { family, name, numbers } of read.parts ?? []) {
    addPart(rules.columns, state, family, name, inOrder(rules.columns, numbers), group);
  }
  return state;
}

function rowOf({ id, tags, call }: ScoredSample, values: number[]): AnswerRow {
  const { latencyMs, firstByteMs } = timesOf(call);
  return { id, cluster: tags["cluster"] ?? null, values, latencyMs, firstByteMs };
}

/**
 * The unit that a row is resampled with, by name: its cluster, or its sample.
 * Source: docs/spec/statistics.md, bootstrap interval.
 * @example unitName({ id: "s1", cluster: null }) // "sample s1"
 */
export function unitName({ id, cluster }: Pick<AnswerRow, "id" | "cluster">): string {
  return cluster === null ? `sample ${id}` : `cluster ${cluster}`;
}

/** Names stand in their order, so that equal counts are equal bytes. */
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

function addPart(
  columns: Columns<string>,
  state: RunState,
  family: string,
  name: string,
  values: readonly number[],
  group: number,
): void {
  const part = memberOf(state.parts, family, name, partRules);
  if (part === null) {
    crowdOf(state.parts, family, partRules).answers++;
    return;
  }
  part.answers++;
  part.columns[group] ??= noColumnSums(columns);
  addColumns(part.columns[group], values);
}

function addRow(columns: Columns<string>, state: RunState, seq: number, row: AnswerRow): void {
  if (state.blocks !== null) {
    addToBlocks(columns, state.blocks, row);
    return;
  }
  state.rows[seq] = row;
  state.rowCount++;
  if (state.rowCount > mostRows) collapse(columns, state);
}

type Blocks = NonNullable<RunState["blocks"]>;

/** From rows to blocks, which are the same whenever it is done. */
function collapse(columns: Columns<string>, state: RunState): Blocks {
  const blocks = state.blocks ?? {
    columns: {},
    times: { latency: noBins(), firstByte: noBins(), generation: noBins() },
  };
  for (const row of Object.values(state.rows)) addToBlocks(columns, blocks, row);
  state.rows = {};
  state.rowCount = 0;
  state.blocks = blocks;
  return blocks;
}

function addToBlocks(columns: Columns<string>, { columns: sums, times }: Blocks, row: AnswerRow) {
  const block = hash32(unitName(row)) % blockCount;
  sums[block] ??= noColumnSums(columns);
  addColumns(sums[block], row.values);
  const { latencyMs, firstByteMs } = row;
  if (latencyMs !== null) addBinned(times.latency, latencyMs);
  if (firstByteMs !== null) addBinned(times.firstByte, firstByteMs);
  if (latencyMs !== null && firstByteMs !== null) {
    addBinned(times.generation, Math.max(0, latencyMs - firstByteMs));
  }
}

/**
 * Adds the answers of `other`, which are none of `state`'s. Changes and returns `state`.
 * @example mergeStates(rules, state, noAnswers(rules))
 */
export function mergeStates(
  { columns }: { columns: Columns<string> },
  state: RunState,
  other: RunState,
): RunState {
  mergeRows(columns, state, other);
  addCounts(state.answers, other.answers);
  addCounts(state.calls, other.calls);
  addCounted(state.counts, other.counts);
  state.spreads.forEach((spread, k) => {
    mergeSpread(spread, other.spreads[k]!);
  });
  mergeFamilies(state.parts, other.parts, partRules);
  return state;
}

function mergeRows(columns: Columns<string>, state: RunState, other: RunState): void {
  if (state.blocks === null && other.blocks === null) {
    Object.assign(state.rows, other.rows);
    state.rowCount = Object.keys(state.rows).length;
    if (state.rowCount > mostRows) collapse(columns, state);
    return;
  }
  const blocks = collapse(columns, state);
  for (const row of Object.values(other.rows)) addToBlocks(columns, blocks, row);
  if (other.blocks === null) return;
  addCounts(blocks.columns, other.blocks.columns);
  mergeBins(blocks.times.latency, other.blocks.times.latency);
  mergeBins(blocks.times.firstByte, other.blocks.times.firstByte);
  mergeBins(blocks.times.generation, other.blocks.times.generation);
}
