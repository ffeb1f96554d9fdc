import type { ScoredSample } from "../../contracts/suite.ts";
import { addCounts } from "../../stats/add-counts.ts";
import {
  type Bounded,
  entriesOf,
  entryOf,
  mergeEntries,
  noEntries,
  thin,
} from "../../stats/bounded.ts";
import { hash32 } from "../../stats/hash32.ts";
import { addToBlocks, type Blocks, mergeBlocks, mostRows, noBlocks } from "./blocks.ts";
import { rowNumbers } from "./columns.ts";
import { groupCount } from "./field-cell.ts";
import { countFields, type FieldTables, mergeFieldTables, noFieldTables } from "./field-tables.ts";
import { addToGroup, addToTags, type GroupSums, noGroup } from "./groups.ts";
import { type RepeatedAnswer, repeatedAnswer } from "./repeats.ts";
import type { ExtractionDetail } from "./score.ts";
import { type ScoreRow, scoreRow, unitName } from "./score-row.ts";
import { countAnswer, noTallies, type Tallies } from "./tallies.ts";

/** Values of tags that are told apart in one run, and samples whose repeats are compared. */
export const mostTagValues = 5_000;
const mostRepeated = 2_000;

/** Answers by a name of the endpoint's side. */
type Named = Bounded<{ count: number }>;
export const mostNames = 100;

/**
 * What is kept of a run: up to 20,000 answers a row each by seq, of more sums by block; and everything
 * else in counts. Its size depends on neither samples nor fields beyond that. States of disjoint sets of
 * answers merge in any grouping and order to one of the same bytes, or where names were too many to
 * keep, to one of the same summary.
 */
export interface ExtractionState {
  rows: Record<number, ScoreRow>;
  rowCount: number;
  /** Instead of rows, once they are too many. */
  blocks: Blocks | null;
  tallies: Tallies;
  fields: FieldTables;
  bins: Record<"simple" | "medium" | "complex", GroupSums>;
  tags: Bounded<GroupSums>;
  modes: Named;
  failures: Named;
  /** By sample, its answers by seq. */
  repeated: Bounded<Record<number, RepeatedAnswer>>;
}

/**
 * The state of no answers.
 * @example noAnswers().rowCount // 0
 */
export function noAnswers(): ExtractionState {
  return {
    ...{ rows: {}, rowCount: 0, blocks: null },
    ...{ tallies: noTallies(), fields: noFieldTables() },
    bins: { simple: noGroup(), medium: noGroup(), complex: noGroup() },
    ...{ tags: noEntries(), modes: noEntries(), failures: noEntries(), repeated: noEntries() },
  };
}

/**
 * Adds an answer; one whose row is there already changes nothing. Changes and returns `state`.
 * @example addAnswer(noAnswers(), scored).rowCount // 1
 */
export function addAnswer(
  state: ExtractionState,
  scored: ScoredSample<ExtractionDetail>,
): ExtractionState {
  if (state.rows[scored.seq] !== undefined) return state;
  const { detail } = scored.score;
  const row = scoreRow(scored);
  addRow(state, scored.seq, row);
  const numbers = rowNumbers(row);
  const group = hash32(unitName(row)) % groupCount;
  const { bin } = detail.complexity;
  countAnswer(state.tallies, scored);
  countFields(state.fields, detail.fields, { seq: scored.seq, id: scored.id, group, bin });
  addToGroup(state.bins[bin], numbers, group);
  addToTags(state.tags, scored.tags, numbers, group);
  thin(state.tags, mostTagValues);
  countName(state.modes, scored.call.structuredMode);
  countName(state.failures, scored.call.error?.class ?? null);
  addRepeat(state, scored);
  return state;
}

function countName(names: Named, name: string | null): void {
  if (name !== null) entryOf(names, name, () => ({ count: 0 })).count++;
}

function addRepeat(state: ExtractionState, { seq, id, score }: ScoredSample<ExtractionDetail>) {
  const answer = repeatedAnswer(score.detail);
  if (answer === null) return;
  entryOf(state.repeated, id, () => ({}) as Record<number, RepeatedAnswer>)[seq] = answer;
  thin(state.repeated, mostRepeated);
}

function addRow(state: ExtractionState, seq: number, row: ScoreRow): void {
  if (state.blocks !== null) {
    addToBlocks(state.blocks, row);
    return;
  }
  state.rows[seq] = row;
  state.rowCount++;
  if (state.rowCount > mostRows) collapse(state);
}

/** From rows to blocks, which are the same whenever it is done. */
function collapse(state: ExtractionState): Blocks {
  const blocks = state.blocks ?? noBlocks();
  for (const row of Object.values(state.rows)) addToBlocks(blocks, row);
  state.rows = {};
  state.rowCount = 0;
  state.blocks = blocks;
  return blocks;
}

/**
 * Adds the answers of `other`, which are none of `state`'s. Changes and returns `state`.
 * @example mergeStates(state, noAnswers())
 */
export function mergeStates(state: ExtractionState, other: ExtractionState): ExtractionState {
  mergeRows(state, other);
  addCounts(state.tallies, other.tallies);
  mergeFieldTables(state.fields, other.fields);
  addCounts(state.bins, other.bins);
  mergeEntries(state.tags, other.tags, mostTagValues, noGroup, addCounts);
  const none = () => ({ count: 0 });
  mergeEntries(state.modes, other.modes, mostNames, none, addCounts);
  mergeEntries(state.failures, other.failures, mostNames, none, addCounts);
  mergeEntries(state.repeated, other.repeated, mostRepeated, () => ({}), Object.assign);
  return state;
}

function mergeRows(state: ExtractionState, other: ExtractionState): void {
  if (state.blocks === null && other.blocks === null) {
    Object.assign(state.rows, other.rows);
    state.rowCount = Object.keys(state.rows).length;
    if (state.rowCount > mostRows) collapse(state);
    return;
  }
  const blocks = collapse(state);
  if (other.blocks !== null) mergeBlocks(blocks, other.blocks);
  for (const row of Object.values(other.rows)) addToBlocks(blocks, row);
}

/**
 * The answers of each sample whose repeats are compared, in the order of the run.
 * @example repeatedSamples(noAnswers()) // []
 */
export function repeatedSamples({ repeated }: ExtractionState): RepeatedAnswer[][] {
  return entriesOf(repeated, mostRepeated).map(([, answers]) => Object.values(answers));
}

/**
 * The groups of samples, of the 128 that parts are resampled by, that hold any answer.
 * @example groupsWithSamples(noAnswers()) // []
 */
export function groupsWithSamples({ bins }: ExtractionState): number[] {
  const groups = Object.values(bins).flatMap(({ columns }) => Object.keys(columns).map(Number));
  return [...new Set(groups)].sort((a, b) => a - b);
}
