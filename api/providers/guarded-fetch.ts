import { bounds } from "#shared/contracts/bounds.ts";
import { MOST_CHARACTERS, TooLargeError } from "#shared/protocols/reply-errors.ts";

/** Maximum response size. A lane may read five at once, and invocations share the 128 MB of an isolate. */
const MAX_RESPONSE_BYTES = MOST_CHARACTERS;

/** A stream takes far more bytes than its answer. Each line is bounded as a response is, and so are all parts together. */
const MAX_STREAM_BYTES = 16 * MAX_RESPONSE_BYTES;

/** Responses with a smaller declared length need no check of their content. */
const SMALL_BYTES = 256 * 1024;

/** The endpoint redirected. Redirects are never followed: they could lead anywhere. */
export class RedirectError extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`the endpoint answered with a redirect (${status}); give the redirect's target`);
    this.status = status;
  }
}

/** The response exceeds `MAX_RESPONSE_BYTES`, or would when parsed. */
export class BodyTooLargeError extends TooLargeError {
  constructor(what = `larger than ${MAX_RESPONSE_BYTES} bytes`) {
    super(`the response is ${what}`);
  }
}

/** Arrival times of the headers of `guardedFetch` responses. */
const arrivals = new WeakMap<Response, number>();

/**
 * When the headers of a response arrived, by the clock of its `guardedFetch`; null for other responses.
 * @example headersAt(new Response()) // null
 */
export const headersAt = (response: Response): number | null => arrivals.get(response) ?? null;

/**
 * A fetch that follows no redirects, limits the body size and records when the headers arrived (`headersAt`). It reads
 * error bodies itself, because the SDK reads them without a timeout.
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
    // A declared length is a hard limit, unless the body is compressed; counting takes time for every answer.
    const isBounded = declared <= SMALL_BYTES && !response.headers.has("content-encoding");
    const given =
      response.body === null || isBounded
        ? response
        : new Response(response.body.pipeThrough(bounded(isEventStream(response))), response);
    const whole = given.ok || given.body === null ? given : await withItsBody(given, init?.signal);
    arrivals.set(whole, arrivedAt);
    return whole;
  };
}

/** A response with its body read. If the body can't be read, it contains the reason, so that the status is kept. */
async function withItsBody(response: Response, signal?: AbortSignal | null): Promise<Response> {
  const body = await response.text().catch((error: Error) => {
    if (signal?.aborted) throw error;
    return error.message;
  });
  return new Response(body, response);
}

/** Whether a response is a stream of server-sent events. */
export const isEventStream = ({ headers }: Response): boolean =>
  (headers.get("content-type") ?? "").toLowerCase().startsWith("text/event-stream");

const NEWLINE = 0x0a;

function bounded(isOfEvents: boolean): TransformStream<Uint8Array, Uint8Array> {
  let total = 0;
  let bytes = 0;
  let values = 0;
  return new TransformStream({
    transform(chunk, controller) {
      total += chunk.byteLength;
      const lineAt = isOfEvents ? chunk.lastIndexOf(NEWLINE) : -1;
      const isLine = lineAt >= 0;
      bytes = (isLine ? 0 : bytes) + chunk.byteLength - lineAt - 1;
      values = (isLine ? 0 : values) + valuesIn(chunk.subarray(lineAt + 1));
      if (bytes > MAX_RESPONSE_BYTES) controller.error(new BodyTooLargeError());
      else if (total > MAX_STREAM_BYTES) controller.error(new BodyTooLargeError());
      else if (values > bounds.bodyValues) {
        controller.error(new BodyTooLargeError(`JSON of more than ${bounds.bodyValues} values`));
      } else controller.enqueue(chunk);
    },
  });
}

/**
 * Number of commas and opening brackets, an upper bound for the number of JSON values; counts those in strings, too.
 */
function valuesIn(chunk: Uint8Array): number {
  let values = 0;
  for (const byte of chunk) if (byte === 0x2c || byte === 0x5b || byte === 0x7b) values += 1;
  return values;
}
