import type { RunStatus } from "#shared/contracts/run.ts";

/** Statuses from which a run can still go on: what reads for it or writes to it has to wait. */
export const liveStatuses = ["queued", "running", "paused"] as const satisfies RunStatus[];

/** The same as a list in SQL. */
export const LIVE = `(${liveStatuses.map((status) => `'${status}'`).join(", ")})`;

/** Whether a rescoring reads the answers of a run, as a condition in SQL; paused, it will go on. */
export const hasLiveChild = (runId: string): string =>
  `EXISTS (SELECT 1 FROM runs child WHERE child.parent_id = ${runId} AND child.status IN ${LIVE})`;
