import type { FieldError } from "#shared/contracts/problem.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { NewSchedule } from "#shared/contracts/schedules/schedule.ts";
import {
  firstEndpoint,
  type SubmissionRequest,
  type SubmittedModel,
} from "#shared/contracts/submissions/submission.ts";
import type { Account } from "../keys/account.ts";
import { quotaOf } from "../keys/quota.ts";
import type { Platform } from "../platform/platform.ts";
import { sealSecrets, withoutSecrets } from "../submissions/new-run.ts";
import { checkSubmission } from "../submissions/service.ts";
import { checkCron, nextTick } from "./next-tick.ts";
import type { ScheduleRecord } from "./schema.ts";
import { keptStream, streamErrors, streamedDataset } from "./streamed-dataset.ts";
import { runTick, scheduleSubmitter } from "./ticks.ts";

type Changed = Promise<Result<ScheduleRecord, ScheduleRefusal>>;

/** Pauses a schedule; an active run continues. */
export async function pauseByOwner(platform: Platform, account: Account, id: string): Changed {
  const own = await ownSchedule(platform, account, id);
  return own.ok ? change(platform, own.value, "paused") : own;
}

/** Resumes a paused schedule at its next tick, unless every tick would be refused. */
export async function resumeByOwner(platform: Platform, account: Account, id: string): Changed {
  const own = await ownSchedule(platform, account, id);
  if (!own.ok) return own;
  const submitter = await scheduleSubmitter(platform, own.value);
  if (submitter.ok) return change(platform, own.value, "active");
  return err({ type: "conflict", detail: `schedule "${id}" can't continue: ${submitter.error}` });
}

async function change(
  platform: Platform,
  schedule: ScheduleRecord,
  to: ScheduleRecord["status"],
): Changed {
  const { id } = schedule;
  const now = platform.now();
  const isPause = to === "paused";
  const reason = isPause ? "paused by its owner" : null;
  const changed = await platform.schedules.changeStatus({
    id,
    from: isPause ? "active" : "paused",
    to,
    reason,
    nextAt: nextTick(schedule, id, now) ?? Number.MAX_SAFE_INTEGER,
    event: {
      scheduleId: id,
      at: now,
      kind: isPause ? "paused" : "resumed",
      runId: null,
      detail: isPause ? "by its owner" : "",
    },
  });
  const current = (await platform.schedules.get(id)) ?? schedule;
  if (changed || current.status === to) return ok(current);
  return err({ type: "conflict", detail: `schedule "${id}" was just changed: read it again` });
}

/** Starts a run now, in addition to the ticks. Also works for a paused schedule. */
export async function runNow(platform: Platform, account: Account, id: string): Changed {
  const own = await ownSchedule(platform, account, id);
  if (!own.ok) return own;
  const now = platform.now();
  const claim = { id, dueAt: null, nextAt: own.value.nextAt, tickAt: now, now };
  if (!(await platform.schedules.claim(claim))) {
    const detail = `schedule "${id}" is starting a run right now: read it again`;
    return err({ type: "conflict", detail });
  }
  const outcome = await runTick(platform, own.value, now, true);
  if (outcome.kind === "started") return ok((await platform.schedules.get(id)) ?? own.value);
  return err({ type: "conflict", detail: `no run was started: ${outcome.detail}` });
}

/** Deletes a schedule with its key; its runs stay, and an active one continues. */
export async function deleteSchedule(
  platform: Platform,
  account: Account,
  id: string,
): Promise<Result<null, ScheduleRefusal>> {
  const own = await ownSchedule(platform, account, id);
  if (!own.ok) return own;
  await platform.schedules.remove(id);
  return ok(null);
}

export interface ScheduleRefusal {
  type: "not-found" | "conflict";
  detail: string;
}

/** A schedule that the account may read and change: its own, or any for admins. For others it does not exist. */
export async function ownSchedule(
  platform: Platform,
  account: Account,
  id: string,
): Promise<Result<ScheduleRecord, ScheduleRefusal>> {
  const schedule = await platform.schedules.get(id);
  const isOwn = schedule?.owner === account.owner || account.scopes.includes("admin");
  if (schedule !== null && isOwn) return ok(schedule);
  return err({ type: "not-found", detail: `there is no schedule "${id}"` });
}

/** Maximum schedules per owner: each starts runs until it is deleted. */
const MOST_OF_OWNER = 100;

/**
 * Creates a schedule from a valid submission. Keys and headers are encrypted for this schedule, and stored until it is
 * deleted. The error is a list of field errors, or a text if its owner has too many schedules.
 */
