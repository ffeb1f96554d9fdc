import type { SubmissionEstimate } from "#shared/contracts/submissions/estimate.ts";
import type { Submission } from "#shared/contracts/submissions/submission.ts";
import { callApi } from "../api.ts";
import { ApiError } from "../api-error.ts";
import { findPart } from "../find-part.ts";
import { keepKey } from "../page-access.ts";
import { Estimate } from "./Estimate.tsx";
import { type Follower, waiter } from "./follower.ts";
import { clearErrors, placedErrors } from "./placed-errors.ts";
import { readForm } from "./read-form.ts";
import { type SubmissionBody, submissionRequest } from "./submission-request.ts";
import type { SubmitPage } from "./submit-page.ts";

/** Maximum retries while an earlier request with the same key is in progress. */
const mostRepeats = 5;
const repeatSeconds = 2;

/** Actions of the form: an estimate, a run, or a trial run of a few samples that is not listed. */
export type SendAction = "estimate" | "submit" | "try";

/** Samples of a trial: enough to see whether answers can be parsed. */
const trialSamples = 5;

const trialOf = ({ options, visibility, ...request }: SubmissionBody): SubmissionBody => ({
  ...request,
  options: { ...(options as object), sample: { n: trialSamples } },
  visibility: visibility === "private" ? visibility : "unlisted",
});

/** Sends the form: for an estimate, or as a submission. */
export function submitter(page: SubmitPage, follower: Follower) {
  const keys = idempotencyKeys();

  async function estimate(body: object): Promise<void> {
    const call = { method: "POST", body, key: page.key } as const;
    const { value } = await callApi<SubmissionEstimate>("/v1/submissions?dryRun=true", call);
    follower.stop();
    page.outcome.innerHTML = String(Estimate({ estimate: value }));
    page.say("The estimate is below. Nothing was submitted.");
  }

  async function submit(body: object, isTrial: boolean): Promise<void> {
    const idempotencyKey = keys.keyFor(JSON.stringify(body));
    const call = { method: "POST", body, key: page.key, idempotencyKey } as const;
    if (page.key && (body as SubmissionBody).visibility === "private") keepKey(page.key);
    const { value } = await repeated(() => callApi<Submission>("/v1/submissions", call));
    keys.taken();
    // The service has it encrypted; the page needs it no longer, except after a trial.
    if (!isTrial) findPart<HTMLInputElement>(page.form, "[name=endpointKey]").value = "";
    history.replaceState(null, "", `?${new URLSearchParams({ submission: value.id })}`);
    const what = isTrial ? `${trialSamples} samples are being tried` : "Submitted";
    page.say(`${what}; the progress is below.`);
    void follower.follow(value.id);
  }

  return async (action: SendAction): Promise<void> => {
    clearErrors(page.form);
    const values = await readForm(page.form);
    const made = submissionRequest(values, page.suite(values.suite)?.promptHash ?? null);
    if (!made.ok) return page.refuse(made.errors);
    page.say(action === "estimate" ? "Estimating…" : "Submitting…");
    page.allowSending(false);
    const isTrial = action === "try";
    const { request } = made;
    try {
      if (action === "estimate") await estimate(request);
      else await submit(isTrial ? trialOf(request) : request, isTrial);
      page.toOutcome();
    } catch (error) {
      page.refuse(placedErrors(error, values.answers ?? undefined));
    } finally {
      page.allowSending(true);
    }
  };
}

async function repeated<Value>(call: () => Promise<Value>): Promise<Value> {
  for (let left = mostRepeats; ; left--) {
    try {
      return await call();
    } catch (error) {
      const isUnderWay = error instanceof ApiError && error.status === 409 && error.isRetryable;
      if (!isUnderWay || left === 0) throw error;
      await waiter().wait(error.retryAfterSeconds ?? repeatSeconds);
    }
  }
}

/** A unique key, without `randomUUID`, which needs a secure context. */
const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");

/**
 * Idempotency keys. The key of a body stays the same until the request is known to be accepted, so that a repeated
 * click does not submit twice.
 */
export function idempotencyKeys(make: () => string = newKey) {
  let pending: { body: string; key: string } | null = null;
  return {
    keyFor(body: string): string {
      if (pending?.body !== body) pending = { body, key: make() };
      return pending.key;
    },
    taken(): void {
      pending = null;
    },
  };
}
