import OpenAI, { type ClientOptions } from "openai";
import { type Answer, boundedAnswer, emptyAnswer } from "#shared/contracts/answer.ts";
import { type JsonObject, parsedJson } from "#shared/contracts/json.ts";
import type { Endpoint } from "#shared/contracts/submissions/submission.ts";
import { withoutThoughts } from "#shared/measures/thoughts/without-thoughts.ts";
import type { Protocol, StreamParts } from "#shared/protocols/protocol.ts";
import { headersOf, protocolOf } from "#shared/protocols/protocol-of.ts";
import { type Redact, redactDeep, redactor, secretsOf } from "#shared/protocols/redact.ts";
import { ReportedError } from "#shared/protocols/reply-errors.ts";
import { type Failure, failureOf, isFiltered, type PartAnswer } from "./failure.ts";
import { guardedFetch, headersAt, isEventStream, type Way } from "./guarded-fetch.ts";
import { networkMsOf } from "./network-time.ts";
import { BrokenStreamError, readStream } from "./read-stream.ts";

/** The SDK requires a key; without one, the header is removed. */
const NO_KEY = "none";

export type Attempt<Value> = { ok: true; value: Value } | { ok: false; failure: Failure };

/** The reply of a call, when it was sent, and its duration, ms. */
interface Received<Value> {
  value: Value;
  sentAt: number;
  latencyMs: number;
}

/** Timeout of one call, ms, as in the SDK: until a parsed body has been read. */
export interface RequestBounds {
  timeout: number;
}

/** How a kind of request is sent with the SDK and read as plain data; null for a body of another kind. */
export interface Kind<Value> {
  send(client: BareClient, bounds: RequestBounds): Promise<Value | null>;
  /** Name of the expected body, for errors. */
  name: string;
  /** Whether it reads event streams, with `readStream`. */
  readsEvents?: boolean;
}

/**
 * One request through the SDK, with its duration; never throws. Some endpoints echo what they received, and their
 * replies are published. So every reply and error is redacted here, including fields that are not read.
 */
export async function requestOnce<Value>(
  endpoint: Endpoint,
  { send, name, readsEvents = false }: Kind<Value>,
  timeoutMs: number,
  now: () => number,
  { direct, tunnel }: Way = {},
): Promise<Attempt<Received<Value>>> {
  // A tunnel has its own clock for each request.
  const { client, redact } =
    tunnel === undefined
      ? callerOf(endpoint, now, { readsEvents, direct })
      : newCaller(endpoint, now, { tunnel });
  const sentAt = now();
  try {
    const value = await send(client, { timeout: timeoutMs });
    if (value === null) return { ok: false, failure: anotherBody(name) };
    const latencyMs = now() - sentAt;
    return { ok: true, value: { value: redactDeep(value, redact) as Value, sentAt, latencyMs } };
  } catch (caught) {
    const { error, received } =
      caught instanceof CutStream ? caught : { error: caught, received: partIn(caught) };
    const failure = failureOf(error, now(), redact);
    // A tunnel reports its own waiting time.
    const isOverdue =
      tunnel === undefined && failure.class === "timeout" && failure.httpStatus === null;
    const its = isOverdue ? timedOut(failure, timeoutMs) : failure;
    if (received === null) return { ok: false, failure: its };
    return { ok: false, failure: { ...its, received: redactDeep(received, redact) as PartAnswer } };
  }
}

/** An answer, and whether it was streamed: some endpoints answer without a stream. */
export interface Completion {
  answer: Answer;
  isStreamed: boolean;
}

/** The body of a request for an answer. */
export interface Sent {
  body: JsonObject;
  streams: boolean;
}

/**
 * One request for an answer; never throws. `write`: makes its body, or refuses like the endpoint would. With a tunnel,
 * `now` is the tunnel's clock.
 */
