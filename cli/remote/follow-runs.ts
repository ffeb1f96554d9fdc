import type { Writable } from "node:stream";
import type { z } from "zod";
import { type Run, type RunStatus, runSchema } from "#shared/contracts/run.ts";
import { onTermination } from "../files/on-termination.ts";
import { runBars } from "../runs/run-bars.ts";
import { runsOf } from "../runs/runs-text.ts";
import type { ServiceClient } from "./service-client.ts";
import { ServiceError } from "./service-error.ts";

const followedRunSchema = runSchema.pick({
  id: true,
  model: true,
  status: true,
  statusReason: true,
  progress: true,
});
/** As much of a run as tells how far it is. */
export type FollowedRun = z.infer<typeof followedRunSchema>;

/** Where the service does not say when to ask again. */
const POLL_SECONDS = 2;
/** After a poll that failed. */
const AGAIN_SECONDS = 5;
const POLL_MIN_SECONDS = 1;
/** The most that the service asks for. */
const POLL_MAX_SECONDS = 30;
/** Polls in a row that may fail, as while a new version is deployed. */
const MISSES = 5;

/** A paused run waits for somebody. */
const stopped = new Set<RunStatus>(["finished", "failed", "cancelled", "paused"]);

/** Whether a run makes no progress without a user. */
export const hasStopped = ({ status }: Pick<FollowedRun, "status">): boolean => stopped.has(status);

/** Follows runs with as much of each as tells how far it is. */
export const followRuns = (
  service: ServiceClient,
  ids: readonly string[],
  tell: (runs: readonly FollowedRun[]) => void,
): Promise<FollowedRun[]> => followRunsAs(followedRunSchema, service, ids, tell);

/**
 * Asks for runs until none goes on by itself, and gives them in the order of `ids`; `tell` gets those that
 * are known after each poll, each as `schema` reads it.
 */
export async function followRunsAs<T extends Pick<FollowedRun, "status">>(
  schema: z.ZodType<T>,
  service: ServiceClient,
  ids: readonly string[],
  tell: (runs: readonly T[]) => void,
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
      if (missed > MISSES) throw error;
      wait = error.prospects.retryAfterSeconds ?? AGAIN_SECONDS;
    }
    const runs = ids.flatMap((id) => known.get(id) ?? []);
    tell(runs);
    if (wait === null) return runs;
    const seconds = Math.max(POLL_MIN_SECONDS, Math.min(POLL_MAX_SECONDS, wait));
    await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
  }
}

/** Asks for each run that goes on; gives the seconds until the first may have changed, null if none goes on. */
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
    const reply = await service.get(`/v1/runs/${encodeURIComponent(id)}`, schema);
    known.set(id, reply.value);
    if (!hasStopped(reply.value)) waits.push(reply.retryAfterSeconds ?? POLL_SECONDS);
  }
  return waits.length === 0 ? null : Math.min(...waits);
}

/** Waits for the runs of a submission. Prints `advice` when interrupted. */
export async function followSubmission(
  service: ServiceClient,
  ids: readonly string[],
  advice: string,
  stderr: Writable,
): Promise<Run[]> {
  const bars = runBars(stderr);
  const leave = () => {
    bars.clear();
    stderr.write(`${advice}\n`);
  };
  const release = onTermination(leave);
  try {
    await followRuns(service, ids, (known) => bars.show(known));
    bars.clear();
    return await runsOf(service, ids);
  } catch (error) {
    leave();
    throw error;
  } finally {
    release();
  }
}
