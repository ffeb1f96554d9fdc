import type { RunRecord, Settings } from "../platform/ports.ts";

const DAY_MS = 86_400_000;

/** Runs that ended no later than this keep no raw answers; null: all keep them. */
export function retentionEnd(settings: Settings, now: number): number | null {
  const { rawRetentionDays } = settings;
  return rawRetentionDays > 0 ? now - rawRetentionDays * DAY_MS : null;
}

/** Whether a run's raw answers are removed, or may be so any moment. */
export function areAnswersGone(
  run: Pick<RunRecord, "answersRemovedAt" | "finishedAt">,
  settings: Settings,
  now: number,
): boolean {
  const end = retentionEnd(settings, now);
  const isPast = end !== null && run.finishedAt !== null && run.finishedAt <= end;
  return run.answersRemovedAt !== null || isPast;
}

/** For every refusal that has this reason. */
export const answersGoneDetail = (run: Pick<RunRecord, "id">): string =>
  `the raw answers of run "${run.id}" were removed by age; its metrics and sample rows stay`;
