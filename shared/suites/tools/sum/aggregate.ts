import type { Aggregator, RunFacts, Summary } from "../../../contracts/suite.ts";
import { type RunBasis, runBasis, shownBasis } from "../../../measures/run-sums/run-basis.ts";
import {
  crowdedFamilies,
  estimatesOf,
  partFigures,
  partSums,
  runFigures,
  tagParts,
} from "../../../measures/run-sums/run-figures.ts";
import {
  addAnswer,
  noAnswers,
  type PartNumbers,
  type RunRules,
  type RunState,
} from "../../../measures/run-sums/run-state.ts";
import type { Interval } from "../../../stats/bootstrap/bootstrap.ts";
import { toolsMetrics } from "../metrics.ts";
import type { ToolsOptions } from "../options.ts";
import { levels } from "../sample.ts";
import { failureClasses } from "../score/failures.ts";
import { isRight, type ToolsDetail } from "../score/score.ts";
import { levelWeights } from "../score/total-score.ts";
import type { ToolsBreakdown } from "./breakdown.ts";
import {
  at,
  levelOf,
  matchedShare,
  noNumbers,
  numbersOf,
  partStatistics,
  runStatistics,
  sampleCounts,
  type ToolsColumn,
  toolsColumns,
} from "./columns.ts";
import { type ThresholdPoint, thresholdCurve, thresholdIntervals } from "./threshold-curve.ts";
import { addTurns, type ToolsState, turnFigures } from "./turn-sums.ts";

/** How answers become numbers: the whole answer, its functions, their arguments, its source. */
const rules: RunRules<ToolsColumn, ToolsDetail> = {
  columns: toolsColumns,
  spreads: [],
  read: ({ score: { status, detail } }) =>
    status === "scored"
      ? {
          numbers: numbersOf(detail),
          parts: partsOf(detail),
          right: detail.turns ? +isRight(detail) : detail.f1,
          counts: {
            [`status ${detail.status}`]: 1,
            [`from ${detail.from}`]: 1,
            ...(detail.truncated && { truncated: 1 }),
          },
        }
      : null,
};

type Part = PartNumbers<ToolsColumn>;

function partsOf({ functions, failures, source }: ToolsDetail): Part[] {
  const parts = new Map<string, Part>();
  const numbersIn = (family: string, name: string) => {
    const key = JSON.stringify([family, name]);
    const part = parts.get(key) ?? { family, name, numbers: noNumbers() };
    parts.set(key, part);
    return part.numbers as Record<ToolsColumn, number>;
  };
  for (const { name, expected, matched } of functions) {
    Object.assign(numbersIn("function", name), { expected, matched });
  }
  for (const failure of failures) {
    numbersIn("function", failure.function)[failure.class]++;
    if (failure.argument === null) continue;
    numbersIn("argument", `${failure.function}(${failure.argument})`)[failure.class]++;
  }
  numbersIn("source", source ?? "(not stated)").samples++;
  return [...parts.values()];
}

/**
 * The suite's aggregate: sums over samples by level, failures by function and argument, and the summary.
 * Source: docs/spec/tools.md, metrics.
 */
export const toolsAggregate: Aggregator<ToolsState, ToolsDetail, ToolsOptions> = {
  empty: ({ passScore }) => noAnswers(rules, passScore),
  add: (state, scored) => addTurns(addAnswer(rules, state, scored), scored.score),
  finish: summarize,
};

/**
 * The summary of a run: every metric of the catalogue with its interval (levels are resampled separately), and the
 * tables of failures, sources, tags and hybrid routing.
 * Source: docs/spec/tools.md, metrics; docs/spec/statistics.md, bootstrap interval.
 * @example summarize(state, run).metrics["total"] // { value, interval, n, coverage }
 */
function summarize(state: ToolsState, run: RunFacts<ToolsOptions>): Summary {
  const { repeats, timeBaselineMs } = run.options;
  const basis = runBasis(state, repeats, { stratumOf: levelOf });
  const measured = runFigures(
    state,
    basis,
    runStatistics(timeBaselineMs),
    toolsMetrics,
    run,
    sampleCounts,
  );
  return {
    metrics: estimatesOf(toolsMetrics, measured),
    breakdown: breakdownOf(state, basis, run),
  };
}

