import { ServiceError } from "../remote/service-error.ts";

/** Times that a call is made. */
const TRIES = 3;
const AGAIN_SECONDS = 1;
/** Who is to wait longer, as for a new day's quota, is told so. */
const PATIENCE_SECONDS = 30;

/**
 * Makes a call that creates something; one that broke is made again with the same headers, whose idempotency
 * key lets it be done once.
 */
export async function callOnce<T>(
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