export async function completeOnce(
  endpoint: Endpoint,
  write: () => Sent,
  timeoutMs: number,
  now: () => number,
  way?: Way,
): Promise<Attempt<Completion>> {
  const protocol = protocolOf(endpoint);
  const kind: Kind<Completion & Arrival & { httpStatus: number }> = {
    name: "an answer of this interface",
    readsEvents: true,
    async send(client, bounds) {
      const { body, streams } = write();
      const path = protocol.path(endpoint.model, streams);
      return within(bounds.timeout, async (signal) => {
        const sentAt = now();
        const response = await client.replyTo(path, body, bounds, signal).catch(filteredBy);
        if (!(response instanceof Response)) return response;
        const { data, ...arrival } = await received(response, protocol, signal, now);
        const answer = protocol.read(data, response.headers.get("x-inference-source"));
        if (answer === null) return null;
        const networkMs = networkMsOf(response, data, { sentAt, endedAt: now() });
        return {
          answer: { ...answer, ...(networkMs !== null && { networkMs }) },
          isStreamed: isEventStream(response),
          httpStatus: response.status,
          ...arrival,
        };
      });
    },
  };
  const attempt = await requestOnce(endpoint, kind, timeoutMs, now, way);
  if (!attempt.ok) return attempt;
  const { value, sentAt, latencyMs } = attempt.value;
  const { isStreamed, httpStatus, arrivedAt, firstTokenAt } = value;
  const answer = {
    ...boundedAnswer(value.answer),
    httpStatus,
    latencyMs,
    firstByteMs: arrivedAt === null ? null : arrivedAt - sentAt,
    ...(firstTokenAt !== null && { firstTokenMs: firstTokenAt - sentAt }),
  };
  return { ok: true, value: { answer, isStreamed } };
}

/**
 * Runs work with a signal that aborts it after `ms`. `AbortSignal.timeout` would keep the aborted objects in memory
 * until then.
 */
async function within<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const overdue = new AbortController();
  const late = () => overdue.abort(new DOMException(`not done within ${ms} ms`, "TimeoutError"));
  const timer = setTimeout(late, ms);
  try {
    return await work(overdue.signal);
  } finally {
    clearTimeout(timer);
  }
}

/** The refusal, if the provider's filter stopped the prompt. Throws any other error. */
function filteredBy(error: unknown) {
  if (!isFiltered(error)) throw error;
  const refusal = "the provider's content filter stopped the prompt";
  const answer = { ...emptyAnswer, refusal, finishReason: "content_filter" };
  return {
    answer,
    isStreamed: false,
    httpStatus: error.status!,
    arrivedAt: null,
    firstTokenAt: null,
  };
}

interface Arrival {
  /** Arrival of its first byte; for a stream, of its answer, because its headers say nothing. */
  arrivedAt: number | null;
  /** Arrival of a stream's first part, a thought or part of the answer. */
  firstTokenAt: number | null;
}

/** The body of a reply, and its arrival. */
async function received(
  response: Response,
  protocol: Protocol,
  signal: AbortSignal,
  now: () => number,
): Promise<Arrival & { data: unknown }> {
  if (isEventStream(response)) {
    const parts = protocol.parts();
    try {
      const its = await readStream(response, parts, signal, now);
      return { data: its.body, arrivedAt: its.firstPartAt, firstTokenAt: its.firstTokenAt };
    } catch (error) {
      throw new CutStream(error, partOf(protocol, parts));
    }
  }
  const text = await response.text();
  // Some servers stream with another content type, or none.
  if (/^\s*(data|event|id)?:/.test(text))
    throw new BrokenStreamError("a stream without its content type");
  const isJson = response.headers.get("content-type")?.includes("json");
  const data = isJson ? JSON.parse(text) : (parsedJson(text) ?? text);
  return { data, arrivedAt: headersAt(response), firstTokenAt: null };
}

/** The error that broke a stream, with the part received before it. */
class CutStream extends Error {
  readonly error: unknown;
  readonly received: PartAnswer | null;
  constructor(error: unknown, received: PartAnswer | null) {
    super();
    this.error = error;
    this.received = received;
  }
}

function partOf(protocol: Protocol, parts: StreamParts): PartAnswer | null {
  try {
    return partOfAnswer(protocol.read(parts.body(true), null));
  } catch {
    // The received part itself reports a failure.
    return null;
  }
}

/** The part of an answer that was received before the failure which its reply reports. */
const partIn = (error: unknown): PartAnswer | null =>
  error instanceof ReportedError ? partOfAnswer(error.received) : null;

function partOfAnswer(answer: Answer | null): PartAnswer | null {
  const { output, thoughts, toolCalls } = withoutThoughts(answer ?? emptyAnswer);
  if (!output && !thoughts && !toolCalls) return null;
  return { output, toolCalls, ...(thoughts !== undefined && { thoughts }) };
}

