import type { Run } from "../../../contracts/run.ts";

/**
 * Whether not a single answer came back in a run that was scored: its figures then follow from rules for
 * requests that failed, and say nothing of the model. False for a run without samples or without figures.
 * @example isUnanswered({ metrics, progress: { total: 3, done: 3, failed: 3 } }) // true
 */
export function isUnanswered({ metrics, progress }: Pick<Run, "metrics" | "progress">): boolean {
  return metrics !== null && progress.total > 0 && progress.failed >= progress.total;
}
