import type { ScoredSample } from "../../../contracts/suite.ts";
import {
  addAnswer as addToRun,
  noAnswers as noRun,
  partGroup,
  type RunRules,
  type RunState,
} from "../../../measures/run-sums/run-state.ts";
import { type Bounded, entriesOf, entryOf, noEntries } from "../../../stats/sums/bounded.ts";
import { defaultOptions, type ExtractionOptions } from "../options.ts";
import { lostOutput } from "../score/lost-output.ts";
import { type ExtractionDetail, isScored, type UnscoredDetail } from "../score/score.ts";
import { countFields, type FieldTables, noFieldTables } from "./breakdown/field-tables.ts";
import { columns, type ExtractionColumn, headlineCount, numbersOf } from "./columns.ts";
import {
  addMoments,
  type KeptAnswer,
  keptAnswer,
  type Moments,
  noMoments,
} from "./correlations.ts";
import { binFamily, countInGroups, type GroupTallies, noGroups } from "./groups.ts";
import { type RepeatedAnswer, repeatedAnswer } from "./repeats.ts";
import { countAnswer, noTallies, type Tallies } from "./tallies.ts";

/** Maximum samples whose repeats are compared. */
const mostRepeated = 2_000;

/** A sample with the answers to it. */
export interface RepeatedSample {
  id: string;
  answers: RepeatedAnswer[];
}

/**
 * The data kept of a run: its sums, one row for each of up to 20,000 answers, and counts. Beyond that, its size does
 * not depend on the number of samples or fields.
 */
export interface ExtractionState {
  run: RunState;
  /** One entry per row, as long as the run keeps rows. */
  kept: KeptAnswer[];
  moments: Moments;
  tallies: Tallies;
  fields: FieldTables;
  groups: GroupTallies;
  /** Answers by structured-output mode, and failed requests by class. */
  modes: Record<string, number>;
  /** By mode, untruncated answers that are not JSON or don't fit their schema. */
  unfit: Record<string, number>;
  failures: Record<string, number>;
  /** By sample, its answers in run order. */
  repeated: Bounded<RepeatedAnswer[]>;
}

/** How answers become numbers: for the whole run, and by complexity of the schema. */
const rules: RunRules<ExtractionColumn, ExtractionDetail | UnscoredDetail> = {
  columns,
  partColumns: headlineCount,
  spreads: [],
  read: ({ score }) => {
    if (!isScored(score)) return null;
    const numbers = numbersOf({ score });
    return { numbers, parts: [{ family: binFamily, name: score.detail.complexity.bin, numbers }] };
  },
};

/**
 * The state without answers.
 * @example noAnswers().run.rows // []
 */
export const noAnswers = ({
  passScore,
}: Pick<ExtractionOptions, "passScore"> = defaultOptions): ExtractionState => ({
  run: noRun(rules, passScore),
  kept: [],
  moments: noMoments(),
  tallies: noTallies(),
  fields: noFieldTables(),
  groups: noGroups(),
  modes: {},
  unfit: {},
  failures: {},
  repeated: noEntries(),
});

/**
 * Adds an answer. An unscored answer has no row, but counts as unscored and as a call. Changes and returns `state`.
 * @example addAnswer(noAnswers(), scored).run.rows.length // 1
 */
export function addAnswer(
  state: ExtractionState,
  { score, ...answer }: ScoredSample<ExtractionDetail | UnscoredDetail>,
): ExtractionState {
  addToRun(rules, state.run, { ...answer, score });
  if (isScored(score)) addScored(state, { ...answer, score });
  countName(state.modes, answer.call.structuredMode);
  countName(state.failures, answer.call.error?.class ?? null);
  return state;
}

function addScored(state: ExtractionState, scored: ScoredSample<ExtractionDetail>): void {
  const { seq, id, score } = scored;
  const { detail } = score;
  const kept = keptAnswer(scored);
  if (state.run.blocks === null) state.kept.push(kept);
  else state.kept = [];
  // Constrained decoding prevents misfits, unless the answer is truncated, refused or empty.
  const isWhole = detail.status === "answered" && !detail.truncated;
  const isUnfit = isWhole && !(detail.valid && detail.parse === "clean");
  if (isUnfit) countName(state.unfit, scored.call.structuredMode);
  addMoments(state.moments, kept, detail.valid ? detail.partialF1 : 0);
  countAnswer(state.tallies, scored);
  const { bin } = detail.complexity;
  const source = { seq, id, group: partGroup(kept), bin, lost: lostOutput(score) };
  countFields(state.fields, detail.fields, source);
  countInGroups(state.groups, scored);
  const repeat = repeatedAnswer(detail);
  if (repeat !== null) entryOf(state.repeated, id, mostRepeated, () => [])?.push(repeat);
}

function countName(names: Record<string, number>, name: string | null): void {
  if (name !== null) names[name] = (names[name] ?? 0) + 1;
}

/**
 * The answers of each sample whose repeats are compared, in run order.
 * @example repeatedSamples(noAnswers()) // []
 */
export function repeatedSamples({ repeated }: ExtractionState): RepeatedSample[] {
  return entriesOf(repeated).map(([id, answers]) => ({ id, answers }));
}
