import type { Writable } from "node:stream";
import { styleText } from "node:util";
import { MultiBar, Presets, type SingleBar } from "cli-progress";
import type { z } from "zod";
import { type Run, type RunStatus, runSchema } from "#shared/contracts/run.ts";
import { onTermination } from "../files/on-termination.ts";
import { formatCount, printable } from "../terminal/text.ts";
import { modelName, runsOf, waitText } from "./runs-text.ts";
import type { ServiceClient } from "./service-client.ts";
import { ServiceError } from "./service-error.ts";

/** Time between polls if the service does not state one. */
const POLL_SECONDS = 2;
/** Wait after a failed poll. */
const RETRY_SECONDS = 5;
const POLL_MIN_SECONDS = 1;
/** Limit for the wait that the service requests. */
const POLL_MAX_SECONDS = 30;
/** Maximum consecutive failed polls, for example during a deployment. */
const MAX_MISSES = 5;

/** Time between two lines of progress without a terminal; less than the longest wait between polls. */
const LINE_MS = 29_000;

/** Maximum length of a model's name next to a bar, because wrapped lines are not overwritten. */
const NAME_MAX = 32;

const format = "{model} {bar} {value}/{total} samples  {state}{left}";

/** A paused run waits for a user. */
const stopped = new Set<RunStatus>(["finished", "failed", "cancelled", "paused"]);

/** Optional for older services, which have no variants, waits or estimated ends. */
const followedRunSchema = runSchema
  .pick({
    id: true,
    model: true,
    variant: true,
    status: true,
    statusReason: true,
    progress: true,
    batches: true,
    waitsFor: true,
    runsBefore: true,
    waitingUntil: true,
    estimatedFinishAt: true,
  })
  .partial({ variant: true, waitingUntil: true, estimatedFinishAt: true });
/** The parts of a run that describe its progress. */
export type FollowedRun = z.infer<typeof followedRunSchema>;

/** Whether a run makes no progress without a user. */
export const hasStopped = ({ status }: Pick<FollowedRun, "status">): boolean => stopped.has(status);

/** Waits for the runs of a submission. Prints `advice` when interrupted. */
export async function followSubmission(
  service: ServiceClient,
  ids: readonly string[],
  advice: string,
  stderr: Writable,
): Promise<Run[]> {
  const bars = runBars(stderr);
  return untilLeft({ clear: bars.clear, advice, stderr }, async () => {
    await followRuns(service, ids, bars.show);
    bars.clear();
    return runsOf(service, ids);
  });
}

/** Runs work that shows its progress. If it fails or is interrupted, clears the progress and prints `advice`. */
export async function untilLeft<T>(
  { clear, advice, stderr }: { clear(): void; advice: string; stderr: Writable },
  work: () => Promise<T>,
): Promise<T> {
  const leave = () => {
    clear();
    stderr.write(`${advice}\n`);
  };
  const release = onTermination(leave);
  try {
    return await work();
  } catch (error) {
    leave();
    throw error;
  } finally {
    release();
  }
}

/** Polls the progress of runs until all have stopped. */
export const followRuns = (
  service: ServiceClient,
  ids: readonly string[],
  onPoll: (runs: readonly FollowedRun[]) => void,
): Promise<FollowedRun[]> => followRunsAs(followedRunSchema, service, ids, onPoll);

/**
 * Polls runs until all have stopped; returns them in the order of `ids`. `onPoll` gets the known runs after each
 * poll, parsed by `schema`.
 */
export async function followRunsAs<T extends Pick<FollowedRun, "status">>(
  schema: z.ZodType<T>,
  service: ServiceClient,
  ids: readonly string[],
  onPoll: (runs: readonly T[]) => void,
): Promise<T[]> {
  const known = new Map<string, T>();
  for (let missed = 0; ; ) {
    let wait: number | null;
    try {
      wait = await poll(schema, service, ids, known);
      missed = 0;
    } catch (error) {
      missed += 1;
      if (!(error instanceof ServiceError) || !error.prospects.isPassing) throw error;
      if (missed > MAX_MISSES) throw error;
      wait = error.prospects.retryAfterSeconds ?? RETRY_SECONDS;
    }
    const runs = ids.flatMap((id) => known.get(id) ?? []);
    onPoll(runs);
    if (wait === null) return runs;
    const seconds = Math.max(POLL_MIN_SECONDS, Math.min(POLL_MAX_SECONDS, wait));
    await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
  }
}

