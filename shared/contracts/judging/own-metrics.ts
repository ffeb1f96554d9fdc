import type { Metric } from "../metric.ts";
import type { RunJudging } from "./judging.ts";

/**
 * The metrics that the options of a judged run define, in the order of its judges; empty if the suite defines all.
 * @example ownMetrics(run.judging)[0]?.label // "Correct"
 */
export const ownMetrics = (judging: RunJudging | null): Metric[] =>
  Object.values(judging?.judges ?? {}).flatMap(({ metric }) => metric ?? []);
