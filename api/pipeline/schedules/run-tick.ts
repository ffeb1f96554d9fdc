import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { SubmittedModel } from "#shared/contracts/submission.ts";
import type { Ports, RunRecord } from "../ports.ts";
import type { ScheduleEventRecord, ScheduleRecord } from "../schedule-ports.ts";
import type { Submitter } from "../submissions/check-models.ts";
import type { RunSecrets } from "../submissions/new-run.ts";
import { overQuotaDetail, quotaOf } from "../submissions/quota.ts";
import { type SubmissionRefusal, submit } from "../submissions/submit.ts";
import { pauseSchedule } from "./pause-schedule.ts";
import { modelOf } from "./schedule-view.ts";
import { scheduledSubmission, submissionsOf } from "./scheduled-submission.ts";

/** A tick this much past its time was missed: the service was down, or busy. */
const LATE_MS = 10 * 60_000;

/** Refusals and failed runs, one after the other, that pause a schedule. */
export const MOST_FAILURES = 3;

const live: readonly RunRecord["status"][] = ["queued", "running", "paused"];

type Outcome = Pick<ScheduleEventRecord, "kind" | "detail" | "runId"> & {
  submissionId: string | null;
  failures: number;
};

/**
 * Carries out a tick that was taken: submits the schedule's model unless the run before is still at work.
 * Sent again after a crash it makes no second submission, whose id follows from the tick.
 */
export async function runTick(
  ports: Ports,
  schedule: ScheduleRecord,
  tickAt: number,
): Promise<Outcome> {
  const outcome = await outcomeOf(ports, schedule, tickAt);
  const { kind, detail, runId, submissionId, failures } = outcome;
  await ports.schedules.endTick({
    ...{ id: schedule.id, tickAt, submissionId, failures },
    event: { scheduleId: schedule.id, at: ports.now(), kind, detail, runId },
  });
  if (failures >= MOST_FAILURES) {
    await pauseSchedule(ports, schedule, `it was refused ${failures} times in a row: ${detail}`);
  }
  return outcome;
}

async function outcomeOf(ports: Ports, schedule: ScheduleRecord, tickAt: number): Promise<Outcome> {
  const id = scheduledSubmission(schedule.id, tickAt);
  const [last] = await ports.schedules.runs(submissionsOf(schedule.id), 1);
  if (last !== undefined && last.submissionId !== id && live.includes(last.status)) {
    return { ...skipped(schedule), detail: atWork(last), runId: last.id };
  }
  const submitter = await submitterOf(ports, schedule);
  const model = submitter.ok ? await openedModel(ports, schedule) : submitter;
  if (!submitter.ok || !model.ok) return refused(schedule, model.ok ? "" : model.error);
  const request = { ...schedule.request, models: [model.value] };
  const submitted = await submit(ports, request, submitter.value, id);
  if (!submitted.ok) return refusedBy(schedule, submitted.error);
  const stored = await ports.runs.submission(submitted.value);
  return {
    ...{ kind: "started", detail: lateness(tickAt, ports.now()) },
    ...{ runId: stored?.runs[0]?.id ?? null, submissionId: submitted.value },
    failures: schedule.failures,
  };
}

const skipped = ({ failures }: ScheduleRecord) =>
  ({ kind: "skipped", submissionId: null, failures }) as const;

const atWork = ({ id, status }: RunRecord): string =>
  status === "paused"
    ? `run "${id}" is paused: resume or cancel it`
    : `run "${id}" is still ${status}`;

const refused = ({ failures }: ScheduleRecord, detail: string): Outcome => ({
  ...{ kind: "refused", detail, runId: null, submissionId: null, failures: failures + 1 },
});

/** What a quota of tomorrow lets through is no failure. */
function refusedBy(schedule: ScheduleRecord, refusal: SubmissionRefusal): Outcome {
  if (refusal.kind === "over-quota") {
    const detail = overQuotaDetail(refusal, "the run", "it is tried again at the next tick");
    return { ...skipped(schedule), kind: "refused", detail, runId: null };
  }
  const [first, ...rest] = refusal.errors;
  const more = rest.length === 0 ? "" : ` (and ${rest.length} more)`;
  return refused(schedule, `${first?.pointer ?? ""}: ${first?.detail ?? ""}${more}`);
}

const lateness = (tickAt: number, now: number): string =>
  now - tickAt < LATE_MS
    ? ""
    : `was due at ${new Date(tickAt).toISOString()}: ticks missed since are made up for by this one`;

/** The key that made a schedule stands for it: a quota is its, and revoked it submits nothing. */
async function submitterOf(
  ports: Ports,
  { owner, anyOwner, keyId }: ScheduleRecord,
): Promise<Result<Submitter, string>> {
  if (keyId === null) return ok({ owner, anyOwner, quota: null });
  const key = await ports.apiKeys.byId(keyId);
  const isGone = key === null || key.revokedAt !== null;
  if (isGone || (key.expiresAt !== null && key.expiresAt <= ports.now())) {
    const how = isGone ? "was revoked" : "has expired";
    return err(`the API key "${keyId}" that made it ${how}: make the schedule anew`);
  }
  const account = { owner, scopes: key.scopes, keyId, dailySamples: key.dailySamples };
  const isAdmin = key.scopes.includes("admin");
  return ok({ owner, anyOwner: anyOwner && isAdmin, quota: quotaOf(account, ports.settings) });
}

/** The model with its endpoint's secrets, which the run seals for itself. */
async function openedModel(
  ports: Ports,
  schedule: ScheduleRecord,
): Promise<Result<SubmittedModel, string>> {
  const model = modelOf(schedule);
  if (schedule.sealedSecrets === null) return ok(model);
  const opened = await ports.sealer.open(schedule.id, schedule.sealedSecrets);
  if (!opened.ok) {
    return err("the endpoint's sealed key can't be opened any more: make the schedule anew");
  }
  const { cloud, ...own } = JSON.parse(opened.value) as RunSecrets;
  const { endpoint, hybrid } = model;
  return ok({
    ...model,
    ...(endpoint && { endpoint: { ...endpoint, ...own } }),
    ...(hybrid && {
      hybrid: {
        ...hybrid,
        local: { ...hybrid.local, ...own },
        cloud: { ...hybrid.cloud, ...cloud },
      },
    }),
  });
}
