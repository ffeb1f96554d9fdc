import { bounds } from "#shared/contracts/bounds.ts";
import { isJsonObject, parsedJson, textOrJson } from "#shared/contracts/json.ts";
import { MOST_CHARACTERS, TooLargeError } from "#shared/protocols/reply-errors.ts";

/** Maximum response size. A lane may read five at once, and invocations share the 128 MB of an isolate. */
const MAX_RESPONSE_BYTES = MOST_CHARACTERS;

/**
 * Maximum bytes of a stream, which are far more than those of its answer. Each line, and all parts together, are
 * limited like a response.
 */
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

/** A stream that sends nothing for this long within an answer has stalled. */
const STALL_MS = 30_000;

/**
 * The same before the answer, when a model may think silently: OpenAI's models send nothing for minutes at high effort.
 */
const THINKING_STALL_MS = 180_000;

/** A stalled stream, which is given up before the request's timeout. */
export class StalledError extends Error {}

/** Arrival times of the headers of `guardedFetch` responses. */
const arrivals = new WeakMap<Response, number>();

/**
 * When the headers of a response arrived, by the clock of its `guardedFetch`; null for other responses.
 * @example headersAt(new Response()) // null
 */
export const headersAt = (response: Response): number | null => arrivals.get(response) ?? null;

/** How a request reaches its endpoint; by default through the runtime's `fetch`. */
export interface Way {
  /** Sends it directly from here. */
  direct?: typeof fetch | undefined;
  /** Sends it through a runner, with a clock of its own; its replies are complete and limited. */
  tunnel?: typeof fetch | undefined;
}

interface GuardOptions extends Way {
  /** Returns event streams unchanged; their reader limits and watches them (`guardOf`), which is faster. */
  readsEvents?: boolean;
  stallMs?: number;
  thinkingStallMs?: number;
}

/**
 * A fetch that follows no redirects, limits the body size, and records when the headers arrived (`headersAt`). It reads
 * error bodies itself, because the SDK reads them without a timeout.
 */
export function guardedFetch(
  now: () => number,
  {
    readsEvents = false,
    stallMs = STALL_MS,
    thinkingStallMs = THINKING_STALL_MS,
    direct,
    tunnel,
  }: GuardOptions = {},
): typeof fetch {
  return async (input, init) => {
    const response = await (tunnel ?? direct ?? fetch)(
      input as RequestInfo,
      { ...init, redirect: "manual" } as RequestInit,
    );
    const arrivedAt = now();
    await refuseUnread(response);
    const isRead = tunnel !== undefined || (readsEvents && response.ok && isEventStream(response));
    const given = isRead ? response : boundedResponse(response);
    const whole = given.ok || given.body === null ? given : await withItsBody(given, init?.signal);
    arrivals.set(whole, arrivedAt);
    if (isRead && tunnel === undefined)
      guards.set(whole, new StreamGuard(stallMs, thinkingStallMs));
    return whole;
  };
}

const lengthOf = ({ headers }: Response) => Number(headers.get("content-length") ?? Number.NaN);

/** Throws for a redirect, and for a body that declares too large a size; the body is not read. */
async function refuseUnread(response: Response): Promise<void> {
  const { status } = response;
  const isRedirect = status >= 300 && status < 400;
  if (!isRedirect && !(lengthOf(response) > MAX_RESPONSE_BYTES)) return;
  await response.body?.cancel();
  throw isRedirect ? new RedirectError(status) : new BodyTooLargeError();
}

/**
 * Limits a body. A declared length is reliable unless the body is compressed; counting would cost time for every
 * answer.
 */
function boundedResponse(response: Response): Response {
  const isBounded = lengthOf(response) <= SMALL_BYTES && !response.headers.has("content-encoding");
  if (response.body === null || isBounded) return response;
  return new Response(response.body.pipeThrough(bounded()), response);
}

/** A response with its body read. If that fails, the body contains the reason, so that the status is kept. */
async function withItsBody(response: Response, signal?: AbortSignal | null): Promise<Response> {
  const body = await response.text().catch((error: Error) => {
    if (signal?.aborted) throw error;
    return error.message;
  });
  return new Response(asReported(body), response);
}

/**
 * An error in the form that the SDK reads: some servers write the message at the top level or as `detail`, Google
 * sometimes in a list.
 */
function asReported(body: string): string {
  const whole = parsedJson(body);
  const read = Array.isArray(whole) ? (whole[0] ?? null) : whole;
  if (!isJsonObject(read)) return body;
  if (read["error"] != null) return read === whole ? body : JSON.stringify(read);
  const { message, detail, ...rest } = read;
  const said = message ?? detail;
  if (said === undefined) return body;
  return JSON.stringify({ error: { ...rest, message: textOrJson(said) } });
}

export const isEventStream = ({ headers }: Response): boolean =>
  (headers.get("content-type") ?? "").toLowerCase().startsWith("text/event-stream");

const NEWLINE = 0x0a;

const guards = new WeakMap<Response, StreamGuard>();

/** The guard of an event stream that `guardedFetch` returned unchanged; undefined for other responses. */
export const guardOf = (response: Response): StreamGuard | undefined => guards.get(response);

/** Checks within the stall time: a stall is noticed at most a sixth of it later. */
const LOOKS = 6;

