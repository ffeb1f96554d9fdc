import type { Estimate } from "../../../contracts/metric.ts";
import type { RunFacts, Summary } from "../../../contracts/suite.ts";
import {
  judgedBy,
  judgeRows,
  judgingEstimates,
  panelRows,
  unjudgedRows,
} from "../../../measures/judging/judge-tables.ts";
import { answerSums, type NamedSums, namedSums } from "../../../measures/run-sums/named-sums.ts";
import { runBasis, shownBasis } from "../../../measures/run-sums/run-basis.ts";
import {
  crowdedFamilies,
  estimatesOf,
  runFigures,
  tagParts,
} from "../../../measures/run-sums/run-figures.ts";
import type { RunState } from "../../../measures/run-sums/run-state.ts";
import { criterionJudges, rubricMetrics } from "../criteria.ts";
import type { RubricOptions } from "../options.ts";
import { gradesOf } from "../rubric.ts";
import type { RubricBreakdown } from "./breakdown.ts";
import { type RubricState, runStatistics, sumsAt } from "./state.ts";

/**
 * The summary of a run: every metric of its rubric's catalogue with its interval and the number of samples judged, and
 * the tables of criteria and judges. The coverage of a criterion is the share of answers that it judged, of those to
 * which it applies; the coverage of the rubric score is the share of answered and scored samples.
 * Source: docs/spec/statistics.md, bootstrap interval.
 * @example summarize(state, run).metrics["rubricScore"] // { value, interval, n, coverage }
 */
export function summarize(state: RubricState, run: RunFacts<RubricOptions>): Summary {
  const { rubric, repeats } = run.options;
  const { criteria } = state;
  const catalogue = rubricMetrics(rubric);
  const judged: RunState = { ...state.run, parts: state.judges };
  const at = sumsAt(criteria);
  const basis = runBasis(state.run, repeats, { measuredBy: judgedBy(at, "rubricScore") });
  const perSample = namedSums(basis.columns, at);
  const total = answerSums(state.run, basis, at, repeats);
  const answers = Math.max(1, total("answers"));
  const metrics = estimatesOf(catalogue, {
    ...runFigures(state.run, basis, runStatistics(criteria), catalogue, run),
    ...judgingEstimates(judged, basis.samples),
    ...judgmentEstimates(total, criteria, basis.samples),
  });
  const rest = (id: string, counted: string, coverage: number) => {
    const n = Math.round(perSample(counted));
    const { value, interval } = metrics[id]!;
    // With one judged sample, every resample has the same value.
    metrics[id] = { value, interval: n < 2 ? null : interval, n, coverage };
  };
  rest("rubricScore", "scored", total("coveredScored") / answers);
  for (const id of criteria) {
    rest(id, `${id}.judged`, total(`${id}.judged`) / Math.max(1, total(`${id}.asked`)));
  }
  const breakdown: RubricBreakdown = {
    ...shownBasis(basis, basis.answers - Math.round(total("scored"))),
    rubric: rubric.name,
    counts: Object.fromEntries(
      Object.entries(state.run.counts).filter(([name]) => /^(status|truncated)/.test(name)),
    ),
    criteria: criterionRows(rubric, metrics, state.run, total),
    unjudged: unjudgedRows(state.run.counts, basis.answers, criteria),
    judges: judgeRows(judged, run.runId, criteria),
    panels: panelRows(judged, run.runId, criteria),
    tags: tagParts(state.run, runStatistics(criteria), run.runId),
    crowded: [...crowdedFamilies(state.run), ...crowdedFamilies(judged)],
  };
  return { metrics, breakdown };
}

function criterionRows(
  rubric: RubricOptions["rubric"],
  metrics: Readonly<Record<string, Estimate>>,
  { counts }: RunState,
  total: NamedSums,
): RubricBreakdown["criteria"] {
  const whole = rubric.criteria.reduce((sum, { weight }) => sum + weight, 0);
  const judges = criterionJudges(rubric);
  return rubric.criteria.map((criterion, i) => {
    const { id, weight, question, better } = criterion;
    const { label, grades } = judges[i]!;
    const [worst, best] = grades;
    const { value, interval, coverage } = metrics[id]!;
    const gradeOf = (share: number) => worst + share * (best - worst);
    const ends = interval?.map(gradeOf).sort((a, b) => a - b) as [number, number] | undefined;
    const ascending = gradesOf(criterion);
    return {
      metric: id,
      label,
      question,
      share: weight / whole,
      worst,
      best,
      judged: Math.round(total(`${id}.judged`)),
      coverage: value === null ? null : coverage,
      mean: value === null ? null : gradeOf(value),
      interval: ends ?? null,
      levels: (better === "higher" ? ascending : ascending.toReversed()).map((grade) => ({
        grade,
        count: counts[`grade ${id} ${grade}`] ?? 0,
      })),
      unsupportedEvidence: Math.round(total(`${id}.unsupported`)),
    };
  });
}

function judgmentEstimates(
  total: NamedSums,
  criteria: readonly string[],
  samples: number,
): Record<string, Estimate> {
  const over = (column: string) => criteria.reduce((all, id) => all + total(`${id}.${column}`), 0);
  const known = (value: number): Estimate => ({
    value: samples === 0 ? null : value,
    interval: null,
    n: samples,
    coverage: samples === 0 ? 0 : 1,
  });
  return {
    unjudgedRate: known(1 - over("judged") / Math.max(1, over("asked"))),
    unsupportedEvidence: known(over("unsupported")),
  };
}
