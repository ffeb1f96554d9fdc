import { parsedJson } from "#shared/contracts/json.ts";
import { ApiError, errorOf } from "./api-error.ts";
import { accessOf, forgetKey } from "./page-access.ts";

export interface Call {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  body?: unknown;
  /** JSON Lines, instead of a body. */
  jsonl?: string;
  /** API key of Assay, used instead of the session; sent only to the API's own address. */
  key?: string | null;
  headers?: Record<string, string>;
  /** Uses only the session, not the tab's link or key. */
  bySession?: true;
  /** Acts for the person, even if the page acts for an organisation. */
  asPerson?: true;
  idempotencyKey?: string;
  signal?: AbortSignal;
}

export interface Reply<T> {
  status: number;
  value: T;
  /** Time to wait before a retry, s; null if the API does not state it. */
  retryAfterSeconds: number | null;
}

/** Maximum total wait of a read for a result or a rate limit, s. */
const mostWaitSeconds = 300;
/** Wait if a response asks for a retry without a time, s. */
const usualWaitSeconds = 3;

/** Address of this page's API, without a final slash. */
export function apiOrigin(): string {
  const origin = document.querySelector<HTMLElement>("[data-api]")?.dataset["api"];
  if (!origin) throw new Error("no element of this page has data-api");
  return origin;
}

/** Calls the API once. Throws an `ApiError` for every unsuccessful answer. */
export async function callApi<T>(path: string, call: Call = {}): Promise<Reply<T>> {
  const response = await answerTo(path, call);
  const text = await response.text();
  const body = parsedJson(text);
  if (!response.ok) throw errorOf(response.status, body, waitOf(response));
  return { status: response.status, value: body as T, retryAfterSeconds: waitOf(response) };
}

/**
 * Reads a path of the API. Waits, and reports it by `onWait`, while the result is being computed (202) or the rate
 * limit is exceeded (429).
 */
export async function getJson<T>(
  path: string,
  { signal, onWait }: { signal?: AbortSignal; onWait?: (seconds: number) => void } = {},
): Promise<T> {
  for (let waited = 0; ; ) {
    const response = await answerTo(path, signal ? { signal } : {});
    const body = parsedJson(await response.text());
    const isToCome = [202, 429].includes(response.status);
    const seconds = waitOf(response) ?? usualWaitSeconds;
    if (!isToCome || waited + seconds > mostWaitSeconds) {
      if (response.ok && response.status !== 202) return body as T;
      throw isToCome && response.ok
        ? new ApiError("it is still being computed; try again in a few minutes", { status: 202 })
        : errorOf(response.status, body);
    }
    onWait?.(seconds);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
    signal?.throwIfAborted();
    waited += seconds;
  }
}

async function answerTo(path: string, { method = "GET", body, jsonl, key, ...call }: Call) {
  const origin = apiOrigin();
  const { headers, credentials } = accessOf({ ...call, isRead: method === "GET" }, key ?? "");
  Object.assign(headers, call.headers);
  if (body !== undefined) headers["content-type"] = "application/json";
  if (jsonl !== undefined) headers["content-type"] = "application/jsonl";
  if (call.idempotencyKey) headers["idempotency-key"] = call.idempotencyKey;
  const send = (proof: Readonly<Record<string, string>>) =>
    fetch(`${origin}${path}`, {
      method,
      headers: { ...headers, ...proof },
      credentials,
      // A key, or a body that contains one, is never sent to a redirected address.
      redirect: "error",
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(jsonl !== undefined && { body: jsonl }),
      ...(call.signal && { signal: call.signal }),
    });
  try {
    const answer = await provenAnswer(send);
    if (answer.status !== 401 || key || !("authorization" in headers)) return answer;
    forgetKey();
    delete headers["authorization"];
    const anyones = await provenAnswer(send);
    return anyones.ok ? anyones : answer;
  } catch (error) {
    if (call.signal?.aborted) throw error;
    throw new ApiError(`the API at ${origin} could not be reached`, {
      status: null,
      isRetryable: true,
    });
  }
}

/** Concurrent digests: starting each takes longer than computing it. */
const AT_ONCE = 64;

/**
 * Sends a read; if the API asks for a proof of work, sends it again with one. Uses the browser's SHA-256, so that no
 * other must be loaded.
 */
async function provenAnswer(
  send: (proof: Readonly<Record<string, string>>) => Promise<Response>,
): Promise<Response> {
  const reply = await send({});
  const [bits, token] = reply.headers.get("assay-challenge")?.split(" ") ?? [];
  if (token === undefined) return reply;
  for (let from = 0; ; from += AT_ONCE) {
    const texts = Array.from({ length: AT_ONCE }, (_, i) => `${from + i} ${token}`);
    const zeros = await Promise.all(texts.map(leadingZeros));
    const proof = texts[zeros.findIndex((count) => count >= Number(bits))];
    if (proof) return send({ "assay-proof": proof });
  }
}

async function leadingZeros(text: string): Promise<number> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Math.clz32(new DataView(hash).getUint32(0));
}

function waitOf({ headers }: Response): number | null {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : null;
}
