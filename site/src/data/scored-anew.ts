import type { Run } from "#shared/contracts/run.ts";

type Listed = Pick<Run, "id" | "parent" | "republished">;

/**
 * The run that scores the same answers by the rules of now, for the board that they are on; undefined where the run
 * does so itself. `runs` are newest first: a run that was retried has its answers scored once more.
 */
export function scoredAnew(runs: readonly Listed[], run: string): string | undefined {
  const newest = runs.find(({ parent, republished }) => republished && parent === run);
  return newest && (scoredAnew(runs, newest.id) ?? newest.id);
}
