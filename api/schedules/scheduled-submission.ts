import type { RunRecord } from "../platform/ports.ts";

const PREFIX = "sub_schedule_";

/** What the ids of all submissions of a schedule begin with. */
export const submissionsOf = (scheduleId: string): string => `${PREFIX}${scheduleId}_`;

/** The id of what a schedule submits at a tick: carried out twice, a tick makes one submission. */
export const scheduledSubmission = (scheduleId: string, tickAt: number): string =>
  `${submissionsOf(scheduleId)}${tickAt}`;

/** Whether a run was started by a schedule. */
export const isScheduled = ({ submissionId }: Pick<RunRecord, "submissionId">): boolean =>
  submissionId.startsWith(PREFIX);
