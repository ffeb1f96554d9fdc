import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { datasetSchema } from "#shared/contracts/datasets/dataset.ts";
import { usageSchema } from "#shared/contracts/keys/usage.ts";
import { submissionSchema } from "#shared/contracts/submissions/submission.ts";
import type { ServiceClient } from "./service-client.ts";
import { ServiceError } from "./service-error.ts";

/** Attempts of a call. */
const TRIES = 3;
const AGAIN_SECONDS = 1;
/** A longer requested wait, such as for the next day's quota, is an error. */
const PATIENCE_SECONDS = 30;

/**
 * Makes a call that creates something. After a failure, repeats it with the same headers, whose idempotency
 * key prevents duplicates.
 */
export async function idempotentCall<T>(
  idempotencyKey: string,
  call: (headers: Record<string, string>) => Promise<T>,
): Promise<T> {
  const headers = { "idempotency-key": idempotencyKey };
  for (let tried = 1; ; tried++) {
    try {
      return await call(headers);
    } catch (error) {
      if (!(error instanceof ServiceError) || !error.prospects.isPassing) throw error;
      const wait = error.prospects.retryAfterSeconds ?? AGAIN_SECONDS;
      if (tried === TRIES || wait > PATIENCE_SECONDS) throw error;
      await setTimeout(1000 * wait);
    }
  }
}

/** A started submission. */
export const startedSchema = submissionSchema.pick({ id: true, runs: true });

/** Starts runs, only once even if the call is repeated. */
export const startRuns = (
  service: ServiceClient,
  body: object,
  { key = randomUUID(), path = "/v1/submissions" }: { key?: string; path?: string } = {},
) => idempotentCall(key, (headers) => service.post(path, body, startedSchema, headers));

/** The account of the service's key. */
export const ownerAt = async (service: ServiceClient): Promise<string> =>
  (await service.get("/v1/usage", usageSchema.pick({ owner: true }))).owner;

/** Uploads samples to the account as unlisted; returns their name and version. Throws BadInput. */
export async function uploadUnlisted(
  service: ServiceClient,
  { suite, name, rows }: { suite: string; name: string; rows: Buffer },
): Promise<string> {
  const named = `${await ownerAt(service)}/${name}`;
  const query = new URLSearchParams({ suite, name: named, visibility: "unlisted" });
  const dataset = await service.upload(`/v1/datasets?${query}`, rows, datasetSchema);
  return `${dataset.name}@${dataset.version}`;
}
