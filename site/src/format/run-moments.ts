import { formatDate, formatTime } from "./date.ts";

/**
 * When runs ended, so that they can be distinguished: the date if a run is the only one of its day, else with the
 * time, and with seconds if several share a minute.
 */
export function runMoments(finishedAt: readonly string[]): string[] {
  const isAlone = (iso: string, length: number) => {
    const start = iso.slice(0, length);
    return finishedAt.filter((other) => other.startsWith(start)).length === 1;
  };
  return finishedAt.map((iso) => {
    if (isAlone(iso, "2026-11-21".length)) return formatDate(iso);
    if (isAlone(iso, "2026-11-21T08:36".length)) return formatTime(iso);
    return `${formatDate(iso)}, ${iso.slice(11, 19)} UTC`;
  });
}