/**
 * Reads a stream within size limits, and gives it up when it stalls. The watch starts with the first event (`begin`),
 * and becomes stricter with the first part of the answer. Every byte counts, even of comments that keep the connection
 * open. Timers for each chunk, or for an answer of one chunk, would cost too much time.
 */
class StreamGuard {
  readonly #stallMs: number;
  #mostMs: number;
  #timer: ReturnType<typeof setInterval> | undefined;
  /** Checks since the last byte. */
  #still = 0;
  #isWatched = false;
  #giveUp: (error: Error) => void = () => {};

  constructor(stallMs: number, thinkingStallMs: number) {
    this.#stallMs = stallMs;
    this.#mostMs = thinkingStallMs;
  }
  /** The chunks of a body. Throws `StalledError` and `BodyTooLargeError`. */
  async *chunks(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
    const reader = body.getReader();
    const size = new BodySize(true);
    type Chunk = Awaited<ReturnType<typeof reader.read>>;
    const watched = () =>
      new Promise<Chunk>((resolve, reject) => {
        this.#giveUp = reject;
        this.#watch();
        reader.read().then(resolve, reject);
      });
    let isLeft = false;
    try {
      for (;;) {
        const { done, value } = await (this.#isWatched ? watched() : reader.read());
        if (done) return;
        this.#still = 0;
        size.add(value);
        isLeft = true;
        yield value;
        isLeft = false;
      }
    } finally {
      this.end();
      if (isLeft) rests.leave(reader);
      else cancel(reader);
    }
  }
  begin(): void {
    this.#isWatched = true;
  }
  #watch(): void {
    this.#timer ??= setInterval(() => {
      this.#still += 1;
      if (this.#still * this.#stallMs <= LOOKS * this.#mostMs) return;
      this.end();
      this.#giveUp(new StalledError(`the stream sent nothing for ${this.#mostMs / 1000} s`));
    }, this.#stallMs / LOOKS);
  }
  answerBegins(): void {
    this.#mostMs = this.#stallMs;
  }
  end(): void {
    clearInterval(this.#timer);
  }
}

async function cancel(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  try {
    await reader.cancel();
  } catch {
    // A broken body has nothing to cancel, and a body of another invocation ends with that.
  }
}

/**
 * Maximum streams of an isolate that may stay open after their answers: beyond it, the oldest is cancelled. Twice the
 * requests of a lane of `npm start`, because all answers may end at once, and cancelling a stream closes its
 * connection.
 */
const MOST_RESTS = 128;
/** Maximum time that one stays open, because an endpoint may accept few connections. */
const MOST_REST_MS = 5_000;

/**
 * Reads streams to their end after their answers, which usually follows at once. Cancelling takes as long as reading
 * the answer, so a stream is cancelled only if it sends more or stays open while others are read.
 */
class Rests {
  readonly #readers = new Set<ReadableStreamDefaultReader<Uint8Array>>();

  leave(reader: ReadableStreamDefaultReader<Uint8Array>): void {
    this.#readers.add(reader);
    const timer = setTimeout(() => end(false), MOST_REST_MS);
    const end = (isEnd: boolean) => {
      clearTimeout(timer);
      this.#readers.delete(reader);
      if (!isEnd) cancel(reader);
    };
    reader
      .read()
      .then(({ done }) => end(done))
      .catch(() => end(true));
    const [oldest] = this.#readers;
    if (this.#readers.size <= MOST_RESTS || oldest === undefined) return;
    this.#readers.delete(oldest);
    cancel(oldest);
  }
}

/**
 * Shared by all clients, because a judge's client sends a single request. A stream of another invocation can't be
 * cancelled here: it is only removed, and ends with its invocation.
 */
const rests = new Rests();

function bounded(): TransformStream<Uint8Array, Uint8Array> {
  const size = new BodySize(false);
  return new TransformStream({
    transform(chunk, controller) {
      size.add(chunk);
      controller.enqueue(chunk);
    },
  });
}

/** The size of a body so far. A stream's lines are limited like a body, and its bytes by `MAX_STREAM_BYTES`. */
class BodySize {
  readonly #isOfEvents: boolean;
  #total = 0;
  #bytes = 0;
  #values = 0;

  constructor(isOfEvents: boolean) {
    this.#isOfEvents = isOfEvents;
  }
  /** Throws `BodyTooLargeError`. */
  add(chunk: Uint8Array): void {
    this.#total += chunk.byteLength;
    const lineAt = this.#isOfEvents ? chunk.lastIndexOf(NEWLINE) : -1;
    const isLine = lineAt >= 0;
    this.#bytes = (isLine ? 0 : this.#bytes) + chunk.byteLength - lineAt - 1;
    this.#values = (isLine ? 0 : this.#values) + valuesIn(chunk.subarray(lineAt + 1));
    if (this.#bytes > MAX_RESPONSE_BYTES || this.#total > MAX_STREAM_BYTES)
      throw new BodyTooLargeError();
    if (this.#values > bounds.bodyValues)
      throw new BodyTooLargeError(`JSON of more than ${bounds.bodyValues} values`);
  }
}

/** Counts commas and opening brackets, including those in strings: an upper bound for the number of JSON values. */
function valuesIn(chunk: Uint8Array): number {
  let values = 0;
  for (const byte of chunk) if (byte === 0x2c || byte === 0x5b || byte === 0x7b) values += 1;
  return values;
}
