import { Buffer } from "node:buffer";
import { bounds } from "#shared/contracts/bounds.ts";
import {
  RUNNER_BODY_MAX,
  RUNNER_MARKS_MAX,
  type RunnerReply,
  type RunnerRequest,
} from "#shared/contracts/submissions/runner.ts";
import { headersOf } from "#shared/protocols/protocol-of.ts";
import { redactor } from "#shared/protocols/redact.ts";
import { BadInput } from "../../errors.ts";

/** The addresses that a runner may call, and the key. */
export interface RunnerRights {
  bases: readonly URL[];
  /** Key of the endpoints, or null. */
  apiKey: string | null;
}

/** Reply headers that the service reads; others are not sent. */
const readHeaders = [
  "content-type",
  "retry-after",
  "retry-after-ms",
  "openai-processing-ms",
  "x-envoy-upstream-service-time",
  "x-metrics-e2e-ms",
  "x-inference-source",
];
const HEADER_MAX = 4_096;
/** Request headers of the connection or of other parties, which are not forwarded. */
const unsent = /^(host|connection|content-length|cookie|proxy-.*|transfer-encoding|upgrade)$/i;

type Failure = NonNullable<RunnerReply["failure"]>;

/** The initial reply, without arrival times. */
const nothing = (): Omit<RunnerReply, "elapsedMs" | "failure"> => ({
  status: null,
  headers: {},
  headersMs: null,
  body: "",
  marks: [],
});

/** Sends a request, if its address is allowed; never throws. Redirects are not followed. */
export async function callEndpoint(
  request: RunnerRequest,
  { bases, apiKey }: RunnerRights,
  stop: AbortSignal,
): Promise<RunnerReply> {
  if (!isAllowed(request.url, bases)) {
    const message = "this runner was not started with --allow for the address";
    return { ...nothing(), elapsedMs: 0, failure: { class: "blocked", message } };
  }
  const since = performance.now();
  const reply = nothing();
  const elapsed = () => performance.now() - since;
  const timeout = AbortSignal.timeout(request.timeoutMs);
  const failure = await receive(request, apiKey, AbortSignal.any([timeout, stop]), {
    headers: ({ status, headers }) => {
      reply.headersMs = elapsed();
      Object.assign(reply, { status, headers: shownHeaders(headers) });
    },
    part: (text) => grow(reply, text, elapsed()),
  }).then(
    () => null,
    (error: unknown) => failureOf(error, timeout.aborted ? request.timeoutMs : null),
  );
  return sendable(redacted({ ...reply, elapsedMs: elapsed(), failure }, apiKey));
}

/** Number of characters that the service accepts in any case; in JSON, a character takes up to six bytes. */
const SURELY_TAKEN = 4 * 1024 * 1024;

/** Checks the size of the reply in JSON here, since the service would refuse a larger reply and repeat the request. */
function sendable(reply: RunnerReply): RunnerReply {
  const isSmall = reply.body.length <= SURELY_TAKEN;
  if (isSmall || Buffer.byteLength(JSON.stringify(reply)) <= bounds.bodyBytes) return reply;
  const message = `the reply takes more than ${bounds.bodyBytes} bytes as JSON`;
  return { ...cut(reply, SURELY_TAKEN), failure: { class: "too_large", message } };
}

/** A reply with its body truncated to this many characters, and its arrivals limited to the end. */
const cut = (reply: RunnerReply, most: number): RunnerReply => ({
  ...reply,
  body: reply.body.slice(0, most),
  marks: reply.marks.map(([length, ms]): [number, number] => [Math.min(length, most), ms]),
});

class TooLarge extends Error {}

function grow(reply: Pick<RunnerReply, "body" | "marks">, text: string, ms: number): void {
  reply.body += text;
  if (reply.body.length > RUNNER_BODY_MAX) {
    reply.body = reply.body.slice(0, RUNNER_BODY_MAX);
    throw new TooLarge();
  }
  const isNew = text !== "" && reply.marks.length < RUNNER_MARKS_MAX;
  if (isNew) reply.marks.push([reply.body.length, ms]);
}

async function receive(
  { method, url, headers: given, body, protocol }: RunnerRequest,
  apiKey: string | null,
  signal: AbortSignal,
  on: { headers: (response: Response) => void; part: (text: string) => void },
): Promise<void> {
  const headers = Object.fromEntries(Object.entries(given).filter(([name]) => !unsent.test(name)));
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...headersOf({ protocol, baseUrl: url }, apiKey) },
    ...(method !== "GET" && method !== "HEAD" && { body }),
    redirect: "manual",
    signal,
  });
  on.headers(response);
  for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) on.part(part);
}

function failureOf(error: unknown, timeoutMs: number | null): Failure {
  if (error instanceof TooLarge) {
    return { class: "too_large", message: `the reply has more than ${RUNNER_BODY_MAX} characters` };
  }
  if (timeoutMs !== null) return { class: "timeout", message: `no answer within ${timeoutMs} ms` };
  const { cause } = error as { cause?: { code?: unknown } };
  const code = typeof cause?.code === "string" ? ` (${cause.code})` : "";
  return { class: "network", message: `the connection of the runner failed${code}` };
}

const shownHeaders = (headers: Headers): Record<string, string> =>
  Object.fromEntries(
    readHeaders.flatMap((name) => {
      const value = headers.get(name);
      return value === null || value.length > HEADER_MAX ? [] : [[name, value]];
    }),
  );

/** Redacts the key, because some endpoints echo requests. */
function redacted(reply: RunnerReply, apiKey: string | null): RunnerReply {
  if (apiKey === null) return reply;
  const redact = redactor([apiKey]);
  const body = redact(reply.body);
  const headers = Object.entries(reply.headers).map(([name, value]) => [name, redact(value)]);
  return cut({ ...reply, headers: Object.fromEntries(headers), body }, body.length);
}

/** Addresses below which a runner calls endpoints. Throws BadInput. */
export function allowedBases(given: readonly string[]): URL[] {
  return given.map((text) => {
    const url = URL.parse(text);
    const isBase =
      url !== null &&
      /^https?:$/.test(url.protocol) &&
      !url.search &&
      !url.hash &&
      !text.includes("@");
    if (isBase) return url;
    throw new BadInput(
      `--allow must be the address of an endpoint without query, user name or password, such as http://10.0.0.5:8000/v1, not "${text.includes("@") ? "…@…" : text}"`,
    );
  });
}

/**
 * Whether an address is under one of the bases.
 * @example isAllowed("http://a.lan/v1/chat/completions", [new URL("http://a.lan/v1")]) // true
 */
export function isAllowed(address: string, bases: readonly URL[]): boolean {
  const url = URL.parse(address);
  if (url === null || url.username !== "" || url.password !== "") return false;
  return bases.some(({ origin, pathname }) => {
    const folder = pathname.endsWith("/") ? pathname : `${pathname}/`;
    return url.origin === origin && url.pathname.startsWith(folder) && !climbs(url.pathname);
  });
}

/** Whether the decoded path would lead out of the base's folder. */
function climbs(path: string): boolean {
  try {
    return decodeURIComponent(path).split(/[\\/]/).includes("..");
  } catch {
    return true;
  }
}
