import type { Run } from "#shared/contracts/run.ts";
import type { Submission } from "#shared/contracts/submission.ts";
import { callApi, getJson } from "../api.ts";
import { ApiError, isFinal } from "../api-error.ts";
import { hasEnded } from "./run-progress.ts";

interface Following {
  signal: AbortSignal;
  /** Told of every state of a run that is read. */
  onRun: (run: Run) => void;
  /** Told why nothing new is known just now. */
  onTrouble: (text: string) => void;
  /** Waits between two rounds; ends early where something was done to a run. */
  wait: (seconds: number) => Promise<void>;
}

/** Where the API does not say when to come again, s. */
const usualSeconds = 3;
/** After a poll that failed, s. */
const troubleSeconds = 10;
/** Of a sweep of dozens of runs so many seconds apart each, that polls stay below the API's limit. */
const secondsByRun = 0.25;

/** Reads the runs of a submission until all have ended, as often as the API says. */
export async function followRuns(id: string, following: Following): Promise<Run[]> {
  const { signal, wait } = following;
  const path = `/v1/submissions/${encodeURIComponent(id)}`;
  const submission = await getJson<Submission>(path, { signal });
  const runs = new Map<string, Run>();
  for (let open = submission.runs.map((run) => run.id); open.length > 0; ) {
    const seconds = await readRuns(open, runs, following);
    open = open.filter((run) => !hasEnded(runs.get(run) ?? { status: "queued" }));
    if (open.length > 0) await wait(Math.max(seconds, open.length * secondsByRun));
    signal.throwIfAborted();
  }
  return submission.runs.flatMap((run) => runs.get(run.id) ?? []);
}

/** One round; gives when the next one makes sense, s. */
async function readRuns(
  open: readonly string[],
  runs: Map<string, Run>,
  { signal, onRun, onTrouble }: Following,
): Promise<number> {
  let seconds: number | null = null;
  for (const id of open) {
    try {
      const path = `/v1/runs/${encodeURIComponent(id)}`;
      const { value, retryAfterSeconds } = await callApi<Run>(path, { signal });
      runs.set(id, value);
      onRun(value);
      const again = retryAfterSeconds ?? usualSeconds;
      if (!hasEnded(value)) seconds = Math.min(seconds ?? again, again);
    } catch (error) {
      if (signal.aborted || !(error instanceof ApiError) || isFinal(error)) throw error;
      onTrouble(error.message);
      return error.retryAfterSeconds ?? troubleSeconds;
    }
  }
  return seconds ?? usualSeconds;
}
