import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { SubmittedModel } from "#shared/contracts/submissions/submission.ts";
import { type Account, accountOfKey, localAccount } from "../keys/account.ts";
import { overQuotaDetail, quotaOf } from "../keys/quota.ts";
import { logError } from "../platform/log.ts";
import { ticksMessage } from "../platform/messages.ts";
import type { Platform } from "../platform/platform.ts";
import type { RunRecord } from "../runs/schema.ts";
import type { RunSecrets } from "../submissions/new-run.ts";
import type { Submitter } from "../submissions/resolve-submission.ts";
import { type SubmissionRefusal, submit } from "../submissions/service.ts";
import { countRunEnd, pauseIfFailing } from "./failures.ts";
import { nextTick } from "./next-tick.ts";
import type { ScheduleEventRecord, ScheduleRecord } from "./schema.ts";
import { streamedDataset } from "./streamed-dataset.ts";
import { modelOf, scheduledSubmission, submissionsOf } from "./view.ts";

/** Later ticks count as missed: the service was down or busy. */
const LATE_MS = 10 * 60_000;

const live: readonly RunRecord["status"][] = ["queued", "running", "paused"];

type Outcome = Pick<ScheduleEventRecord, "kind" | "detail" | "runId"> & {
  submissionId: string | null;
  isFailure: boolean;
};

/**
 * Executes a claimed tick: counts the end of the previous run, and submits the schedule's model unless that run is
 * still active. Repeated after a crash it makes no second submission, because the id depends on the tick.
 * `isOutOfTurn`: the owner started it and gets the outcome, so a refusal does not count as a failure, and a schedule
 * with too many failures also runs.
 */
export async function runTick(
  platform: Platform,
  schedule: ScheduleRecord,
  tickAt: number,
  isOutOfTurn = false,
): Promise<Outcome> {
  const outcome = await outcomeOf(platform, schedule, tickAt, isOutOfTurn);
  const { kind, detail, runId, submissionId } = outcome;
  const isCounted = outcome.isFailure && !isOutOfTurn;
  await platform.schedules.endTick({
    id: schedule.id,
    tickAt,
    submissionId,
    failures: isCounted ? "add" : "keep",
    event: { scheduleId: schedule.id, at: platform.now(), kind, detail, runId },
  });
  if (isCounted) await pauseIfFailing(platform, schedule.id, detail);
  return outcome;
}

async function outcomeOf(
  platform: Platform,
  schedule: ScheduleRecord,
  tickAt: number,
  isOutOfTurn: boolean,
): Promise<Outcome> {
  const id = scheduledSubmission(schedule.id, tickAt);
  const [last] = await platform.schedules.runs(submissionsOf(schedule.id), 1);
  if (last !== undefined && last.submissionId !== id && live.includes(last.status)) {
    return skippedFor(last);
  }
  // Read after the check above: otherwise a run that ends in between would not be counted before the next run replaces
  // it.
  const [ended] = await platform.schedules.unsettled(1, schedule.id);
  if (ended !== undefined) await countRunEnd(platform, ended);
  if (!isOutOfTurn && (await pauseIfFailing(platform, schedule.id))) {
    return { ...nothing, kind: "skipped", detail: "it has failed too often in a row" };
  }
  return submitted(platform, schedule, { id, tickAt, last });
}

async function submitted(
  platform: Platform,
  schedule: ScheduleRecord,
  { id, tickAt, last }: { id: string; tickAt: number; last: RunRecord | undefined },
): Promise<Outcome> {
  const submitter = await scheduleSubmitter(platform, schedule);
  const model = submitter.ok ? await openedModel(platform, schedule) : submitter;
  if (!submitter.ok || !model.ok) return refused(model.ok ? "" : model.error);
  // After a crash, the tick's run may exist already.
  const streamed =
    last?.submissionId === id
      ? ok({ dataset: schedule.request.dataset, note: "" })
      : await streamedDataset(platform, schedule, submitter.value, last?.datasetVersion ?? null);
  if (!streamed.ok) return refused(streamed.error);
  const { dataset, note } = streamed.value;
  const request = { ...schedule.request, dataset, models: [model.value] };
  const taken = await submit(platform, request, submitter.value, id);
  if (!taken.ok) return refused(refusalText(taken.error));
  const stored = await platform.runs.submission(taken.value);
  return {
    kind: "started",
    detail: [lateness(tickAt, platform.now()), note].filter(Boolean).join("; "),
    isFailure: false,
    runId: stored?.runs[0]?.id ?? null,
    submissionId: taken.value,
  };
}

const nothing = { runId: null, submissionId: null, isFailure: false };

const refused = (detail: string): Outcome => ({
  ...nothing,
  kind: "refused",
  detail,
  isFailure: true,
});

/** A paused run needs its owner; an active one ends by itself. */
function skippedFor({ id, status, statusReason }: RunRecord): Outcome {
  const isPaused = status === "paused";
  const why = statusReason === null ? "" : ` (${statusReason})`;
  const detail = isPaused
    ? `run "${id}" is paused${why}: resume or cancel it`
    : `run "${id}" is still ${status}`;
  return { ...nothing, kind: "skipped", detail, runId: id, isFailure: isPaused };
}

function refusalText(refusal: SubmissionRefusal): string {
  if (refusal.kind === "full") return refusal.detail;
  if (refusal.kind === "over-quota") {
    const advice =
      "wait until then, or create a new schedule with fewer samples, a longer interval or a key with a larger quota";
    return overQuotaDetail(refusal, "the run", advice);
  }
  const [first, ...rest] = refusal.errors;
  const more = rest.length === 0 ? "" : ` (and ${rest.length} more)`;
  return `${first?.pointer ?? ""}: ${first?.detail ?? ""}${more}`;
}

