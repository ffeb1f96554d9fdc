import { bounds } from "#shared/contracts/bounds.ts";

/**
 * Largest response read; an answer of 2,048 tokens is some ten kilobytes, a megabyte with logprobs.
 * A lane may read five at once, and invocations share the 128 MB of an isolate.
 */
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;

/** Responses that declare no more than this are small, whatever they hold. */
const SMALL_BYTES = 256 * 1024;

/** The endpoint answered with a redirect, which is never followed: it could lead anywhere. */
export class RedirectError extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`the endpoint answered with a redirect (${status}); give the redirect's target`);
    this.status = status;
  }
}

/** The response was larger than `MAX_RESPONSE_BYTES`, or would be once it is parsed. */
export class BodyTooLargeError extends Error {
  constructor(what = `larger than ${MAX_RESPONSE_BYTES} bytes`) {
    super(`the response is ${what}`);
  }
}

/** When the headers of responses came that `guardedFetch` gave. */
const arrivals = new WeakMap<Response, number>();

/**
 * When the headers of a response came, on the clock that its `guardedFetch` was given; null of any other response.
 * @example headersAt(new Response()) // null
 */
export const headersAt = (response: Response): number | null => arrivals.get(response) ?? null;

/**
 * A fetch that follows no redirect, bounds the body and notes when the headers came (see `headersAt`). What an
 * endpoint says of a failure is read before it returns, since the SDK reads that without a limit of time.
 */
export function guardedFetch(now: () => number): typeof fetch {
  return async (input, init) => {
    const response = await fetch(
      input as RequestInfo,
      { ...init, redirect: "manual" } as RequestInit,
    );
    const arrivedAt = now();
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      throw new RedirectError(response.status);
    }
    const declared = Number(response.headers.get("content-length") ?? Number.NaN);
    if (declared > MAX_RESPONSE_BYTES) {
      await response.body?.cancel();
      throw new BodyTooLargeError();
    }
    // No more than was declared is ever read, unless it is unpacked; counting it takes time of every answer.
    const isBounded = declared <= SMALL_BYTES && !response.headers.has("content-encoding");
    const given =
      response.body === null || isBounded
        ? response
        : new Response(response.body.pipeThrough(bounded()), response);
    const whole = given.ok || given.body === null ? given : await withItsBody(given, init?.signal);
    arrivals.set(whole, arrivedAt);
    return whole;
  };
}

/** A response whose body has come; one that can't be read says why, so that its status is kept. */
async function withItsBody(response: Response, signal?: AbortSignal | null): Promise<Response> {
  const body = await response.text().catch((error: Error) => {
    if (signal?.aborted) throw error;
    return error.message;
  });
  return new Response(body, response);
}

function bounded(): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  let values = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      values += valuesIn(chunk);
      if (bytes > MAX_RESPONSE_BYTES) controller.error(new BodyTooLargeError());
      else if (values > bounds.bodyValues) {
        controller.error(new BodyTooLargeError(`JSON of more than ${bounds.bodyValues} values`));
      } else controller.enqueue(chunk);
    },
  });
}

/** Commas and opening brackets, of which each value has one before it; those in texts count, too. */
function valuesIn(chunk: Uint8Array): number {
  let values = 0;
  for (const byte of chunk) if (byte === 0x2c || byte === 0x5b || byte === 0x7b) values += 1;
  return values;
}
