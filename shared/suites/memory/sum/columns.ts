import { figureStatistic } from "../../../judges/figures.ts";
import { judges } from "../../../judges/judges.ts";
import { columnAt } from "../../../measures/run-sums/column-at.ts";
import type { Statistic } from "../../../stats/statistics.ts";
import type { MemoryDetail } from "../score/score.ts";

/** What is summed, in order; a judge's own numbers are called `<metric>.<name>`. */
export const memoryColumns: readonly string[] = [
  "answers",
  "scored",
  "coveredScored",
  "timed",
  "mcs",
  "generatingMs",
  "judgingMs",
  ...judges.flatMap(({ id, numbers }) =>
    ["judged", "unsupported", "value", ...numbers.whole, ...numbers.fractions].map(
      (name) => `${id}.${name}`,
    ),
  ),
];

/**
 * Numbers of nothing.
 * @example noNumbers()["mcs"] // 0
 */
function noNumbers(): Record<string, number> {
  return Object.fromEntries(memoryColumns.map((name) => [name, 0]));
}

/**
 * An answer's numbers; times in ms, its own where they are known, and those of its judges' calls.
 * @example numbersOf(detail, 500)["mcs"] // 0–1
 */
export function numbersOf(
  { status, mcs, metrics }: MemoryDetail,
  latencyMs: number | null,
): Record<string, number> {
  const numbers = noNumbers();
  const scored = Number(mcs !== null);
  Object.assign(numbers, {
    answers: 1,
    scored,
    coveredScored: status === "error" ? 0 : scored,
    mcs: mcs ?? 0,
    timed: Number(latencyMs !== null),
    generatingMs: latencyMs ?? 0,
  });
  for (const [id, metric] of Object.entries(metrics)) {
    for (const { latencyMs: judgeMs, isCached } of metric.judges) {
      if (!isCached) numbers["judgingMs"]! += judgeMs;
    }
    if (metric.value === null) continue;
    numbers[`${id}.judged`] = 1;
    numbers[`${id}.value`] = metric.value;
    numbers[`${id}.unsupported`] = metric.unsupportedEvidence;
    for (const [name, value] of Object.entries(metric.numbers)) numbers[`${id}.${name}`] = value;
  }
  return numbers;
}

/** Where each number stands among the sums. */
export const at: Readonly<Record<string, number>> = columnAt(memoryColumns);

function shareOf(of: string, over: string): Statistic {
  const [part, whole] = [at[of]!, at[over]!];
  return (sums) => (sums[whole] === 0 ? null : sums[part]! / sums[whole]!);
}

const figures = judges.flatMap(({ id, figures: its }) =>
  its.map((figure): [string, Statistic] => [
    figure.metric.id,
    figureStatistic(figure, (name) => at[`${id}.${name}`]!),
  ]),
);

/**
 * Every figure that follows from sums over samples, by metric id.
 * Source: docs/spec/memory.md, the twelve metrics.
 * @example runStatistics["mcs"]!(sums) // 0–1
 */
export const runStatistics: Readonly<Record<string, Statistic>> = {
  mcs: shareOf("mcs", "scored"),
  ...Object.fromEntries(figures),
  generationTimeMean: shareOf("generatingMs", "timed"),
  evaluationTimeMean: shareOf("judgingMs", "answers"),
};

/** What tells parts of a run apart: the headline and each metric's own figure. */
export const partStatistics: Readonly<Record<string, Statistic>> = Object.fromEntries(
  ["mcs", ...judges.map(({ figures: [main] }) => main.metric.id)].map((id) => [
    id,
    runStatistics[id]!,
  ]),
);
