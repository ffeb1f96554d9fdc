import type { ScoredSample } from "../../../contracts/suite.ts";
import { noTimeBins } from "../../../measures/performance/durations.ts";
import {
  addToBlocks,
  type Blocks,
  mostRows,
  partGroup,
} from "../../../measures/run-sums/run-state.ts";
import { type Bounded, entriesOf, entryOf, noEntries } from "../../../stats/sums/bounded.ts";
import {
  addEach,
  type CompensatedSums,
  eachSum,
  noSums,
} from "../../../stats/sums/compensated-sum.ts";
import { type Families, noFamilies } from "../../../stats/sums/families.ts";
import { lostOutput } from "../score/lost-output.ts";
import { type ExtractionDetail, isScored, type UnscoredDetail } from "../score/score.ts";
import { countFields, type FieldTables, noFieldTables } from "./breakdown/field-tables.ts";
import {
  type CorrelationId,
  correlationPairs,
  headlineValues,
  rowNumbers,
  type ScoreRow,
  scoreRow,
} from "./columns.ts";
import { addMeans, type MeanSums, noMeanSums } from "./figures.ts";
import { addToGroup, addToTags, type GroupSums, groupAnswer, noGroup } from "./groups.ts";
import { type RepeatedAnswer, repeatedAnswer } from "./repeats.ts";
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

/** Sums over pairs for a correlation. */
interface Moments {
  n: number;
  /** Of x, y, x², y² and x · y. */
  sums: CompensatedSums;
}

/** A run of more answers than are kept as rows: the headline's sums by block, the others of all. */
export interface ExtractionBlocks extends Blocks {
  means: MeanSums;
  moments: Record<CorrelationId, Moments>;
}

/**
 * No answers yet.
 * @example noBlocks().columns // {}
 */
export function noBlocks(): ExtractionBlocks {
  return {
    columns: {},
    times: noTimeBins(),
    means: noMeanSums(),
    moments: Object.fromEntries(
      correlationPairs.map(({ id }) => [id, { n: 0, sums: noSums(5) }]),
    ) as ExtractionBlocks["moments"],
  };
}

/**
 * Adds a row to the block of its sample, or of its cluster.
 * @example addRowToBlocks(blocks, row)
 */
function addRowToBlocks(blocks: ExtractionBlocks, row: ScoreRow): void {
  const numbers = rowNumbers(row);
  addToBlocks(blocks, { ...row, values: headlineValues(numbers) });
  addMeans(blocks.means, numbers);
  for (const { id, of } of correlationPairs) addPair(blocks.moments[id], of(row, numbers));
}

function addPair(moments: Moments, [x, y]: [number | null, number | null]): void {
  if (x === null || y === null) return;
  moments.n++;
  addEach(moments.sums, [x, y, x * x, y * y, x * y]);
}

/**
 * The moments of a pair as numbers.
 * @example pearsonOfSums(pairSums(blocks.moments.latencyByDepth))
 */
export function pairSums({ n, sums }: Moments) {
  const [x = 0, y = 0, xx = 0, yy = 0, xy = 0] = eachSum(sums);
  return { n, x, y, xx, yy, xy };
}
