import type { Writable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { suiteFor } from "#shared/contracts/boards/ranking.ts";
import type { Metric } from "#shared/contracts/metric.ts";
import { type Run, runSchema } from "#shared/contracts/run.ts";
import type { SubmissionEstimate as Estimate } from "#shared/contracts/submissions/estimate.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { suiteById } from "#shared/suites/registry.ts";
import type { SubmissionInput } from "../config/plan.ts";
import { BadInput, NotPassed } from "../errors.ts";
import { onStop } from "../files/on-termination.ts";
import type { RunTargets } from "../programs/run-targets.ts";
import { followSubmission } from "../remote/follow-runs.ts";
import { runsText } from "../remote/runs-text.ts";
import type { ServiceClient } from "../remote/service-client.ts";
import { type VariantVerdict, variantVerdicts } from "../remote/variant-verdicts.ts";
import { formatCount, formatValue } from "../terminal/format-value.ts";
import { printable } from "../terminal/printable.ts";
import { textTable } from "../terminal/text-table.ts";
import { type CheckedRun, checkedJson, shortcomings } from "./checked-run.ts";
import {
  type EndpointKeys,
  refuseUnencrypted,
  withEndpointKeys,
  withoutKeys,
} from "./endpoint-keys.ts";
import { figuresText } from "./figures-text.ts";
import { estimateOf, judgesText } from "./judges-text.ts";
import { checkLimit, type Limit } from "./limit.ts";
import {
  type PushedRun,
  type PushTarget,
  pushedText,
  pushRuns,
  refuseUnpushable,
} from "./push-runs.ts";
import { resumeRuns } from "./resume-runs.ts";
import { newNote, notesOf, saveNote } from "./run-notes.ts";
import { type RunOutputs, runOutputs } from "./run-outputs.ts";
import { type StartedSubmission, submitRuns } from "./submit-runs.ts";

const ESTIMATE_COLUMNS = ["model", "samples", "requests", "input tokens", "cost", "seconds"];
const BATCH_COLUMN = "cost in batches";

/** How long a service has to pause runs while the command ends, ms. */
const PAUSE_MS = 2_000;

/** A run from flags, environment and config file. */
export interface RunTask {
  /** The request without keys; null: runs are resumed by id. */
  request: SubmissionInput | null;
  keys: EndpointKeys;
  /** Limits that runs of a suite must meet. */
  limits: (suite: Suite) => Limit[];
  /** Metrics to show in addition. */
  shown: readonly Metric[];
  output: RunOutputs;
  mode: "follow" | "submit" | "estimate";
  /** Id of the run or submission to continue, or `latest`; null: start a new one. */
  resume: string | null;
  push: PushTarget | null;
  json: boolean;
  /** What is asked on this machine in place of endpoints; null: nothing. */
  targets: RunTargets | null;
}

/** Provides a service while `work` runs. `isStarted`: the service was started for it, and stops afterwards. */
export type Connect = (
  work: (service: ServiceClient, isStarted: boolean) => Promise<void>,
) => Promise<void>;

interface Streams {
  stdout: Writable;
  stderr: Writable;
}

/** Runs a task at a service. Throws NotPassed if a run did not finish or meet its limits. */
export async function executeRun(task: RunTask, streams: Streams, connect: Connect): Promise<void> {
  // Opened first, to report an unwritable path before any request.
  const outputs = task.mode === "follow" ? await runOutputs(task.output) : null;
  try {
    await connect(async (service, isStarted) => {
      refuseUnencrypted(service.origin, task.keys);
      if (task.mode === "estimate") return estimate(service, task, streams);
      await announceJudges(service, task, streams);
      const started = await submitOrResume(service, task, streams);
      if (task.mode === "submit") return printIds(started, task, streams);
      const checked = await followAndCheck(service, started, task, isStarted, streams);
      const { submission } = started;
      const verdicts = await variantVerdicts(service, submission, runsOf(checked));
      const pushed =
        task.push && (await pushRuns(service, task.push, runsOf(checked), streams.stderr));
      printResults({ submission, checked, verdicts, pushed }, task, streams);
      await outputs?.complete(service, checked);
      const failures = [...shortcomings(checked), ...unfinishedPushes(pushed ?? [])];
      if (failures.length > 0) throw new NotPassed(failures.join("; "));
    });
  } finally {
    outputs?.abandon();
  }
}

async function estimate(service: ServiceClient, task: RunTask, streams: Streams): Promise<void> {
  const value = await estimateOfTask(service, task);
  print(task, streams, value, () => estimateText(value));
}

const estimateOfTask = (service: ServiceClient, { request, keys }: RunTask): Promise<Estimate> =>
  withoutKeys(keys, () => estimateOf(service, request && withEndpointKeys(request, keys)));

/** Says who will judge a new run, and what that costs, before the first call. */
async function announceJudges(service: ServiceClient, task: RunTask, { stderr }: Streams) {
  const { request, resume } = task;
  if (resume !== null || suiteById(request?.suite ?? "")?.judging === undefined) return;
  const text = judgesText(await estimateOfTask(service, task));
  if (text !== "") stderr.write(`${text}\n`);
}

function print({ json }: RunTask, { stdout }: Streams, value: unknown, text: () => string): void {
  stdout.write(`${json ? JSON.stringify(value, null, 2) : text()}\n`);
}

/** The estimate of a submission, a line a run. */
function estimateText(estimated: Estimate): string {
  const { models, suite, dataset, warnings } = estimated;
  const hasBatches = models.some(({ batchCostUsd }) => batchCostUsd !== null);
  const rows = models.map(({ model, samples, requests, inputTokens, costUsd, ...rest }) => [
    model,
    ...[samples, requests, inputTokens].map(formatCount),
    costText(costUsd),
    formatCount(rest.expectedWallSeconds),
    ...(hasBatches ? [costText(rest.batchCostUsd)] : []),
  ]);
  const columns = [...ESTIMATE_COLUMNS, ...(hasBatches ? [BATCH_COLUMN] : [])];
  const title = `${suite} on ${dataset.name}: nothing was submitted; estimate`;
  const table = textTable([columns, ...rows], (column) => column === 0);
  const judges = [judgesText(estimated)].filter((text) => text !== "");
  const batches = hasBatches ? ["in batches (--mode batch) answers take up to a day"] : [];
  return [title, ...table, ...batches, ...judges, ...warnings].map(printable).join("\n");
}

/** Without an earlier run there is only an upper bound, or nothing. */
function costText(cost: Estimate["models"][number]["costUsd"]): string {
  const isExpected = cost?.expected != null;
  const bound = isExpected || cost?.max == null ? "" : "≤ ";
  return `${bound}${formatValue(cost?.expected ?? cost?.max ?? null, "usd")}`;
}

async function submitOrResume(
  service: ServiceClient,
  task: RunTask,
  { stderr }: Streams,
): Promise<StartedSubmission> {
  const { request, resume, keys, push } = task;
  if (push !== null && request !== null) await refuseUnpushable(service, push, request);
  if (resume !== null) {
    const { message, ...started } = await resumeRuns(service, resume, request, keys);
    stderr.write(`${message}\n`);
    return started;
  }
  if (request === null) throw new Error("nothing to submit");
  const [earlier] = notesOf(service.origin, request);
  if (earlier !== undefined && !earlier.isDone) {
    const id = earlier.submission === null ? "" : `, ${earlier.submission},`;
    stderr.write(`an earlier run of the same${id} was interrupted; --resume continues it\n`);
  }
  const note = newNote(service.origin, request, task.targets?.access);
  return submitRuns(service, request, keys, note);
}

function printIds(started: StartedSubmission, task: RunTask, streams: Streams): void {
  const { submission, runs } = started;
  const advice = `assay status ${submission} --wait follows it`;
  const ids = runs.map(({ id }) => id);
  print(task, streams, { submission, runs }, () => [submission, ...ids, advice].join("\n"));
}

async function followAndCheck(
  service: ServiceClient,
  { submission, runs, note }: StartedSubmission,
  task: RunTask,
  isStarted: boolean,
  { stderr }: Streams,
): Promise<CheckedRun[]> {
  const ids = runs.map(({ id }) => id);
  const again = `assay run --resume ${submission}`;
  const isOwn = isStarted || task.targets !== null;
  const advice = isOwn
    ? `stopped; ${again} continues it${task.targets === null ? "" : ", with the same --config or flags"}`
    : `the service continues; assay status ${submission} --wait follows it, ${again} too`;
  // A service that continues would find no program.
  const isLeft = task.targets !== null && !isStarted;
  const release = isLeft ? onStop(() => pauseRuns(service, ids)) : () => {};
  const followed = await followSubmission(service, ids, advice, stderr).finally(release);
  if (note !== null) saveNote({ ...note, isDone: true });
  const other = followed.find(({ suite }) => task.request !== null && suite !== task.request.suite);
  if (other !== undefined) {
    throw new BadInput(`${other.id} has the suite ${other.suite}, not ${task.request?.suite}`);
  }
  return followed.map((run) => {
    const suite = suiteById(run.suite);
    if (suite === undefined)
      throw new BadInput(`${run.id}: its suite ${run.suite} is unknown to this version of assay`);
    const limits = task.limits(suiteFor(suite, run.options));
    return { run, outcomes: limits.map((limit) => checkLimit(run, limit)) };
  });
}

const runsOf = (checked: readonly CheckedRun[]): Run[] => checked.map(({ run }) => run);

/** Pauses runs while the command ends. */
async function pauseRuns(service: ServiceClient, ids: readonly string[]): Promise<void> {
  const paused = ids.map((id) =>
    service.post(`/v1/runs/${encodeURIComponent(id)}/pause`, {}, runSchema),
  );
  await Promise.race([Promise.allSettled(paused), setTimeout(PAUSE_MS)]);
}

/** What is printed at the end. */
interface Results {
  submission: string;
  checked: readonly CheckedRun[];
  verdicts: readonly VariantVerdict[];
  pushed: readonly PushedRun[] | null;
}

function printResults(
  { submission, checked, verdicts, pushed }: Results,
  task: RunTask,
  streams: Streams,
): void {
  const value = {
    ...checkedJson(submission, checked),
    ...(verdicts.length > 0 && { verdicts }),
    ...(pushed && { pushed }),
  };
  print(task, streams, value, () => {
    const figures = figuresText(checked, task.shown);
    const best = verdicts.map(({ model, verdict }) => printable(`${model}: ${verdict}`));
    const parts = [
      runsText(runsOf(checked)),
      ...(best.length > 0 ? ["", ...best] : []),
      ...(figures && ["", figures]),
    ];
    return [...parts, ...(pushed === null ? [] : ["", pushedText(pushed)])].join("\n");
  });
}

const unfinishedPushes = (pushed: readonly PushedRun[]): string[] =>
  pushed.flatMap(({ from, run }) =>
    run.status === "finished" ? [] : [`${run.id}, with the answers of ${from}, is ${run.status}`],
  );
