import type { Schedule, ScheduleDetail } from "#shared/contracts/schedules/schedule.ts";
import { namedWith } from "#shared/contracts/submissions/inference-settings.ts";
import { firstEndpoint, type SubmittedModel } from "#shared/contracts/submissions/submission.ts";
import { modelSlug } from "#shared/contracts/text/slug.ts";
import { isUnanswered } from "#shared/measures/report/run/is-unanswered.ts";
import type { Platform } from "../platform/platform.ts";
import type { RunRecord } from "../runs/schema.ts";
import type { ScheduleRecord } from "./schema.ts";

const MOST_RUNS = 50;
const MOST_EVENTS = 100;

type ScheduledRun = Awaited<ReturnType<Platform["schedules"]["history"]>>[number];

const iso = (ms: number) => new Date(ms).toISOString();
const isoOrNull = (ms: number | null) => (ms === null ? null : iso(ms));

export function modelOf({ request }: Pick<ScheduleRecord, "request">): SubmittedModel {
  const [model] = request.models;
  if (model === undefined) throw new Error("a schedule without a model");
  return model;
}

function scheduleView(record: ScheduleRecord, last: RunRecord | undefined): Schedule {
  const { id, owner, note, cron, everyHours, status, statusReason, failures } = record;
  const { suite, dataset, options, visibility } = record.request;
  const model = modelOf(record);
  return {
    id,
    owner,
    note,
    suite,
    dataset,
    options,
    visibility,
    model: { name: namedWith(model.name, model.endpoint?.settings), slug: modelSlug(model, owner) },
    endpointHost: new URL(firstEndpoint(model)?.baseUrl ?? "").host,
    stream: shownStream(record),
    cron,
    everyHours,
    status,
    statusReason,
    failures,
    nextAt: status === "active" ? iso(record.nextAt) : null,
    lastRun: last
      ? { id: last.id, status: last.status, isUnanswered: isFinishedUnanswered(last) }
      : null,
    createdAt: iso(record.createdAt),
  };
}

function shownStream({ stream }: ScheduleRecord): Schedule["stream"] {
  if (stream === null) return null;
  const { mapping: _, ...shown } = stream;
  return shown;
}

export async function scheduleViews(
  platform: Pick<Platform, "schedules">,
  records: readonly ScheduleRecord[],
): Promise<Schedule[]> {
  const latest = await platform.schedules.latest(records.map(({ id }) => submissionsOf(id)));
  return records.map((record) =>
    scheduleView(
      record,
      latest.find(({ submissionId }) => submissionId.startsWith(submissionsOf(record.id))),
    ),
  );
}

export async function scheduleDetail(
  platform: Pick<Platform, "schedules">,
  record: ScheduleRecord,
): Promise<ScheduleDetail> {
  const [runs, log] = await Promise.all([
    platform.schedules.history(submissionsOf(record.id), MOST_RUNS),
    platform.schedules.events(record.id, MOST_EVENTS),
  ]);
  return {
    ...scheduleView(record, runs[0]?.run),
    runs: runs.map(runOf),
    log: log.map(({ at, kind, detail, runId }) => ({ at: iso(at), kind, detail, run: runId })),
  };
}

function runOf({ run, drift }: ScheduledRun): ScheduleDetail["runs"][number] {
  const { id, status, statusReason, metrics, headline, createdAt, finishedAt } = run;
  // Runs with too low coverage were not compared.
  const found = drift?.isCovered ? drift : null;
  const isUnanswered = isFinishedUnanswered(run);
  const value = isUnanswered ? null : (metrics?.[headline]?.value ?? null);
  return {
    id,
    status,
    statusReason,
    isUnanswered,
    metric: headline,
    headline: value,
    drift: found && {
      eValue: found.eValue,
      isFlagged: found.isFlagged,
      redirect: found.redirect ?? null,
      difference: found.againstReference?.difference ?? null,
    },
    createdAt: iso(createdAt),
    finishedAt: isoOrNull(finishedAt),
  };
}

const PREFIX = "sub_schedule_";

export const submissionsOf = (scheduleId: string): string => `${PREFIX}${scheduleId}_`;

/** Id of the submission of a tick. Deterministic, so a repeated tick makes one submission. */
export const scheduledSubmission = (scheduleId: string, tickAt: number): string =>
  `${submissionsOf(scheduleId)}${tickAt}`;

export const isScheduled = ({ submissionId }: Pick<RunRecord, "submissionId">): boolean =>
  submissionId.startsWith(PREFIX);

/** Whether a run finished without any answer, so that its metrics say nothing about the model. */
export const isFinishedUnanswered = ({ status, metrics, ...progress }: RunRecord): boolean =>
  status === "finished" && isUnanswered({ metrics, progress });
