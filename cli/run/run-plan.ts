import type { Writable } from "node:stream";
import type { z } from "zod";
import type { Metric } from "#shared/contracts/metric.ts";
import type { Run } from "#shared/contracts/run.ts";
import { submissionEstimateSchema } from "#shared/contracts/submissions/estimate.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { suiteById } from "#shared/suites/registry.ts";
import type { Submitted } from "../config/plan.ts";
import { BadInput, NotPassed } from "../errors.ts";
import { followSubmission } from "../remote/follow-runs.ts";
import { runsText } from "../remote/runs-text.ts";
import type { ServiceClient } from "../remote/service-client.ts";
import { formatCount, formatValue } from "../terminal/format-value.ts";
import { printable } from "../terminal/printable.ts";
import { textTable } from "../terminal/text-table.ts";
import { type CheckedRun, checkedJson, shortcomings } from "./checked-run.ts";
import { type EndpointKeys, refuseOpen, withEndpointKeys, withoutKeys } from "./endpoint-keys.ts";
import { figuresText } from "./figures-text.ts";
import type { Limit } from "./limit.ts";
import {
  type PushedRun,
  type PushTarget,
  pushedText,
  pushRuns,
  refuseUnpushable,
} from "./push-runs.ts";
import { resumeRuns } from "./resume-runs.ts";
import { notesOf, saveNote } from "./run-notes.ts";
import { type RunOutputs, runOutputs } from "./run-outputs.ts";
import { type Begun, submitRuns } from "./submit-runs.ts";
import { verdictOn } from "./verdict.ts";

/** What is to be done. */
export interface Task {
  /** What is submitted, without keys; null: runs are resumed that are known by id. */
  request: Submitted | null;
  keys: EndpointKeys;
  /** What runs of a suite must reach, and what else of them is shown. */
  limits: (suite: Suite) => Limit[];
  shown: readonly Metric[];
  output: RunOutputs;
  mode: "follow" | "submit" | "estimate";
  /** Id of the run or submission to continue, or `latest`; null: start a new one. */
  resume: string | null;
  push: PushTarget | null;
  json: boolean;
}

/** Has a service at hand while work is done. `isStarted`: it ends when the work does. */
export type Connect = (
  work: (service: ServiceClient, isStarted: boolean) => Promise<void>,
) => Promise<void>;

interface Streams {
  stdout: Writable;
  stderr: Writable;
}

/** Carries a task out at a service. Throws NotPassed where a run did not finish or meet its limits. */
export async function runPlan(task: Task, streams: Streams, connect: Connect): Promise<void> {
  // That it can be written is seen before anything is asked.
  const outputs = task.mode === "follow" ? await runOutputs(task.output) : null;
  try {
    await connect(async (service, isStarted) => {
      refuseOpen(service.origin, task.keys);
      if (task.mode === "estimate") return estimate(service, task, streams);
      const begun = await begin(service, task, streams);
      if (task.mode === "submit") return tellIds(begun, task, streams);
      const judged = await follow(service, begun, task, isStarted, streams);
      const pushed =
        task.push && (await pushRuns(service, task.push, runsOf(judged), streams.stderr));
      print(
        task,
        streams,
        { ...checkedJson(begun.submission, judged), ...(pushed && { pushed }) },
        () =>
          [summary(judged, task.shown), ...(pushed === null ? [] : ["", pushedText(pushed)])].join(
            "\n",
          ),
      );
      await outputs?.complete(service, judged);
      const short = [...shortcomings(judged), ...unpublished(pushed ?? [])];
      if (short.length > 0) throw new NotPassed(short.join("; "));
    });
  } finally {
    outputs?.abandon();
  }
}

const unpublished = (pushed: readonly PushedRun[]): string[] =>
  pushed.flatMap(({ from, run }) =>
    run.status === "finished" ? [] : [`${run.id}, with the answers of ${from}, is ${run.status}`],
  );

const runsOf = (judged: readonly CheckedRun[]): Run[] => judged.map(({ run }) => run);

