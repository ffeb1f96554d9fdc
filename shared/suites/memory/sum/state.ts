import { unitValue } from "../../../contracts/judging/judge.ts";
import type { JudgedAnswer } from "../../../contracts/judging/judgment.ts";
import type { ScoredSample } from "../../../contracts/suite.ts";
import { figureStatistic } from "../../../judges/figures.ts";
import { judges } from "../../../judges/judges.ts";
import {
  addJudged,
  type JudgedItem,
  type JudgeParts,
} from "../../../measures/judging/judge-parts.ts";
import { columnAt, ratioOf } from "../../../measures/run-sums/named-sums.ts";
import {
  addAnswer,
  noAnswers,
  type RunRules,
  type RunState,
} from "../../../measures/run-sums/run-state.ts";
import type { Statistic } from "../../../stats/bootstrap/statistics.ts";
import { noFamilies } from "../../../stats/sums/families.ts";
import { addValue, noSpread, type UnitSpread } from "../../../stats/sums/unit-spread.ts";
import { defaultOptions, type MemoryOptions } from "../options.ts";
import type { MemoryDetail } from "../score/score.ts";

/** The state of a run: its sums, and the judged values of each metric, as shares. */
export interface MemoryState {
  run: RunState;
  spreads: UnitSpread[];
  judges: JudgeParts;
}

/** The sums, in order; a judge's own numbers are named `<metric>.<name>`. */
const memoryColumns: readonly string[] = [
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

/** How answers become numbers; an unscored answer has numbers for its judged metrics. */
const rules: RunRules<string, MemoryDetail> = {
  columns: memoryColumns,
  spreads: [],
  read: ({ score: { detail }, call }) => ({
    numbers: numbersOf(detail, call.error === null ? call.latencyMs : null),
    counts: countsOf(detail),
  }),
};

/**
 * Index of the nearest of the five levels of a scale, 0–4; a value half way between two levels counts as the lower one.
 * @example levelIndex(0.75) // 3
 */
const levelIndex = (share: number): number => Math.ceil(share * 4 - 0.5);

function countsOf({ status, truncated, metrics, stages }: MemoryDetail): Record<string, number> {
  const counts: Record<string, number> = { [`status ${status}`]: 1 };
  if (truncated) counts["truncated"] = 1;
  for (const [stage, { value }] of Object.entries(stages ?? {})) {
    if (value === null) counts[`stage ${stage}`] = 1;
  }
  for (const { id, scale } of judges) {
    const metric = metrics[id];
    if (!metric) continue;
    if (metric.value === null) {
      counts[`unjudged ${id} ${metric.unjudged}`] = 1;
      continue;
    }
    counts[`level ${id} ${levelIndex(unitValue(metric.value, scale))}`] = 1;
    for (const [name, label] of Object.entries(metric.labels)) {
      counts[`label ${id} ${name} ${label}`] = 1;
    }
  }
  return counts;
}

/**
 * The state without answers.
 * @example noState().run.rows // []
 */
export const noState = ({
  passScore,
}: Pick<MemoryOptions, "passScore"> = defaultOptions): MemoryState => ({
  run: noAnswers(rules, passScore),
  spreads: judges.map(noSpread),
  judges: noFamilies(),
});

/**
 * Judgments of an answer, metric by metric, with the sample's own ratings of it.
 * @example judgedValues(score)[0]?.metric // "memory_utilization"
 */
export const judgedValues = ({ detail }: { detail: MemoryDetail }): (JudgedAnswer & JudgedItem)[] =>
  Object.entries(detail.metrics).map(([metric, its]) => {
    return { metric, value: its.value, judges: its.judges, human: detail.human[metric] };
  });

/**
 * Adds an answer. Changes and returns `state`.
 * @example addScored(noState(), scored).run.rows.length // 1
 */
export function addScored(state: MemoryState, scored: ScoredSample<MemoryDetail>): MemoryState {
  addAnswer(rules, state.run, scored);
  addJudged(state.judges, scored, judgedValues(scored.score));
  for (const [k, { id, scale }] of judges.entries()) {
    const value = scored.score.detail.metrics[id]?.value ?? null;
    if (value !== null) addValue(state.spreads[k]!, unitValue(value, scale));
  }
  return state;
}

/** Zero for every column. */
const zeros = Object.fromEntries(memoryColumns.map((name) => [name, 0]));

/**
 * An answer's numbers; times in ms: its latency if known, and the time of its judges' calls.
 * @example numbersOf(detail, 500)["mcs"] // 0–1
 */
function numbersOf(
  { status, mcs, metrics }: MemoryDetail,
  latencyMs: number | null,
): Record<string, number> {
  const numbers = { ...zeros };
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

/** Index of each number among the sums. */
export const at: Readonly<Record<string, number>> = columnAt(memoryColumns);

const shareOf = ratioOf(at);

const figures = judges.flatMap(({ id, figures: its }) =>
  its.map((figure): [string, Statistic] => [
    figure.metric.id,
    figureStatistic(figure, (name) => at[`${id}.${name}`]!),
  ]),
);

/**
 * Every figure computed from sums over samples, by metric id.
 * Source: docs/spec/memory.md, the twelve metrics.
 * @example runStatistics["mcs"]!(sums) // 0–1
 */
export const runStatistics: Readonly<Record<string, Statistic>> = {
  mcs: shareOf("mcs", "scored"),
  ...Object.fromEntries(figures),
  generationTimeMean: shareOf("generatingMs", "timed"),
  evaluationTimeMean: shareOf("judgingMs", "answers"),
};

/** Figures by which parts of a run are compared: the headline and each metric's own figure. */
export const partStatistics: Readonly<Record<string, Statistic>> = Object.fromEntries(
  ["mcs", ...judges.map(({ figures: [main] }) => main.metric.id)].map((id) => [
    id,
    runStatistics[id]!,
  ]),
);
