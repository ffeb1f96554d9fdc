import type { ScheduleDetail } from "#shared/contracts/schedule.ts";
import { printable } from "../printable.ts";
import { formatValue } from "../score/format-value.ts";
import { textTable } from "../score/text-table.ts";
import { minuteOf, rhythmText } from "./schedules-text.ts";

const runHead = ["run", "finished (UTC)", "status", "headline", "difference", "e-value", "drift"];
const logHead = ["log (UTC)", "what", "run", "why"];

/** A schedule with its runs and its log. */
export function scheduleText(schedule: ScheduleDetail): string {
  const parts = [cardLines(schedule), runLines(schedule), logLines(schedule)];
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map(printable).join("\n"))
    .join("\n\n");
}

function cardLines(schedule: ScheduleDetail): string[] {
  const { id, note, suite, dataset, model, endpointHost, status, statusReason } = schedule;
  const rows = [
    ["schedule", id],
    ["model", `${model.name} (${model.slug}) at ${endpointHost}`],
    ["evaluates", `${suite}, dataset ${dataset}`],
    ["runs", `${rhythmText(schedule)}, UTC`],
    ["status", statusReason === null ? status : `${status}: ${statusReason}`],
    ["next", minuteOf(schedule.nextAt)],
    ...(note === null ? [] : [["note", note]]),
  ];
  return textTable(rows, () => true);
}

function runLines({ runs }: ScheduleDetail): string[] {
  if (runs.length === 0) return ["no runs yet"];
  const rows = runs.map(({ id, finishedAt, status, headline, drift }) => [
    ...[id, minuteOf(finishedAt), status, formatValue(headline, "score")],
    ...[signed(drift?.difference ?? null), drift === null ? "–" : drift.eValue.toFixed(1)],
    drift?.isFlagged ? "flagged" : "",
  ]);
  return textTable([runHead, ...rows], (column) => column < 3 || column === runHead.length - 1);
}

function logLines({ log }: ScheduleDetail): string[] {
  if (log.length === 0) return [];
  const rows = log.map(({ at, kind, detail, run }) => [minuteOf(at), kind, run ?? "", detail]);
  return textTable([logHead, ...rows], () => true);
}

/** Held against the reference; the first run has none. */
const signed = (difference: number | null): string =>
  difference === null ? "–" : `${difference > 0 ? "+" : ""}${formatValue(difference, "score")}`;
