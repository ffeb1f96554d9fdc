import type { Submission } from "#shared/contracts/submissions/submission.ts";
import type { NewSubmission, RunRecord } from "../runs/schema.ts";
import { runLinks } from "../runs/view.ts";

/** A submission as the API shows it; its status is derived from its runs. */
export function submissionView(stored: {
  submission: NewSubmission;
  runs: RunRecord[];
}): Submission {
  const { submission, runs } = stored;
  return {
    id: submission.id,
    status: statusOf(runs.map((run) => run.status)),
    suite: submission.suite,
    dataset: { name: submission.datasetName, version: submission.datasetVersion },
    createdAt: new Date(submission.createdAt).toISOString(),
    runs: runs.map((run) => {
      const { self, samples, report } = runLinks(run);
      return {
        id: run.id,
        model: run.modelSlug,
        variant: run.variant,
        status: run.status,
        links: { self, samples, report },
      };
    }),
    links: {
      self: `/v1/submissions/${submission.id}`,
      sweep: runs.some(isSwept) ? `/v1/submissions/${submission.id}/sweep` : null,
    },
  };
}

/** Whether a run is a variant of its own submission, which a rescored run is not. */
export const isSwept = (run: Pick<RunRecord, "variant" | "parentId">): boolean =>
  run.variant !== null && run.parentId === null;

function statusOf(statuses: RunRecord["status"][]): Submission["status"] {
  const all = (...wanted: RunRecord["status"][]) =>
    statuses.every((status) => wanted.includes(status));
  if (all("queued")) return "queued";
  if (all("finished")) return "finished";
  if (all("cancelled")) return "cancelled";
  if (all("failed")) return "failed";
  return all("finished", "failed", "cancelled") ? "finished" : "running";
}