function print({ json }: Task, { stdout }: Streams, value: unknown, text: () => string): void {
  stdout.write(`${json ? JSON.stringify(value, null, 2) : text()}\n`);
}

async function estimate(service: ServiceClient, task: Task, streams: Streams): Promise<void> {
  const body = task.request && withEndpointKeys(task.request, task.keys);
  const { value } = await withoutKeys(task.keys, () =>
    service.post("/v1/submissions?dryRun=true", body, submissionEstimateSchema),
  );
  print(task, streams, value, () => estimateText(value));
}

/** Submits, or continues an earlier submission. */
async function begin(service: ServiceClient, task: Task, { stderr }: Streams): Promise<Begun> {
  const { request, resume, keys, push } = task;
  if (push !== null && request !== null) await refuseUnpushable(service, push, request);
  if (resume !== null) {
    const { told, ...begun } = await resumeRuns(service, resume, request, keys);
    stderr.write(`${told}\n`);
    return begun;
  }
  if (request === null) throw new Error("nothing to submit");
  const [earlier] = notesOf(service.origin, request);
  if (earlier !== undefined && !earlier.isDone) {
    const id = earlier.submission === null ? "" : `, ${earlier.submission},`;
    stderr.write(`an earlier run of the same${id} was interrupted; --resume continues it\n`);
  }
  return submitRuns(service, request, keys);
}

function tellIds({ submission, runs }: Begun, task: Task, streams: Streams): void {
  const advice = `assay status ${submission} --wait follows it`;
  const ids = runs.map(({ id }) => id);
  print(task, streams, { submission, runs }, () => [submission, ...ids, advice].join("\n"));
}

async function follow(
  service: ServiceClient,
  { submission, runs, note }: Begun,
  task: Task,
  isStarted: boolean,
  { stderr }: Streams,
): Promise<CheckedRun[]> {
  const ids = runs.map(({ id }) => id);
  const again = `assay run --resume ${submission}`;
  const advice = isStarted
    ? `stopped; ${again} continues it`
    : `the service continues; assay status ${submission} --wait follows it, ${again} too`;
  const followed = await followSubmission(service, ids, advice, stderr);
  if (note !== null) saveNote({ ...note, isDone: true });
  const other = followed.find(({ suite }) => task.request !== null && suite !== task.request.suite);
  if (other !== undefined) {
    throw new BadInput(`${other.id} is of the suite ${other.suite}, not ${task.request?.suite}`);
  }
  return followed.map((run) => {
    const suite = suiteById(run.suite);
    if (suite === undefined)
      throw new BadInput(`${run.id}: its suite ${run.suite} is unknown to this version of assay`);
    return { run, verdicts: task.limits(suite).map((limit) => verdictOn(run, limit)) };
  });
}

const summary = (judged: readonly CheckedRun[], shown: readonly Metric[]): string => {
  const figures = figuresText(judged, shown);
  return [runsText(runsOf(judged)), ...(figures && ["", figures])].join("\n");
};

type Estimated = z.infer<typeof submissionEstimateSchema>;

const head = ["model", "samples", "requests", "input tokens", "cost", "seconds"];

/** What a submission would take, a line a run. */
function estimateText({ models, suite, dataset, warnings }: Estimated): string {
  const rows = models.map(({ model, samples, requests, inputTokens, costUsd, ...rest }) => [
    model,
    ...[samples, requests, inputTokens].map(formatCount),
    costText(costUsd),
    formatCount(rest.expectedWallSeconds),
  ]);
  const title = `${suite} on ${dataset.name}: nothing was submitted; it would take about`;
  const table = textTable([head, ...rows], (column) => column === 0);
  return [title, ...table, ...warnings].map(printable).join("\n");
}

/** Without an earlier run there is only an upper bound, or nothing. */
function costText(cost: Estimated["models"][number]["costUsd"]): string {
  const isExpected = cost?.expected != null;
  const bound = isExpected || cost?.max == null ? "" : "≤ ";
  return `${bound}${formatValue(cost?.expected ?? cost?.max ?? null, "usd")}`;
}
