import type { Run } from "../../../contracts/run.ts";

/**
 * Whether a scored run has no answer at all: its figures then only reflect the rules for failed requests, and say
 * nothing about the model. False for a run without samples or without figures.
 * @example isUnanswered({ metrics, progress: { total: 3, done: 3, failed: 3 } }) // true
 */
export function isUnanswered({ metrics, progress }: Pick<Run, "metrics" | "progress">): boolean {
  return metrics !== null && progress.total > 0 && progress.failed >= progress.total;
}