export async function createSchedule(
  platform: Platform,
  account: Account,
  wanted: NewSchedule,
  id = platform.newId("sched"),
): Promise<Result<ScheduleRecord, FieldError[] | string>> {
  const now = platform.now();
  const { suite, dataset, model, options, visibility, cron = null, everyHours = null } = wanted;
  const request: SubmissionRequest = { suite, dataset, models: [model], options, visibility };
  const kept =
    wanted.stream === undefined
      ? { stream: null, sealedStream: null }
      : await keptStream(platform, id, wanted.stream);
  const refused = ownErrors(platform, wanted, now);
  const first =
    refused.length === 0 ? await firstVersion(platform, account, id, request, kept) : [];
  const errors = [...refused, ...first];
  if (errors.length === 0 || kept.stream === null) {
    errors.push(...(await submissionErrors(platform, account, request)));
  }
  if (errors.length > 0) return err(errors);
  const record: ScheduleRecord = {
    id,
    owner: account.owner,
    keyId: account.keyId,
    person: account.person ?? null,
    note: wanted.note ?? null,
    anyOwner: account.scopes.includes("admin"),
    request: { ...request, models: [openModel(model)] },
    sealedSecrets: await sealSecrets(platform, id, firstEndpoint(model) ?? {}, model.hybrid?.cloud),
    ...kept,
    cron,
    everyHours,
    status: "active",
    statusReason: null,
    nextAt: nextTick({ cron, everyHours }, id, now) ?? now,
    tickAt: null,
    tickSince: null,
    submissionId: null,
    isSettled: true,
    failures: 0,
    createdAt: now,
  };
  if (await platform.schedules.insert(record, MOST_OF_OWNER)) return ok(record);
  return err(`"${account.owner}" has ${MOST_OF_OWNER} schedules, which is the maximum: delete one`);
}

/**
 * Draws the first version of a stream at once, so that a wrong address or mapping is found before the first tick;
 * errors by field. If there are no new rows, the newest version is used.
 */
async function firstVersion(
  platform: Platform,
  account: Account,
  id: string,
  request: SubmissionRequest,
  kept: Pick<ScheduleRecord, "stream" | "sealedStream">,
): Promise<FieldError[]> {
  const submitter = await submitterOf(platform, account);
  const streamed = await streamedDataset(platform, { id, request, ...kept }, submitter, null);
  return streamed.ok ? [] : [{ pointer: "/stream", detail: streamed.error }];
}

const submitterOf = async (platform: Platform, account: Account) => ({
  owner: account.owner,
  anyOwner: account.scopes.includes("admin"),
  quota: await quotaOf(platform, account),
});

/** Errors for parts of a submission that a schedule may not have. */
function ownErrors(
  platform: Platform,
  { model, options, stream, suite, dataset, ...rhythm }: NewSchedule,
  now: number,
): FieldError[] {
  const errors = rhythmErrors(rhythm, now);
  if (stream !== undefined) errors.push(...streamErrors(platform, stream, { suite, dataset }));
  if (stream !== undefined && dataset.includes("@")) {
    const detail = `a stream makes new versions: give only the name, "${dataset.split("@")[0]}"`;
    errors.push({ pointer: "/dataset", detail });
  }
  if (model.answers !== undefined) {
    const detail = `"${model.name}" has submitted answers, but a schedule requests new ones: give an endpoint`;
    errors.push({ pointer: "/model/answers", detail });
  }
  if (options.sweep !== undefined) {
    const detail = "variants are on no board, so they have no history: leave the sweep out";
    errors.push({ pointer: "/options/sweep", detail });
  }
  if (options.reuseAnswers === true) {
    const detail = "a schedule asks the model each time, to detect drift: leave it out";
    errors.push({ pointer: "/options/reuseAnswers", detail });
  }
  if (options.prompts !== undefined) {
    const detail = "variants are on no board, so they have no history: leave the prompts out";
    errors.push({ pointer: "/options/prompts", detail });
  }
  if (model.endpoint?.relay !== undefined) {
    const detail = "is only there while assay run runs: a schedule needs an endpoint";
    errors.push({ pointer: "/model/endpoint/relay", detail });
  }
  return errors;
}

function rhythmErrors(
  { cron, everyHours }: Pick<NewSchedule, "cron" | "everyHours">,
  now: number,
): FieldError[] {
  if (cron === undefined && everyHours === undefined) {
    const detail = "give cron or everyHours";
    return ["/cron", "/everyHours"].map((pointer) => ({ pointer, detail }));
  }
  if (cron !== undefined && everyHours !== undefined) {
    const detail = `give cron or everyHours, not both "${cron}" and ${everyHours}`;
    return ["/cron", "/everyHours"].map((pointer) => ({ pointer, detail }));
  }
  const checked = cron === undefined ? ok(null) : checkCron(cron, now);
  return checked.ok ? [] : [{ pointer: "/cron", detail: checked.error }];
}

async function submissionErrors(
  platform: Platform,
  account: Account,
  request: SubmissionRequest,
): Promise<FieldError[]> {
  const submitter = await submitterOf(platform, account);
  const checked = await checkSubmission(platform, request, submitter);
  if (checked.ok) return [];
  return checked.error.errors.map(({ pointer = "", ...error }) => ({
    ...error,
    pointer: pointer.replace(/^\/models\/0(?=\/|$)/, "/model"),
  }));
}

function openModel({ endpoint, hybrid, ...model }: SubmittedModel): SubmittedModel {
  return {
    ...model,
    ...(endpoint && { endpoint: withoutSecrets(endpoint) }),
    ...(hybrid && {
      hybrid: {
        ...hybrid,
        local: withoutSecrets(hybrid.local),
        cloud: withoutSecrets(hybrid.cloud),
      },
    }),
  };
}