/** Reads each run that has not stopped. Returns the seconds until the next poll; null if all have stopped. */
async function poll<T extends Pick<FollowedRun, "status">>(
  schema: z.ZodType<T>,
  service: ServiceClient,
  ids: readonly string[],
  known: Map<string, T>,
): Promise<number | null> {
  const waits: number[] = [];
  for (const id of ids) {
    const before = known.get(id);
    if (before && hasStopped(before)) continue;
    const reply = await service.poll(`/v1/runs/${encodeURIComponent(id)}`, schema);
    known.set(id, reply.value);
    if (!hasStopped(reply.value)) waits.push(reply.retryAfterSeconds ?? POLL_SECONDS);
  }
  return waits.length === 0 ? null : Math.min(...waits);
}

/** A bar for each run until cleared; lines at intervals without a terminal. */
export function runBars(stream: Writable & { isTTY?: boolean }) {
  if (stream.isTTY !== true) return { show: progressLines(stream), clear: () => {} };
  const colored = format.replace("{bar}", styleText("cyan", "{bar}", { stream }));
  const looks = { format: colored, barsize: 24, hideCursor: true, clearOnComplete: true };
  // The caller clears the bars when the process gets a signal to end.
  const options = { ...looks, gracefulExit: false, stream: stream as NodeJS.WritableStream };
  const bars = new MultiBar(options, Presets.shades_classic);
  const shown = new Map<string, SingleBar>();
  return {
    show(runs: readonly FollowedRun[]): void {
      const names = namesOf(runs);
      for (const [i, { id, progress, ...run }] of runs.entries()) {
        const state = stateOf({ ...run, progress }, stream);
        const payload = { model: names[i], state, left: leftText(run, Date.now()) };
        const bar = shown.get(id) ?? bars.create(progress.total, progress.done, payload);
        shown.set(id, bar);
        bar.setTotal(progress.total);
        bar.update(progress.done, payload);
      }
    },
    clear: () => bars.stop(),
  };
}

/** Prints a line for each changed run, about every half minute. */
function progressLines(stream: Writable) {
  let last = Date.now();
  const written = new Map<string, string>();
  return (runs: readonly FollowedRun[]): void => {
    const now = Date.now();
    if (now - last < LINE_MS) return;
    last = now;
    for (const run of runs) {
      const { done, total } = run.progress;
      const samples = `${formatCount(done)}/${formatCount(total)} samples`;
      const line = `${nameOf(run)}: ${samples}, ${stateOf(run, stream)}${leftText(run, now)}\n`;
      if (written.get(run.id) !== line) stream.write(line);
      written.set(run.id, line);
    }
  };
}

const nameOf = ({ model, variant = null }: FollowedRun): string =>
  printable(modelName({ model, variant }));

function namesOf(runs: readonly FollowedRun[]): string[] {
  const names = runs.map((run) => nameOf(run).slice(0, NAME_MAX));
  const width = Math.max(0, ...names.map((name) => name.length));
  return names.map((name) => name.padEnd(width));
}

/**
 * Estimated time until an active run ends; empty if unknown.
 * @example leftText({ status: "running", estimatedFinishAt: "1970-01-01T00:01:30Z" }, 0) // ", about 1 min 30 s left"
 */
export function leftText(
  { status, estimatedFinishAt }: Pick<FollowedRun, "status" | "estimatedFinishAt">,
  now: number,
): string {
  if (status !== "running" || typeof estimatedFinishAt !== "string") return "";
  const seconds = Math.ceil(Math.max(0, Date.parse(estimatedFinishAt) - now) / 1000);
  return `, about ${durationText(seconds)} left`;
}

function durationText(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${formatCount(Math.floor(minutes / 60))} h ${minutes % 60} min`;
}

function stateOf(
  { status, progress, ...waits }: Omit<FollowedRun, "id" | "model">,
  stream: Writable,
): string {
  const count = `${formatCount(progress.failed)} failed`;
  const failed = progress.failed === 0 ? "" : `, ${styleText("red", count, { stream })}`;
  return `${status}${failed}${printable(waitText(waits))}`;
}
