import { randomUUID } from "node:crypto";
import { submissionSchema } from "#shared/contracts/submission.ts";
import type { Submitted } from "../config/plan.ts";
import type { ServiceClient } from "../remote/service-client.ts";
import { ServiceError } from "../remote/service-error.ts";

const submittedSchema = submissionSchema.pick({ id: true, runs: true });

/** Times that a submission is sent. */
const TRIES = 3;
const AGAIN_SECONDS = 1;
/** Who is to wait longer, as for a new day's quota, is told so. */
const PATIENCE_SECONDS = 30;

/** Submits; a call that broke is sent again under the same key, so that it makes one submission. */
export async function submitOnce(service: ServiceClient, request: Submitted) {
  const headers = { "idempotency-key": randomUUID() };
  for (let tried = 1; ; tried++) {
    try {
      return (await service.post("/v1/submissions", request, submittedSchema, headers)).value;
    } catch (error) {
      if (!(error instanceof ServiceError) || !error.prospects.isPassing) throw error;
      const wait = error.prospects.retryAfterSeconds ?? AGAIN_SECONDS;
      if (tried === TRIES || wait > PATIENCE_SECONDS) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1000 * wait));
    }
  }
}
