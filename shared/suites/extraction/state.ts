import type { ScoredSample } from "../../contracts/suite.ts";
import { addCounts } from "../../stats/add-counts.ts";
import { type Bounded, entriesOf, entryOf, mergeEntries, noEntries } from "../../stats/bounded.ts";
import { type Families, mergeFamilies, noFamilies } from "../../stats/families.ts";
import { hash32 } from "../../stats/hash32.ts";
import { addToBlocks, type Blocks, mergeBlocks, mostRows, noBlocks } from "./blocks.ts";
import { rowNumbers } from "./columns.ts";
import { groupCount } from "./field-cell.ts";
import { countFields, type FieldTables, mergeFieldTables, noFieldTables } from "./field-tables.ts";
import {
  addToGroup,
  addToTags,
  type GroupSums,
  groupAnswer,
  mergeGroups,
  noGroup,
  tagRules,
} from "./groups.ts";
import { lostOutput } from "./lost-output.ts";
import { type RepeatedAnswer, repeatedAnswer } from "./repeats.ts";
import { type ExtractionDetail, isScored, type UnscoredDetail } from "./score.ts";
import { type ScoreRow, scoreRow, unitName } from "./score-row.ts";
import { countAnswer, countUnscored, noTallies, type Tallies } from "./tallies.ts";

/** Samples whose repeats are compared. */
const mostRepeated = 2_000;

/** A sample with the answers to it. */
export interface RepeatedSample {
  id: string;
  answers: RepeatedAnswer[];
}

/** Answers by a name of the endpoint's side. */
type Named = Bounded<{ count: number }>;
const mostNames = 100;

/**
 * What is kept of a run: up to 20,000 answers a row each by seq, of more sums by block; and everything
 * else in counts. Its size depends on neither samples nor fields beyond that. States of disjoint sets of
 * answers merge in any grouping and order to one of the same bytes.
 */
export interface ExtractionState {
  rows: Record<number, ScoreRow>;
  rowCount: number;
  /** Instead of rows, once they are too many. */
  blocks: Blocks | null;
  tallies: Tallies;
  fields: FieldTables;
  bins: Record<"simple" | "medium" | "complex", GroupSums>;
  /** By tag, then by value. */
  tags: Families<GroupSums>;
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
    ...{
      tags: noFamilies(tagRules),
      modes: noEntries(),
      failures: noEntries(),
      repeated: noEntries(),
    },
  };
}

/**
 * Adds an answer; one whose row is there already changes nothing. An answer without a score has no row:
 * it counts as one, and as a call. Changes and returns `state`.
 * @example addAnswer(noAnswers(), scored).rowCount // 1
 */
export function addAnswer(
  state: ExtractionState,
  { score, ...answer }: ScoredSample<ExtractionDetail | UnscoredDetail>,
): ExtractionState {
  if (state.rows[answer.seq] !== undefined) return state;
  if (isScored(score)) addScored(state, { ...answer, score });
  else countUnscored(state.tallies, answer.call);
  countName(state.modes, answer.call.structuredMode);
  countName(state.failures, answer.call.error?.class ?? null);
  return state;
}

function addScored(state: ExtractionState, scored: ScoredSample<ExtractionDetail>): void {
  const { detail } = scored.score;
  const row = scoreRow(scored);
  addRow(state, scored.seq, row);
  const numbers = rowNumbers(row);
  const group = hash32(unitName(row)) % groupCount;
  const { bin } = detail.complexity;
  countAnswer(state.tallies, scored);
  const { seq, id } = scored;
  const lost = lostOutput(scored.score);
  countFields(state.fields, detail.fields, { seq, id, group, bin, lost });
  const answer = groupAnswer(scored, numbers, group);
  addToGroup(state.bins[bin], answer);
  addToTags(state.tags, scored.tags, answer);
  addRepeat(state, scored);
}

function countName(names: Named, name: string | null): void {
  const entry = name === null ? null : entryOf(names, name, mostNames, () => ({ count: 0 }));
  if (entry !== null) entry.count++;
}

function addRepeat(state: ExtractionState, { seq, id, score }: ScoredSample<ExtractionDetail>) {
  const answer = repeatedAnswer(score.detail);
  if (answer === null) return;
  const none = (): Record<number, RepeatedAnswer> => ({});
  const repeats = entryOf(state.repeated, id, mostRepeated, none);
  if (repeats !== null) repeats[seq] = answer;
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
  for (const bin of ["simple", "medium", "complex"] as const) {
    mergeGroups(state.bins[bin], other.bins[bin]);
  }
  mergeFamilies(state.tags, other.tags, tagRules);
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
 * The answers of each sample whose repeats are compared, by its id, in the order of the run.
 * @example repeatedSamples(noAnswers()) // []
 */
export function repeatedSamples({ repeated }: ExtractionState): RepeatedSample[] {
  return entriesOf(repeated).map(([id, answers]) => ({ id, answers: Object.values(answers) }));
}

/**
 * The groups of samples, of the 128 that parts are resampled by, that hold any answer.
 * @example groupsWithSamples(noAnswers()) // []
 */
export function groupsWithSamples({ bins }: ExtractionState): number[] {
  const groups = Object.values(bins).flatMap(({ columns }) => Object.keys(columns).map(Number));
  return [...new Set(groups)].sort((a, b) => a - b);
}