function breakdownOf(
  state: ToolsState,
  basis: RunBasis,
  run: RunFacts<ToolsOptions>,
): ToolsBreakdown {
  const sums = basis.columns.map(
    (column) => column.reduce((a, b) => a + b, 0) * run.options.repeats,
  );
  return {
    ...shownBasis(basis, state.answers.unscored),
    counts: state.counts,
    levels: levelsOf(sums, run.options.repeats),
    failures: failuresIn(sums),
    functions: functionsOf(state, run.runId),
    arguments: partSums(state, "argument")
      .map(({ name, sums: its }) => ({ name, failures: failuresIn(its) }))
      .sort(byFailures),
    sources: partSums(state, "source")
      .map(({ name, n }) => ({ name, n }))
      .sort((a, b) => b.n - a.n),
    turns: turnFigures(state.turns, run.prices),
    tags: tagParts(state, partStatistics, run.runId),
    crowded: crowdedFamilies(state),
    hybrid: hybridOf(state, run),
  };
}

function levelsOf(sums: ArrayLike<number>, repeats: number): ToolsBreakdown["levels"] {
  const present = levels.flatMap((level) => {
    const n = Math.round((sums[at[`${level}Samples`]] ?? 0) / repeats);
    return n === 0 ? [] : [{ level, n }];
  });
  const whole = present.reduce((sum, { level }) => sum + levelWeights[level], 0);
  return present.map(({ level, n }) => ({ level, n, weight: levelWeights[level] / whole }));
}

function failuresIn(sums: ArrayLike<number>): ToolsBreakdown["failures"] {
  const counts = failureClasses.map((name) => [name, Math.round(sums[at[name]] ?? 0)] as const);
  return Object.fromEntries(counts) as ToolsBreakdown["failures"];
}

function functionsOf(state: RunState, seed: string): ToolsBreakdown["functions"] {
  const shares = partFigures(state, "function", { matched: matchedShare }, seed);
  const intervalOf = new Map(
    shares.map(({ name, figures }) => [name, figures["matched"]?.interval ?? null]),
  );
  return partSums(state, "function")
    .map(({ name, n, sums }) => ({
      name,
      n,
      expected: sums[at.expected]!,
      matched: sums[at.matched]!,
      failures: failuresIn(sums),
      interval: intervalOf.get(name) ?? null,
    }))
    .sort(byFailures);
}

interface Failing {
  name: string;
  failures: ToolsBreakdown["failures"];
}

const countOf = ({ failures }: Failing) => Object.values(failures).reduce((a, b) => a + b, 0);

function byFailures(a: Failing, b: Failing): number {
  return countOf(b) - countOf(a) || (a.name < b.name ? -1 : 1);
}

/** Null without a hybrid target. A run kept as blocks has no curve, because it has no rows to route again. */
function hybridOf(
  { rows }: RunState,
  { hybrid, options, runId }: RunFacts<ToolsOptions>,
): ToolsBreakdown["hybrid"] {
  if (!hybrid) return null;
  const answers = Object.values(rows);
  const values = answers.map((row) => row.values);
  const { points, best } = thresholdCurve(values, hybrid.confidenceThreshold);
  const inMs = ({ slowness, ...point }: ThresholdPoint) => ({
    ...point,
    avgTime: slowness === null ? null : slowness * options.timeBaselineMs,
  });
  const known = points.map(({ threshold }) => threshold);
  const asked = known.filter(
    (one, i) =>
      i === 0 || one === null || one === best?.threshold || one === hybrid.confidenceThreshold,
  );
  const routed = answers.filter((row) => row.values[at.localAsked]! > 0);
  const intervals = thresholdIntervals(routed, asked, runId).map(({ slowness, ...its }) => ({
    ...its,
    avgTime: slowness && ends(slowness, options.timeBaselineMs),
  }));
  return {
    threshold: hybrid.confidenceThreshold,
    n: values.filter((row) => row[at.cloudAsked]! > 0).length,
    curve: points.map(inMs),
    best: best && inMs(best),
    intervals,
  };
}

const ends = ([low, high]: Interval, unit: number): Interval => [low * unit, high * unit];
