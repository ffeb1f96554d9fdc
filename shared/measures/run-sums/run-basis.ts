import { designEffect } from "../../stats/significance/rate-interval.ts";
import { eachSum } from "../../stats/sums/compensated-sum.ts";
import {
  type CallIntervals,
  intervalsOfBins,
  intervalsOfCalls,
} from "../performance/call-figures.ts";
import { requestRates } from "../performance/call-totals.ts";
import {
  binnedDistributions,
  type Distributions,
  distributionsOf,
} from "../performance/distributions.ts";
import type { DesignEffects } from "../performance/performance.ts";
import { type AnswerRow, type Blocks, type RunState, unitName } from "./run-state.ts";

/** The input for a run's figures, whether it was stored in rows or in blocks. */
export interface RunBasis {
  samples: number;
  answers: number;
  /** What is resampled; strata are resampled separately, in the order of units. */
  units: { kind: "samples" | "clusters" | "blocks"; count: number; strata: number[] };
  /** By column: its sum by unit. */
  columns: Float64Array[];
  /** By sample: its values in the order of the columns, repeats averaged; null in blocks. */
  values: number[][] | null;
  /** By sample: its unit of resampling, from 0; null in blocks. */
  unitOf: number[] | null;
  distributions: Distributions;
  calls: CallIntervals;
  /** Design effects of repeats on shares of requests. */
  effects: DesignEffects;
  /** By unit: input, output, cached, audio and reasoning tokens, and answers with both counts; null in blocks. */
  tokens: Float64Array[] | null;
}

/**
 * The first fields of a breakdown. `unscored`: number of answers without a score.
 * @example shownBasis(basis, 2).units // { kind: "samples", count: 40 }
 */
export const shownBasis = ({ samples, answers, units }: RunBasis, unscored: number) => ({
  samples,
  answers,
  unscored,
  units: { kind: units.kind, count: units.count },
});

/** The stratum of a sample from its numbers, such as its level; strata are sorted by name. */
type StratumOf = (values: readonly number[]) => number;

interface BasisRules {
  stratumOf?: StratumOf;
  /** By column: the column that is 1 if it was measured on an answer, else 0; undefined if it always was. */
  measuredBy?: readonly (number | undefined)[];
}

/**
 * The basis of a run's figures. Rows are used in the order of the run, so the same run gives the same numbers. Repeats
 * are averaged over those on which a column was measured. In blocks every answer has the same weight, which is the mean
 * over samples if each has `repeats` answers. If samples are the units and `stratumOf` is given, strata are resampled
 * separately. O(rows log rows).
 * @example runBasis(state, 1).samples
 */
export function runBasis(state: RunState, repeats: number, rules: BasisRules = {}): RunBasis {
  return state.blocks === null
    ? basisOfRows(state, rules)
    : basisOfBlocks(state, state.blocks, repeats);
}

function basisOfRows({ rows, answers }: RunState, rules: BasisRules): RunBasis {
  const { stratumOf, measuredBy = [] } = rules;
  const clustered = answers.clustered > 0;
  const samples = samplesOf(rows).map(({ rows: its, unit }) => ({
    rows: its,
    unit,
    values: meansOf(its, measuredBy),
  }));
  const strata =
    clustered || !stratumOf
      ? [samples.reduce((most, { unit }) => Math.max(most, unit + 1), 0)]
      : stratify(samples, stratumOf);
  const count = strata.reduce((sum, size) => sum + size, 0);
  const columns = Array.from(
    { length: rows[0]?.values.length ?? 0 },
    () => new Float64Array(count),
  );
  for (const { values, unit } of samples) {
    for (const [k, column] of columns.entries()) column[unit]! += values[k]!;
  }
  const timed = samples.flatMap(({ rows: its, unit }) => its.map((row) => ({ ...row, unit })));
  return {
    samples: samples.length,
    answers: rows.length,
    columns,
    values: samples.map(({ values }) => values),
    unitOf: samples.map(({ unit }) => unit),
    units: { kind: clustered ? "clusters" : "samples", count, strata },
    distributions: distributionsOf(rows),
    calls: intervalsOfCalls(timed, count),
    effects: repeatEffects(samples.map((sample) => sample.rows)),
    tokens: tokensOf(timed, count),
  };
}

