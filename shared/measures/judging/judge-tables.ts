import { unjudgedReasons } from "../../contracts/judging/judgment.ts";
import type { Estimate } from "../../contracts/metric.ts";
import { partFigures, partSums } from "../run-sums/run-figures.ts";
import type { RunState } from "../run-sums/run-state.ts";
import type { JudgeRow, PanelRow, UnjudgedRow } from "./breakdown.ts";
import {
  judgeAt,
  judgeFamily,
  judgeStatistics,
  panelFamily,
  panelStatistics,
} from "./judge-parts.ts";

type Parts = ReturnType<typeof partFigures>;

const inOrder =
  (metrics: readonly string[]) =>
  (a: { metric: string }, b: { metric: string }): number =>
    metrics.indexOf(a.metric) - metrics.indexOf(b.metric);

/**
 * A figure of a part; without one, a figure without a value.
 * @example measured({}, "kappa") // { value: null, interval: null }
 */
export const measured = (figures: Parts[number]["figures"], name: string) =>
  figures[name] ?? { value: null, interval: null };

/**
 * Judges by metric, in the order of `metrics`, with each judge's agreement with human ratings. The parts of `state`
 * are the run's judges.
 * Source: docs/spec/memory.md, judges.
 * @example judgeRows({ ...run, parts: judges }, "run-1", ["empathy"])[0]?.judge // "gpt-4o-2024-11-20"
 */
export function judgeRows(state: RunState, seed: string, metrics: readonly string[]): JudgeRow[] {
  const figures = new Map(
    partFigures(state, judgeFamily, judgeStatistics, seed).map((part) => [part.name, part.figures]),
  );
  return partSums(state, judgeFamily)
    .map(({ name, sums }): JudgeRow => {
      const [metric, judge] = JSON.parse(name) as [string, string | null];
      const sum = (column: keyof typeof judgeAt) => Math.round(sums[judgeAt[column]]!);
      const its = figures.get(name) ?? {};
      const n = sum("pairs");
      return {
        metric,
        judge,
        asked: sum("asked"),
        judged: sum("judged"),
        cached: sum("cached"),
        fallback: sum("fallback"),
        selfPreference: sum("selfPreference") > 0,
        simulated: sum("simulated") > 0,
        mean: its["mean"]?.value ?? null,
        calibration:
          n === 0
            ? null
            : {
                n,
                kappa: measured(its, "kappa"),
                meanAbsoluteError: measured(its, "meanAbsoluteError"),
              },
      };
    })
    .sort(inOrder(metrics));
}

/**
 * Agreement of panels, in the order of `metrics`; omits metrics without items that two judges judged.
 * Source: docs/spec/memory.md, panels.
 * @example panelRows({ ...run, parts: judges }, "run-1", ["empathy"])[0]?.alpha.value
 */
export function panelRows(state: RunState, seed: string, metrics: readonly string[]): PanelRow[] {
  const sums = new Map(partSums(state, panelFamily).map((part) => [part.name, part.sums]));
  return partFigures(state, panelFamily, panelStatistics, seed)
    .map(({ name, n, figures }) => ({
      metric: name,
      answers: n,
      ratings: Math.round(sums.get(name)?.[judgeAt.ratings] ?? 0),
      alpha: measured(figures, "alpha"),
    }))
    .sort(inOrder(metrics));
}

/**
 * Calls, tokens and cost of judging, by metric id. Ignores submitted judgments, which have no calls and are not
 * cached.
 * @example judgingEstimates({ ...run, parts: judges }, 40)["judgeCostUsd"]?.value
 */
export function judgingEstimates(state: RunState, samples: number): Record<string, Estimate> {
  const parts = partSums(state, judgeFamily);
  const sum = (column: keyof typeof judgeAt) =>
    parts.reduce((all, { sums }) => all + sums[judgeAt[column]]!, 0);
  const isMetered = sum("requests") + sum("cached") > 0;
  const known = (value: number): Estimate => ({
    value: isMetered ? value : null,
    interval: null,
    n: isMetered ? samples : 0,
    coverage: isMetered ? 1 : 0,
  });
  const none = { value: null, interval: null };
  return {
    judgeRequests: known(sum("requests")),
    judgeReplacements: known(sum("replaced")),
    judgeCachedRate: known(sum("cached") / sum("asked")),
    judgeInputTokens: known(sum("inputTokens")),
    judgeOutputTokens: known(sum("outputTokens")),
    judgeCostUsd: sum("unpriced") === 0 ? known(sum("costUsd")) : { ...none, n: 0, coverage: 0 },
  };
}

/**
 * Unjudged values by metric and reason, from a run's counts. `answers` is the denominator of
 * shares.
 * @example unjudgedRows({ "unjudged empathy no_judge": 3 }, 30, ["empathy"])[0]?.share // 0.1
 */
export const unjudgedRows = (
  counts: Readonly<Record<string, number>>,
  answers: number,
  metrics: readonly string[],
): UnjudgedRow[] =>
  metrics.flatMap((metric) =>
    unjudgedReasons.flatMap((reason) => {
      const count = counts[`unjudged ${metric} ${reason}`] ?? 0;
      return count === 0 ? [] : [{ metric, reason, count, share: count / answers }];
    }),
  );

/**
 * For each column of `at`, the column that marks the answers on which it was measured: `scored` for the headline,
 * `<metric>.judged` for a metric's own columns. Source: docs/spec/statistics.md, repeats.
 * @example judgedBy({ scored: 0, mcs: 1 }, "mcs") // [0, 0]
 */
export const judgedBy = (at: Readonly<Record<string, number>>, headline: string) =>
  Object.keys(at).map((name) => {
    const [metric] = name.split(".");
    return name === headline || name === "scored" ? at["scored"] : at[`${metric}.judged`];
  });
