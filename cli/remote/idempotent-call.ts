import { ServiceError } from "./service-error.ts";

/** Attempts of a call. */
const TRIES = 3;
const AGAIN_SECONDS = 1;
/** A longer wait, such as for the next day's quota, is an error. */
const PATIENCE_SECONDS = 30;

/**
 * Makes a call that creates something; a failed one is repeated with the same headers, whose idempotency
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
      await new Promise((resolve) => setTimeout(resolve, 1000 * wait));
    }
  }
}
