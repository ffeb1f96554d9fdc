import type { Metric } from "#shared/contracts/metric.ts";
import type { Schedule, ScheduleDetail } from "#shared/contracts/schedules/schedule.ts";
import { differenceText } from "#shared/measures/report/figures/figure-text.ts";
import { suiteById } from "#shared/suites/registry.ts";
import { formatValue, plainText, printable, textTable } from "../terminal/text.ts";

type Stream = NonNullable<Schedule["stream"]>;

const head = ["id", "model", "suite", "dataset", "runs", "status", "next (UTC)", "last run"];

const runHead = ["run", "finished (UTC)", "status", "headline", "difference", "e-value", "drift"];
const logHead = ["log (UTC)", "what", "run", "why"];

/** Schedules as a table. */
export function schedulesText(schedules: readonly Schedule[]): string {
  if (schedules.length === 0) return "no schedules; assay schedule create adds one";
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

/** Times of a schedule's runs, in words. */
function rhythmText({ cron, everyHours }: Pick<Schedule, "cron" | "everyHours">): string {
  if (cron !== null) return cron;
  return everyHours === 1 ? "every hour" : `every ${everyHours} hours`;
}

/** A time to the minute; `–` for null. */
const minuteOf = (time: string | null): string =>
  time?.slice(0, "2026-01-01T00:00".length).replace("T", " ") ?? "–";

/** A run's status, with a note if it finished without an answer. */
const endText = ({ status, isUnanswered }: NonNullable<Schedule["lastRun"]>): string =>
  isUnanswered ? `${status}, nothing answered` : status;

/** A schedule with its runs and its log. */
export function scheduleText(schedule: ScheduleDetail): string {
  const parts = [cardLines(schedule), runLines(schedule), logLines(schedule)];
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map(printable).join("\n"))
    .join("\n\n");
}

function cardLines(schedule: ScheduleDetail): string[] {
  const { id, note, suite, dataset, model, endpointHost, status, statusReason, stream } = schedule;
  const rows = [
    ["schedule", id],
    ["model", `${model.name} (${model.slug}) at ${endpointHost}`],
    ["evaluates", `${suite}, dataset ${dataset}`],
    ...(stream === null ? [] : [["draws", streamText(stream)]]),
    ["runs", `${rhythmText(schedule)}, UTC`],
    ["status", statusReason === null ? status : `${status}: ${statusReason}`],
    ["next", minuteOf(schedule.nextAt)],
    ...(note === null ? [] : [["note", note]]),
  ];
  return textTable(rows, () => true);
}

const streamText = ({ url, ratingsOf, ...draw }: Stream): string =>
  `${draw.samplesPerVersion} new samples from ${url ?? `ratings of ${ratingsOf}`}, with an anchor of ${draw.anchor}; keeps ${draw.keepVersions} versions`;

function runLines({ runs, suite: id }: ScheduleDetail): string[] {
  if (runs.length === 0) return ["no runs yet"];
  const suite = suiteById(id);
  const rows = runs.map(({ headline, metric, drift, ...run }) => {
    const format = suite?.metrics.find((one) => one.id === metric)?.format ?? "score";
    return [
      run.id,
      minuteOf(run.finishedAt),
      endText(run),
      formatValue(headline, format),
      signed(drift?.difference ?? null, format),
      drift === null ? "–" : drift.eValue.toFixed(1),
      drift?.redirect ? `answered by ${drift.redirect.now}` : drift?.isFlagged ? "flagged" : "",
    ];
  });
  return textTable([runHead, ...rows], (column) => column < 3 || column === runHead.length - 1);
}

/** Difference to the reference, which the first run does not have. */
const signed = (difference: number | null, format: Metric["format"]): string =>
  difference === null ? "–" : plainText(differenceText(difference, format));

function logLines({ log }: ScheduleDetail): string[] {
  if (log.length === 0) return [];
  const rows = log.map(({ at, kind, detail, run }) => [minuteOf(at), kind, run ?? "", detail]);
  return textTable([logHead, ...rows], () => true);
}
