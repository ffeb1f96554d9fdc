import type { Estimate } from "../../contracts/metric.ts";
import { judges } from "../../judges/judges.ts";
import { partFigures, partSums } from "../../measures/run-sums/run-figures.ts";
import type { RunState } from "../../measures/run-sums/run-state.ts";
import type { MemoryBreakdown } from "./breakdown.ts";
import {
  judgeAt,
  judgeFamily,
  judgeStatistics,
  panelFamily,
  panelStatistics,
} from "./judge-parts.ts";

type JudgeRow = MemoryBreakdown["judges"][number];
type Parts = ReturnType<typeof partFigures>;

const place = new Map(judges.map(({ id }, i) => [id, i]));

const inOrder = (a: { metric: string }, b: { metric: string }) =>
  (place.get(a.metric) ?? 0) - (place.get(b.metric) ?? 0);

const measured = (figures: Parts[number]["figures"], name: string) =>
  figures[name] ?? { value: null, interval: null };

/**
 * Who judged what, in the order of the metrics, and how each judge goes with people.
 * Source: specification of the memory suite, judges.
 * @example judgeRows(state, "run-1")[0]?.judge // "gpt-4o-2024-11-20"
 */
export function judgeRows(state: RunState, seed: string): JudgeRow[] {
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
        ...{ metric, judge, asked: sum("asked"), judged: sum("judged"), cached: sum("cached") },
        ...{ fallback: sum("fallback"), selfPreference: sum("selfPreference") > 0 },
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
    .sort(inOrder);
}

/**
 * How the judges of panels agree, in the order of the metrics; none where no answer had two.
 * Source: specification of the memory suite, panels.
 * @example panelRows(state, "run-1")[0]?.alpha.value
 */
export function panelRows(state: RunState, seed: string): MemoryBreakdown["panels"] {
  const sums = new Map(partSums(state, panelFamily).map((part) => [part.name, part.sums]));
  return partFigures(state, panelFamily, panelStatistics, seed)
    .map(({ name, n, figures }) => ({
      ...{ metric: name, answers: n, ratings: Math.round(sums.get(name)?.[judgeAt.ratings] ?? 0) },
      alpha: measured(figures, "alpha"),
    }))
    .sort(inOrder);
}

/**
 * What judging took, by metric id: calls, tokens and cost.
 * @example judgingEstimates(state, 40)["judgeCostUsd"]?.value
 */
export function judgingEstimates(state: RunState, samples: number): Record<string, Estimate> {
  const parts = partSums(state, judgeFamily);
  const sum = (column: keyof typeof judgeAt) =>
    parts.reduce((all, { sums }) => all + sums[judgeAt[column]]!, 0);
  const asked = sum("asked");
  const known = (value: number): Estimate => ({
    ...{ value: asked === 0 ? null : value, interval: null },
    ...{ n: asked === 0 ? 0 : samples, coverage: asked === 0 ? 0 : 1 },
  });
  const none = { value: null, interval: null };
  return {
    judgeRequests: known(sum("requests")),
    judgeCachedRate: known(sum("cached") / asked),
    judgeInputTokens: known(sum("inputTokens")),
    judgeOutputTokens: known(sum("outputTokens")),
    judgeCostUsd: sum("unpriced") === 0 ? known(sum("costUsd")) : { ...none, n: 0, coverage: 0 },
  };
}