const lateness = (tickAt: number, now: number): string =>
  now - tickAt < LATE_MS
    ? ""
    : `was due at ${new Date(tickAt).toISOString()}: this run replaces all ticks missed since`;

/** The model with its endpoint's secrets, which the run then encrypts for itself. */
async function openedModel(
  platform: Platform,
  schedule: ScheduleRecord,
): Promise<Result<SubmittedModel, string>> {
  const model = modelOf(schedule);
  if (schedule.sealedSecrets === null) return ok(model);
  const opened = await platform.sealer.open(schedule.id, schedule.sealedSecrets);
  if (!opened.ok) {
    return err("the endpoint's encrypted key can't be decrypted: create the schedule again");
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

/** Queries of the plan per end that a cron run counts; the next tick counts the rest. */
const END_QUERIES = 50;

/**
 * Maximum schedules started per cron run, one after the other, and the time limit: the next cron run sorts them again.
 */
const AT_ONCE = 20;
const STARTING_MS = 60_000;

/** After this time, whoever executed a tick has crashed. */
const STUCK_MS = 120_000;

/** Age at which log entries of a schedule are deleted. */
const LOG_KEPT_MS = 90 * 86_400_000;

/**
 * Counts ended runs, pauses schedules with three consecutive failures, and sends messages to start due ones: a tick
 * takes half of the queries of a Free plan's invocation, and a stream may be slow.
 */
export async function runDueSchedules(platform: Platform): Promise<void> {
  const ends = Math.ceil(platform.settings.plan.queries / END_QUERIES);
  for (const ended of await platform.schedules.unsettled(ends)) {
    await insulated(ended.schedule.id, () => countRunEnd(platform, ended));
  }
  const now = platform.now();
  const waiting = await platform.schedules.waiting(now, now - STUCK_MS, AT_ONCE);
  if (waiting.length > 0) await platform.queues.finish(ticksMessage(waiting, now + STARTING_MS));
  await platform.schedules.pruneEvents(now - LOG_KEPT_MS);
}

/** Starts the first of some schedules, and requests the start of the others within a time. */
export async function runTicks(
  platform: Platform,
  [id = "", ...others]: readonly string[],
  until: number,
): Promise<void> {
  await insulated(id, () => startWaiting(platform, id));
  if (others.length > 0 && platform.now() < until) {
    await platform.queues.finish(ticksMessage(others, until));
  }
}

/** A failing schedule is retried by a later cron run, and does not affect others. */
async function insulated(id: string, tick: () => Promise<unknown>): Promise<void> {
  try {
    await tick();
  } catch (error) {
    logError("schedule-broke", error, { schedule: id });
  }
}

/**
 * Starts a due schedule, or repeats a tick whose executor has crashed. Messages may be repeated, because one update
 * claims a tick. Of several missed ticks, only one is executed.
 */
async function startWaiting(platform: Platform, id: string): Promise<void> {
  const schedule = await platform.schedules.get(id);
  if (schedule === null) return;
  const now = platform.now();
  const { tickAt, tickSince, status, nextAt: dueAt } = schedule;
  if (tickAt !== null) {
    const isStuck = (tickSince ?? 0) < now - STUCK_MS;
    if (isStuck && (await platform.schedules.retake(schedule, now))) {
      await runTick(platform, schedule, tickAt);
    }
    return;
  }
  if (status !== "active" || dueAt > now || (await pauseIfFailing(platform, id))) return;
  const nextAt = nextTick(schedule, id, now) ?? Number.MAX_SAFE_INTEGER;
  if (!(await platform.schedules.claim({ id, dueAt, nextAt, tickAt: dueAt, now }))) return;
  await runTick(platform, { ...schedule, nextAt }, dueAt);
}

/**
 * The submitter of a schedule made by a session, or on a service without keys. It ends with its creator's right to
 * submit.
 */
async function withoutKey(
  platform: Platform,
  { owner, anyOwner, person }: Pick<ScheduleRecord, "owner" | "anyOwner" | "person">,
): Promise<Result<Submitter, string>> {
  if (person === null) return ok({ owner, anyOwner, quota: null });
  const role = person === owner ? "admin" : await platform.organisations.role(owner, person);
  if (role === null || role === "read") {
    return err(`"${person}", who created it, may not submit for "${owner}": create a new schedule`);
  }
  const account: Account = { ...localAccount, owner, person, scopes: ["submit"] };
  const quota = await quotaOf(platform, account);
  return ok({ owner, anyOwner: false, person, quota });
}

/**
 * A schedule acts for the key that created it: it uses the key's quota, and submits nothing once the key is revoked or
 * expired.
 */
export async function scheduleSubmitter(
  platform: Platform,
  { owner, anyOwner, keyId, person }: ScheduleRecord,
): Promise<Result<Submitter, string>> {
  for (const name of new Set([owner, person ?? owner])) {
    const ban = await platform.bans.get(name);
    if (ban !== null) return err(`the account "${name}" is banned (${ban.reason})`);
  }
  if (keyId === null) return withoutKey(platform, { owner, anyOwner, person });
  const key = await platform.apiKeys.byId(keyId);
  const isGone = key === null || key.revokedAt !== null;
  if (isGone || (key.expiresAt !== null && key.expiresAt <= platform.now())) {
    const how = isGone ? "was revoked" : "has expired";
    return err(`the API key "${keyId}" that created it ${how}: create a new schedule`);
  }
  const isAdmin = key.scopes.includes("admin");
  const quota = await quotaOf(platform, accountOfKey(key));
  const its = { owner, anyOwner: anyOwner && isAdmin, quota };
  return ok(person === null ? its : { ...its, person });
}