/** Shared by the requests of a lane: the client, and the redaction of the endpoint's secrets. */
interface Caller {
  client: BareClient;
  redact: Redact;
}

/** Callers of requests that read event streams, and of others. */
const callers = {
  events: new WeakMap<Endpoint, Caller>(),
  others: new WeakMap<Endpoint, Caller>(),
};

type Guard = NonNullable<Parameters<typeof guardedFetch>[1]>;

function callerOf(endpoint: Endpoint, now: () => number, guard: Guard): Caller {
  const known = guard.readsEvents ? callers.events : callers.others;
  const caller = known.get(endpoint) ?? newCaller(endpoint, now, guard);
  known.set(endpoint, caller);
  return caller;
}

const newCaller = (endpoint: Endpoint, now: () => number, guard: Guard): Caller => ({
  client: clientOf(endpoint, now, guard),
  redact: redactor(secretsOf(endpoint)),
});

type Built = ReturnType<OpenAI["buildRequest"]>;

/**
 * The SDK without its authentication, because keys are among the headers already, and without its timeout for calls
 * that have their own signal.
 */
class BareClient extends OpenAI {
  readonly #call: typeof fetch;
  /** Headers of the first request for an answer: all such requests have a JSON body and no headers of their own. */
  #headers: Headers | null = null;
  readonly #urls = new Map<string, string>();
  /** Replies to requests that were sent without the SDK, by signal. */
  readonly #replies = new WeakMap<AbortSignal, Promise<Response>>();
  constructor(options: ClientOptions & { fetch: typeof fetch }) {
    super(options);
    this.#call = options.fetch;
  }
  /**
   * Sends a request for an answer. The SDK builds only the first one and reads failures, because its steps for each
   * request would take as long as everything else here.
   */
  async replyTo(
    path: string,
    body: JsonObject,
    bounds: RequestBounds,
    signal: AbortSignal,
  ): Promise<Response> {
    const url = this.#urls.get(path);
    if (url !== undefined && this.#headers !== null) {
      const init = { method: "POST", headers: this.#headers, body: JSON.stringify(body), signal };
      const reply = this.#call(url, init);
      this.#replies.set(signal, reply);
      const response = await reply.catch(() => null);
      if (response?.ok) return response;
    }
    return this.post(path, { body, ...bounds, signal }).asResponse();
  }
  override async buildRequest(...args: Parameters<OpenAI["buildRequest"]>): Built {
    const [{ path, signal, headers }] = args;
    const built = await super.buildRequest(...args);
    if (signal && !headers) {
      this.#headers ??= built.req.headers;
      this.#urls.set(path, built.url);
    }
    return built;
  }
  protected override async authHeaders() {
    return undefined;
  }
  override fetchWithTimeout(
    url: RequestInfo,
    init: RequestInit | undefined,
    ms: number,
    controller: AbortController,
  ): Promise<Response> {
    if (!init?.signal) return super.fetchWithTimeout(url, init, ms, controller);
    const known = this.#replies.get(init.signal);
    return known ?? this.#call(url, { ...init, method: (init.method ?? "get").toUpperCase() });
  }
}

/** The bare SDK: no retries, no log (which would contain headers), and nothing from the environment. */
function clientOf(endpoint: Endpoint, now: () => number, guard: Guard): BareClient {
  const { baseUrl, apiKey, headers } = endpoint;
  return new BareClient({
    baseURL: baseUrl,
    apiKey: NO_KEY,
    organization: null,
    project: null,
    logLevel: "off",
    maxRetries: 0,
    fetch: guardedFetch(now, guard),
    defaultHeaders: {
      "user-agent": "assay",
      authorization: null,
      ...headersOf(endpoint, apiKey),
      ...headers,
    },
  });
}

/** Failure for a 200 with another body, such as a proxy's page or a truncated body; worth a retry. */
const anotherBody = (name: string): Failure => ({
  class: "invalid_response",
  retryable: true,
  httpStatus: 200,
  retryAfterMs: null,
  message: `the response is not ${name}`,
  param: null,
});

const timedOut = (failure: Failure, timeoutMs: number): Failure => ({
  ...failure,
  message: `no answer within ${timeoutMs} ms`,
});
