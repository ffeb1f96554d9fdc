import { judges } from "../../judges/judges.ts";
import type { JudgeRow, PanelRow } from "../../measures/judging/breakdown.ts";
import * as tables from "../../measures/judging/judge-tables.ts";
import type { RunState } from "../../measures/run-sums/run-state.ts";

const metrics = judges.map(({ id }) => id);

/**
 * Who judged what, in the order of the metrics, and how each judge goes with people.
 * Source: specification of the memory suite, judges.
 * @example judgeRows(state, "run-1")[0]?.judge // "gpt-4o-2024-11-20"
 */
export const judgeRows = (state: RunState, seed: string): JudgeRow[] =>
  tables.judgeRows(state, seed, metrics);

/**
 * How the judges of panels agree, in the order of the metrics; none where no answer had two.
 * Source: specification of the memory suite, panels.
 * @example panelRows(state, "run-1")[0]?.alpha.value
 */
export const panelRows = (state: RunState, seed: string): PanelRow[] =>
  tables.panelRows(state, seed, metrics);

/**
 * What judging took, by metric id: calls, tokens and cost.
 * @example judgingEstimates(state, 40)["judgeCostUsd"]?.value
 */
export const { judgingEstimates } = tables;
