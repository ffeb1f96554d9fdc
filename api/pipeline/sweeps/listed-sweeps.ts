import { contentHash } from "#shared/contracts/content-hash.ts";
import type { ListedSweep } from "#shared/contracts/snapshot.ts";
import type { RunRecord } from "../ports.ts";
import { isSwept } from "../submissions/submission-view.ts";

/** The sweeps among public runs, newest first, without those that have runs at work. */
export function listedSweeps(runs: readonly RunRecord[], open: readonly string[]): ListedSweep[] {
  const atWork = new Set(open);
  const bySubmission = Map.groupBy(runs.filter(isSwept), (run) => run.submissionId);
  return [...bySubmission]
    .filter(([submission]) => !atWork.has(submission))
    .map(([submission, its]) => ({
      submission,
      hash: contentHash(its.map(({ id, finishedAt }) => [id, finishedAt])),
    }));
}
