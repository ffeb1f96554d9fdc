import { randomUUID } from "node:crypto";
import { type Run, runSchema } from "#shared/contracts/run.ts";
import { counted } from "#shared/contracts/text/counted.ts";
import type { SubmissionInput } from "../config/plan.ts";
import { BadInput } from "../errors.ts";
import { runIds, runsOf } from "../remote/runs-text.ts";
import type { ServiceClient } from "../remote/service-client.ts";
import { ServiceError } from "../remote/service-error.ts";
import { idempotentCall } from "../remote/start-runs.ts";
import { type EndpointKeys, withoutKeys } from "./endpoint-keys.ts";
import { notesOf, type RunNote } from "./run-notes.ts";
import { type StartedSubmission, submitRuns } from "./submit-runs.ts";

/** Value of --resume without an id. */
export const LATEST = "latest";

/** How long a service stores an idempotency key. */
const REMEMBERED_MS = 24 * 3_600_000;

interface Resumed extends StartedSubmission {
  /** Outcome in one sentence. */
  message: string;
}

/**
 * Continues interrupted runs, by run or submission id, or of the newest submission (of `request`, if
 * given). Active runs are not changed, paused runs are resumed, and failed samples of ended runs are retried;
 * answered samples are not. Throws BadInput if there is nothing to continue.
 */
export async function resumeRuns(
  service: ServiceClient,
  which: string,
  request: SubmissionInput | null,
  keys: EndpointKeys,
): Promise<Resumed> {
  const started = await earlierSubmission(service, which, request, keys);
  const ids = started.runs.map(({ id }) => id);
  const runs = await runsOf(service, ids);
  const done: string[] = [];
  for (const run of runs) done.push(await continueRun(service, run, request, keys));
  return { ...started, message: `resumed ${started.submission}: ${done.join(", ")}` };
}

async function earlierSubmission(
  service: ServiceClient,
  which: string,
  request: SubmissionInput | null,
  keys: EndpointKeys,
): Promise<StartedSubmission> {
  if (which !== LATEST) {
    const [known] = notesOf(service.origin, null).filter((one) => one.submission === which);
    if (known !== undefined) refuseWithoutProgram(known, request);
    const runs = (await runIds(service, [which])).map((id) => ({ id }));
    return { submission: which, runs, note: known ?? null };
  }
  const [note] = notesOf(service.origin, request);
  if (note === undefined) {
    const what = request === null ? "" : " of this config";
    throw new BadInput(
      `no earlier run${what} is known here for ${service.origin}: run without --resume, or give its id, such as --resume run_01a2…`,
    );
  }
  refuseWithoutProgram(note, request);
  if (note.submission === null) return sendAgain(service, note, request, keys);
  const runs = (await runIds(service, [note.submission])).map((id) => ({ id }));
  return { submission: note.submission, runs, note };
}

/** Throws BadInput if a run needs a local program that is not configured. */
function refuseWithoutProgram({ relay }: RunNote, request: SubmissionInput | null): void {
  if (relay === undefined || request !== null) return;
  throw new BadInput("the run asks a program of this machine: repeat its --config or flags");
}

/** Repeats a submission whose reply never arrived; its idempotency key prevents a duplicate. */
async function sendAgain(
  service: ServiceClient,
  note: RunNote,
  request: SubmissionInput | null,
  keys: EndpointKeys,
): Promise<StartedSubmission> {
  if (request === null) {
    throw new BadInput(
      "the newest run was stopped before the service confirmed it: repeat its --config or flags",
    );
  }
  if (Date.now() - Date.parse(note.at) > REMEMBERED_MS) {
    throw new BadInput(
      `the run of ${note.at} was never confirmed by the service, and its idempotency key has expired: run again without --resume`,
    );
  }
  return submitRuns(service, request, keys, note);
}

/** Continues a stopped run. Returns a text on the outcome. */
async function continueRun(
  service: ServiceClient,
  run: Run,
  request: SubmissionInput | null,
  keys: EndpointKeys,
): Promise<string> {
  const path = `/v1/runs/${encodeURIComponent(run.id)}`;
  const { failed } = run.progress;
  if (run.status === "paused") {
    const maxCostUsd = request?.options?.maxCostUsd;
    await service.post(`${path}/resume`, maxCostUsd === undefined ? {} : { maxCostUsd }, runSchema);
    return `${run.id} resumed`;
  }
  if (run.status === "queued" || run.status === "running") return `${run.id} is active`;
  if (run.status === "cancelled") return `${run.id} was cancelled and is not resumed`;
  if (!isIncomplete(run)) return `${run.id} is finished and complete`;
  const { cloud, ...endpoint } = keys.secretsOf(run.model.name);
  const isGiven = Object.keys(endpoint).length > 0;
  const body = { ...(isGiven && { endpoint }), ...(cloud && { cloud }) };
  try {
    await withoutKeys(keys, () =>
      idempotentCall(randomUUID(), (headers) =>
        service.post(`${path}/retry`, body, runSchema, headers),
      ),
    );
  } catch (error) {
    // Unjudged samples may remain without judgments.
    const isRefused = error instanceof ServiceError && error.prospects.status === 409;
    if (isRefused && run.status === "finished" && failed === 0) {
      return `${run.id} is finished, and nothing in it can be retried`;
    }
    throw withKeyAdvice(run, error, isGiven);
  }
  return failed > 0
    ? `${run.id} retries ${counted(failed, "failed sample")}`
    : `${run.id} is retried`;
}

/** Whether a retry may be useful. */
const isIncomplete = ({ status, progress, provenance, metrics }: Run): boolean =>
  status === "failed" ||
  ((provenance.kind !== "self-reported" || provenance.relay !== undefined) &&
    progress.failed > 0) ||
  (metrics?.["unjudgedRate"]?.value ?? 0) > 0;

function withKeyAdvice(run: Run, error: unknown, isKeyGiven: boolean): unknown {
  const isRefusal = error instanceof ServiceError && !error.prospects.isPassing;
  if (!isRefusal) return error;
  const advice = isKeyGiven ? "" : "; give its key with --config or --api-key-env NAME";
  const isKeyWanted = error.prospects.status === 422;
  return new BadInput(`${run.id}: ${error.message}${isKeyWanted ? advice : ""}`);
}