/** Design effects: how much repeats of a sample depend on each other. */
const repeatEffects = (samples: readonly AnswerRow[][]): DesignEffects =>
  Object.fromEntries(
    requestRates.map((name, k) => {
      const counted = samples.map((rows) => rows.flatMap(({ rates }) => rates[k] ?? []));
      const hits = counted.map((values) => values.reduce((sum, value) => sum + value, 0));
      return [name, designEffect({ hits, items: counted.map(({ length }) => length) }) ?? 1];
    }),
  );

function tokensOf(rows: readonly (AnswerRow & { unit: number })[], units: number): Float64Array[] {
  const columns = Array.from({ length: 6 }, () => new Float64Array(units));
  for (const { unit, inputTokens, outputTokens, ...row } of rows) {
    if (inputTokens == null || outputTokens == null) continue;
    const { cachedTokens = 0, audioTokens = 0, reasoningTokens = 0 } = row;
    const numbers = [inputTokens, outputTokens, cachedTokens, audioTokens, reasoningTokens, 1];
    for (const [k, number] of numbers.entries()) columns[k]![unit]! += number;
  }
  return columns;
}

/**
 * The rows of each sample, repeats together, and its unit of resampling; units are numbered from 0 in order of
 * appearance. Linear.
 * Source: docs/spec/statistics.md, bootstrap interval.
 * @example samplesOf([row, repeatOfRow]).length // 1
 */
export function samplesOf<Row extends Pick<AnswerRow, "id" | "cluster">>(
  rows: readonly Row[],
): { rows: Row[]; unit: number }[] {
  const repeats = Map.groupBy(rows, ({ id }) => id);
  const units = new Map<string, number>();
  return [...repeats.values()].map((its) => {
    const name = unitName(its[0]!);
    const unit = units.get(name) ?? units.size;
    units.set(name, unit);
    return { rows: its, unit };
  });
}

/** The mean of each number over the repeats of a sample on which it was measured; 0 if it was never measured. */
function meansOf(rows: readonly AnswerRow[], by: readonly (number | undefined)[]): number[] {
  const sumOf = (k: number) => rows.reduce((sum, { values }) => sum + values[k]!, 0);
  const countOf = (at?: number) => (at === undefined ? rows.length : sumOf(at) || 1);
  return rows[0]!.values.map((_, k) => sumOf(k) / countOf(by[k]));
}

/** Makes each sample a unit, stratum by stratum, and returns the size of each stratum. */
function stratify(samples: { values: number[]; unit: number }[], stratumOf: StratumOf): number[] {
  const sizes = new Map<number, number>();
  const stratum = samples.map(({ values }) => stratumOf(values));
  const order = [...samples.keys()].sort((a, b) => stratum[a]! - stratum[b]! || a - b);
  for (const [unit, sample] of order.entries()) {
    samples[sample]!.unit = unit;
    sizes.set(stratum[sample]!, (sizes.get(stratum[sample]!) ?? 0) + 1);
  }
  return [...sizes.values()];
}

function basisOfBlocks(
  { answers }: RunState,
  { columns: blocks, times }: Blocks,
  repeats: number,
): RunBasis {
  const sums = Object.values(blocks).map(eachSum);
  const width = sums[0]?.length ?? 0;
  return {
    samples: Math.round(answers.scored / repeats),
    answers: answers.scored,
    values: null,
    unitOf: null,
    units: { kind: "blocks", count: sums.length, strata: [sums.length] },
    columns: Array.from({ length: width }, (_, k) =>
      Float64Array.from(sums, (values) => values[k]! / repeats),
    ),
    distributions: binnedDistributions(times),
    calls: intervalsOfBins(times, answers.clustered > 0),
    // Upper bounds, because blocks do not distinguish repeats.
    effects: Object.fromEntries(requestRates.map((name) => [name, repeats])),
    tokens: null,
  };
}
