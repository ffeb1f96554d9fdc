import type { Schedule } from "#shared/contracts/schedule.ts";
import { printable } from "../printable.ts";
import { textTable } from "../score/text-table.ts";

const head = ["id", "model", "suite", "dataset", "runs", "status", "next (UTC)", "last run"];

/** Schedules as a table. */
export function schedulesText(schedules: readonly Schedule[]): string {
  if (schedules.length === 0) return "no schedules; assay schedule create makes one";
  const rows = schedules.map((one) => [
    one.id,
    one.model.slug,
    one.suite,
    one.dataset,
    rhythmText(one),
    one.status,
    minuteOf(one.nextAt),
    one.lastRun === null ? "none" : endText(one.lastRun),
  ]);
  return textTable([head, ...rows], () => true)
    .map(printable)
    .join("\n");
}

/** When it runs, in words. */
export function rhythmText({ cron, everyHours }: Pick<Schedule, "cron" | "everyHours">): string {
  if (cron !== null) return cron;
  return everyHours === 1 ? "every hour" : `every ${everyHours} hours`;
}

/** A run's status, and of one that finished without a single answer that it did. */
export const endText = ({ status, isUnanswered }: NonNullable<Schedule["lastRun"]>): string =>
  isUnanswered ? `${status}, nothing answered` : status;

/** A time to the minute; `–` where there is none. */
export const minuteOf = (time: string | null): string =>
  time?.slice(0, "2026-01-01T00:00".length).replace("T", " ") ?? "–";
