import { unitValue } from "../../../contracts/judge.ts";
import type { ScoredSample } from "../../../contracts/suite.ts";
import { judges } from "../../../judges/judges.ts";
import { addJudged, type JudgeParts } from "../../../measures/judging/judge-parts.ts";
import {
  addAnswer,
  noAnswers,
  type RunRules,
  type RunState,
} from "../../../measures/run-sums/run-state.ts";
import { noFamilies } from "../../../stats/families.ts";
import { addValue, noSpread, type UnitSpread } from "../../../stats/unit-spread.ts";
import type { MemoryDetail } from "../score/score.ts";
import { memoryColumns, numbersOf } from "./columns.ts";

/** What is kept of a run: its sums, and of each metric the values that were judged, as shares. */
export interface MemoryState {
  run: RunState;
  spreads: UnitSpread[];
  judges: JudgeParts;
}

/** How answers become numbers; one that is unscored has those of the metrics that were judged. */
const rules: RunRules<string, MemoryDetail> = {
  columns: memoryColumns,
  spreads: [],
  read: ({ score: { detail }, call }) => ({
    numbers: numbersOf(detail, call.error === null ? call.latencyMs : null),
    counts: countsOf(detail),
  }),
};

/**
 * Place of a value among the five levels of its scale, 0–4; what stands between two levels counts to the
 * lower one.
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
 * The state of no answers.
 * @example noState().run.rows // []
 */
export const noState = (): MemoryState => ({
  run: noAnswers(rules),
  spreads: judges.map(noSpread),
  judges: noFamilies(),
});

/** What judges made of an answer, metric by metric. */
const judgedThings = ({ metrics, human }: MemoryDetail) =>
  Object.entries(metrics).map(([metric, { judges: its }]) => ({
    metric,
    judges: its,
    human: human[metric],
  }));

/**
 * Adds an answer. Changes and returns `state`.
 * @example addScored(noState(), scored).run.rows.length // 1
 */
export function addScored(state: MemoryState, scored: ScoredSample<MemoryDetail>): MemoryState {
  addAnswer(rules, state.run, scored);
  addJudged(state.judges, scored, judgedThings(scored.score.detail));
  for (const [k, { id, scale }] of judges.entries()) {
    const value = scored.score.detail.metrics[id]?.value ?? null;
    if (value !== null) addValue(state.spreads[k]!, unitValue(value, scale));
  }
  return state;
}
