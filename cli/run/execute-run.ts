import type { Writable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { coverageFloor } from "#shared/contracts/boards/coverage-floor.ts";
import { suiteFor } from "#shared/contracts/boards/ranking.ts";
import type { ScoredRun } from "#shared/contracts/boards/scored-run.ts";
import type { Metric } from "#shared/contracts/metric.ts";
import { type Run, runSchema } from "#shared/contracts/run.ts";
import type { SubmissionEstimate } from "#shared/contracts/submissions/estimate.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { redactor } from "#shared/protocols/redact.ts";
import { suiteById } from "#shared/suites/registry.ts";
import { terminalText } from "../compare/terminal-text.ts";
import type { SubmissionInput } from "../config/plan.ts";
import { BadInput, NotPassed } from "../errors.ts";
import { onStop } from "../files/on-termination.ts";
import { type Gate, gateFailures, gateJson } from "../gate/gate.ts";
import { writeGates } from "../gate/gate-outputs.ts";
import {
  gatesOf,
  type RunGate,
  refuseIncomparable,
  refuseUnknownMetrics,
} from "../gate/gate-runs.ts";
import { gateText } from "../gate/gate-text.ts";
import {
  type Baseline,
  type BaselineFile,
  baselineFile,
  readBaseline,
  scoredRun,
} from "../gate/read-baseline.ts";
import { followSubmission } from "../remote/follow-runs.ts";
import { runEnds } from "../remote/run-ends.ts";
import { runsText } from "../remote/runs-text.ts";
import type { ServiceClient } from "../remote/service-client.ts";
import { type VariantVerdict, variantVerdicts } from "../remote/variant-verdicts.ts";
import { assayCommand, printable } from "../terminal/text.ts";
import {
  type CheckedRun,
  checkedJson,
  failureOf,
  type RunResult,
  shortcomings,
} from "./checked-run.ts";
import {
  type EndpointKeys,
  refuseUnencrypted,
  withEndpointKeys,
  withoutKeys,
} from "./endpoint-keys.ts";
import { estimateOf, estimateText, judgesText } from "./estimate.ts";
import { figuresText } from "./figures-text.ts";
import { fitRequest, type RequestNeeds } from "./fit-request.ts";
import { checkLimit, type Limit } from "./limit.ts";
import type { RunTargets } from "./programs/run-targets.ts";
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

/** Timeout for pausing runs when the command ends. */
const PAUSE_MS = 2_000;

/** A run from flags, environment and config file. */
export interface RunTask {
  /** The request without keys; null: runs are resumed by id. */
  request: SubmissionInput | null;
  keys: EndpointKeys;
  /** What the request needs from the service. */
  needs: RequestNeeds;
  /** Limits that runs of a suite must meet. */
  limits: (suite: Suite) => Limit[];
  /** Metrics to show in addition. */
  shown: readonly Metric[];
  output: RunOutputs;
  mode: "follow" | "submit" | "estimate";
  /** Id of the run or submission to continue, or `latest`; null: start a new one. */
  resume: string | null;
  push: PushTarget | null;
  /** A comparison with a baseline, or null. */
  gate: RunGate | null;
  /** File for the new baseline, which is written if everything passed; or null. */
  saveBaseline: string | null;
  json: boolean;
  /** Local targets instead of endpoints, or null. */
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
export async function executeRun(
  given: RunTask,
  streams: Streams,
  connect: Connect,
): Promise<void> {
  // Opened first, to fail before any request if a path is not writable.
  const outputs = given.mode === "follow" ? await runOutputs(given.output) : null;
  let saved: BaselineFile | null = null;
  try {
    if (given.saveBaseline !== null) saved = baselineFile(given.saveBaseline);
    await connect(async (service, isStarted) => {
      refuseUnencrypted(service.origin, given.keys);
      const task = await fitted(service, given, isStarted, streams);
      const baseline = task.gate && (await openBaseline(service, task.gate, task));
      if (task.mode === "estimate") return estimate(service, task, streams);
      await announceJudges(service, task, streams);
      const started = await submitOrResume(service, task, streams);
      if (task.mode === "submit") return printIds(started, task, streams);
      const checked = await followAndCheck(service, started, task, isStarted, streams);
      const { submission } = started;
      const verdicts = await variantVerdicts(service, submission, runsOf(checked));
      const pushed =
        task.push && (await pushRuns(service, task.push, runsOf(checked), streams.stderr));
      const scored = baseline || saved ? await scoredRuns(service, checked) : [];
      const gated = gatedRuns(task.gate, baseline, scored);
      const ends = await endsOf(service, { checked, pushed, isStarted }, task, streams);
      const results = { submission, checked, verdicts, pushed, ends, ...gated, now: Date.now() };
      printResults(results, task, streams);
      const reports = (await outputs?.complete(service, checked, gated.gates, !isStarted)) ?? [];
      for (const line of reports) streams.stderr.write(`${printable(line)}\n`);
      await writeResults(results, task, streams);
      refuseFailures(results, given.saveBaseline);
      for (const line of saved?.write(scored) ?? []) streams.stderr.write(`${printable(line)}\n`);
    });
  } finally {
    outputs?.abandon();
    saved?.abandon();
  }
}

/** Score, rank, cost and report of each run; for pushed runs, of the published run. */
function endsOf(
  service: ServiceClient,
  { checked, pushed, isStarted }: Pick<Results, "checked" | "pushed"> & { isStarted: boolean },
  { json, push, output }: RunTask,
  { stdout: stream }: Streams,
): Promise<string> {
  const folder = output.results_dir ?? null;
  if (json) return Promise.resolve("");
  if (push !== null && pushed !== null) {
    return runEnds(
      push.service,
      pushed.map(({ run }) => run),
      { isLasting: true, folder, stream },
    );
  }
  return runEnds(service, runsOf(checked), { isLasting: !isStarted, folder, stream });
}

/** The baseline, if the task's runs can be compared with it. Throws BadInput, before any model is called. */
async function openBaseline(service: ServiceClient, gate: RunGate, task: RunTask) {
  const baseline = await readBaseline(gate.baseline, service);
  refuseUnknownMetrics(baseline, gate.rules);
  if (task.request !== null) {
    refuseIncomparable(baseline, task.request, await estimateOfTask(service, task));
  }
  return baseline;
}

/** Gates of runs, or why they are missing. */
interface GatedRuns {
  gates: Gate[];
  problem: BadInput | null;
}

/** Gates of finished runs. Does not throw for incomparable runs, so that they are still shown. */
function gatedRuns(
  gate: RunGate | null,
  baseline: Baseline | null,
  scored: readonly ScoredRun[],
): GatedRuns {
  if (gate === null || baseline === null) return { gates: [], problem: null };
  try {
    return { gates: gatesOf(baseline, scored, gate.rules), problem: null };
  } catch (error) {
    if (error instanceof BadInput) return { gates: [], problem: error };
    throw error;
  }
}

async function writeResults(results: Results, { gate }: RunTask, { stderr }: Streams) {
  const { gates, now } = results;
  const failures = otherFailures(results);
  if (gate !== null) await writeGates(gates, gate.outputs, { stderr, now, failures });
}

/** Failures in addition to missed margins, a sentence each. */
const otherFailures = ({ checked, pushed, problem }: Results): string[] => [
  ...shortcomings(checked),
  ...unfinishedPushes(pushed ?? []),
  ...(problem === null ? [] : [problem.message]),
];

/** Throws NotPassed for everything that failed, and BadInput for runs that can't be compared with the baseline. */
function refuseFailures(results: Results, unsaved: string | null): void {
  if (results.problem !== null) throw results.problem;
  const failures = [...results.gates.flatMap(gateFailures), ...otherFailures(results)];
  if (failures.length === 0) return;
  const kept = unsaved === null ? [] : [`no baseline is written to ${unsaved}`];
  throw new NotPassed([...failures, ...kept].join("\n"));
}

/** The runs with a result, with their scores. */
const scoredRuns = (service: ServiceClient, checked: readonly CheckedRun[]): Promise<ScoredRun[]> =>
  Promise.all(
    checked
      .filter(({ run }) => failureOf(run) === null)
      .map(({ run }) => scoredRun(service, run.id)),
  );

/** The task with a request that fits the service. */
async function fitted(
  service: ServiceClient,
  task: RunTask,
  isStarted: boolean,
  { stderr }: Streams,
): Promise<RunTask> {
  if (task.request === null) return task;
  const request = await fitRequest(service, task.request, task.needs, isStarted, stderr);
  return { ...task, request };
}

async function estimate(service: ServiceClient, task: RunTask, streams: Streams): Promise<void> {
  const value = await estimateOfTask(service, task);
  print(task, streams, value, () => estimateText(value));
}

const estimateOfTask = (
  service: ServiceClient,
  { request, keys }: RunTask,
): Promise<SubmissionEstimate> =>
  withoutKeys(keys, () => estimateOf(service, request && withEndpointKeys(request, keys)));

/** Prints the judges of a new run and their cost before the first call. */
async function announceJudges(service: ServiceClient, task: RunTask, { stderr }: Streams) {
  const { request, resume } = task;
  if (resume !== null || suiteById(request?.suite ?? "")?.judging === undefined) return;
  const text = judgesText(await estimateOfTask(service, task));
  if (text !== "") stderr.write(`${text}\n`);
}

function print(task: RunTask, { stdout }: Streams, value: RunResult, text: () => string): void {
  // A service may quote keys that it was sent.
  const redact = redactor(task.keys.all);
  stdout.write(`${redact(task.json ? JSON.stringify(value, null, 2) : text())}\n`);
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
  const note = newNote(service.origin, request, task.targets?.note);
  return submitRuns(service, request, keys, note);
}

function printIds(started: StartedSubmission, task: RunTask, streams: Streams): void {
  const { submission, runs } = started;
  const advice = `${assayCommand} status ${submission} --wait follows it`;
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
  const again = `${assayCommand} run --resume ${submission}`;
  const isOwn = isStarted || task.targets !== null;
  const advice = isOwn
    ? `stopped; ${again} continues it${task.targets === null ? "" : ", with the same --config or flags"}`
    : `the service continues; ${assayCommand} status ${submission} --wait follows it, ${again} too`;
  // If the service continued, it would find no program.
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
    const leastCoverage = task.gate?.rules.minSampleShare ?? coverageFloor;
    return { run, outcomes: limits.map((limit) => checkLimit(run, limit)), leastCoverage };
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

interface Results extends GatedRuns {
  submission: string;
  checked: readonly CheckedRun[];
  verdicts: readonly VariantVerdict[];
  pushed: readonly PushedRun[] | null;
  /** The last printed lines; empty with --json. */
  ends: string;
  now: number;
}

function printResults(results: Results, task: RunTask, streams: Streams): void {
  const { submission, checked, verdicts, gates, problem, pushed, ends, now } = results;
  const checks = checkedJson(submission, checked);
  const value = {
    ...checks,
    passed: checks.passed && problem === null && gates.flatMap(gateFailures).length === 0,
    ...(verdicts.length > 0 && { verdicts: [...verdicts] }),
    ...(task.gate && { gates: gates.map(gateJson) }),
    ...(pushed && { pushed: [...pushed] }),
  };
  print(task, streams, value, () => {
    const figures = figuresText(checked, task.shown, streams.stdout);
    const best = verdicts.map(({ model, verdict }) => printable(`${model}: ${verdict}`));
    const parts = [
      runsText(runsOf(checked), streams.stdout),
      ...(best.length > 0 ? ["", ...best] : []),
      ...(figures && ["", figures]),
    ];
    const text = () => terminalText(gateText(gates, now, otherFailures(results)), streams.stdout);
    const gated = gates.length === 0 ? [] : ["", text()];
    const published = pushed === null ? [] : ["", pushedText(pushed)];
    return [...parts, ...gated, ...published, ...(ends && ["", ends])].join("\n");
  });
}

const unfinishedPushes = (pushed: readonly PushedRun[]): string[] =>
  pushed.flatMap(({ from, run }) =>
    run.status === "finished" ? [] : [`${run.id}, with the answers of ${from}, is ${run.status}`],
  );
