import type { ScoredSample } from "../../../contracts/suite.ts";
import { mostRows, partGroup } from "../../../measures/run-sums/run-state.ts";
import { type Bounded, entriesOf, entryOf, noEntries } from "../../../stats/bounded.ts";
import { type Families, noFamilies } from "../../../stats/families.ts";
import { lostOutput } from "../score/lost-output.ts";
import { type ExtractionDetail, isScored, type UnscoredDetail } from "../score/score.ts";
import { addRowToBlocks, type ExtractionBlocks, noBlocks } from "./blocks.ts";
import { countFields, type FieldTables, noFieldTables } from "./breakdown/field-tables.ts";
import { rowNumbers } from "./columns.ts";
import { addToGroup, addToTags, type GroupSums, groupAnswer, noGroup } from "./groups.ts";
import { type RepeatedAnswer, repeatedAnswer } from "./repeats.ts";
import { type ScoreRow, scoreRow } from "./score-row.ts";
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
 * What is kept of a run: up to 20,000 answers a row each, of more sums by block; and everything else in
 * counts. Its size depends on neither samples nor fields beyond that.
 */
export interface ExtractionState {
  /** In the order of the run. */
  rows: ScoreRow[];
  /** Instead of rows, once they are too many. */
  blocks: ExtractionBlocks | null;
  tallies: Tallies;
  fields: FieldTables;
  bins: Record<"simple" | "medium" | "complex", GroupSums>;
  /** By tag, then by value. */
  tags: Families<GroupSums>;
  modes: Named;
  failures: Named;
  /** By sample, its answers in the order of the run. */
  repeated: Bounded<RepeatedAnswer[]>;
}

/**
 * The state of no answers.
 * @example noAnswers().rows // []
 */
export function noAnswers(): ExtractionState {
  return {
    rows: [],
    blocks: null,
    tallies: noTallies(),
    fields: noFieldTables(),
    bins: { simple: noGroup(), medium: noGroup(), complex: noGroup() },
    tags: noFamilies(),
    modes: noEntries(),
    failures: noEntries(),
    repeated: noEntries(),
  };
}

/**
 * Adds an answer. One without a score has no row: it counts as one, and as a call. Changes and returns
 * `state`.
 * @example addAnswer(noAnswers(), scored).rows.length // 1
 */
export function addAnswer(
  state: ExtractionState,
  { score, ...answer }: ScoredSample<ExtractionDetail | UnscoredDetail>,
): ExtractionState {
  if (isScored(score)) addScored(state, { ...answer, score });
  else countUnscored(state.tallies, answer.call);
  countName(state.modes, answer.call.structuredMode);
  countName(state.failures, answer.call.error?.class ?? null);
  return state;
}

function addScored(state: ExtractionState, scored: ScoredSample<ExtractionDetail>): void {
  const { seq, id, tags, score } = scored;
  const { detail } = score;
  const row = scoreRow(scored);
  addRow(state, row);
  const numbers = rowNumbers(row);
  const group = partGroup(row);
  const { bin } = detail.complexity;
  countAnswer(state.tallies, scored);
  countFields(state.fields, detail.fields, { seq, id, group, bin, lost: lostOutput(score) });
  const answer = groupAnswer(scored, numbers, group);
  addToGroup(state.bins[bin], answer);
  addToTags(state.tags, tags, answer);
  const repeat = repeatedAnswer(detail);
  if (repeat !== null) entryOf(state.repeated, id, mostRepeated, () => [])?.push(repeat);
}

function countName(names: Named, name: string | null): void {
  const entry = name === null ? null : entryOf(names, name, mostNames, () => ({ count: 0 }));
  if (entry !== null) entry.count++;
}

function addRow(state: ExtractionState, row: ScoreRow): void {
  if (state.blocks !== null) {
    addRowToBlocks(state.blocks, row);
    return;
  }
  state.rows.push(row);
  if (state.rows.length <= mostRows) return;
  state.blocks = noBlocks();
  for (const one of state.rows) addRowToBlocks(state.blocks, one);
  state.rows = [];
}

/**
 * The answers of each sample whose repeats are compared, by its id, in the order of the run.
 * @example repeatedSamples(noAnswers()) // []
 */
export function repeatedSamples({ repeated }: ExtractionState): RepeatedSample[] {
  return entriesOf(repeated).map(([id, answers]) => ({ id, answers }));
}

/**
 * The groups of samples, of the 128 that parts are resampled by, that hold any answer.
 * @example groupsWithSamples(noAnswers()) // []
 */
export function groupsWithSamples({ bins }: ExtractionState): number[] {
  const groups = Object.values(bins).flatMap(({ columns }) => Object.keys(columns).map(Number));
  return [...new Set(groups)].sort((a, b) => a - b);
}
