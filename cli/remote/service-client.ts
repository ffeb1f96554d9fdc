import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import { parsedJson } from "#shared/contracts/json.ts";
import { withEffort } from "#shared/contracts/keys/effort.ts";
import type { Problem } from "#shared/contracts/problem.ts";
import { type Redact, redactor } from "#shared/protocols/redact.ts";
import { BadInput } from "../errors.ts";
import { KEY_VARIABLE, type ServiceAccess } from "./service-access.ts";
import { retryAfterOf, ServiceError, unexpectedReply, unreachable } from "./service-error.ts";

/** The service stores a submission before it answers, which takes seconds if there are many answers. */
const TIMEOUT_MS = 60_000;

/** Longer timeout for streams, which are generated while they are sent. */
const STREAM_TIMEOUT_MS = 600_000;

/** A reply of the service. */
interface Reply<T> {
  value: T;
  retryAfterSeconds: number | null;
}

/** Reads and writes by path; throws ServiceError. */
export type ServiceClient = ReturnType<typeof serviceClient>;

/**
 * The API of any service. `scope`: the scope that a key needs for the calls. No thrown error contains the key.
 */
export function serviceClient(access: ServiceAccess, scope: string) {
  const redact = redactor(access.apiKey === null ? [] : [access.apiKey]);
  const answer = async <T>(path: string, init: RequestInit, use: (got: Response) => Promise<T>) => {
    try {
      const response = await send(access, path, init);
      if (!response.ok) throw await refusal(access, scope, path, response);
      return await use(response);
    } catch (error) {
      throw withoutKey(error, access, redact);
    }
  };
  const reply = <T>(path: string, schema: z.ZodType<T>, init: RequestInit) =>
    answer(path, init, (response) => read(access, path, schema, response, redact));
  const call = async <T>(path: string, schema: z.ZodType<T>, init: RequestInit) =>
    (await reply(path, schema, init)).value;
  return {
    /** Origin of the service. */
    origin: access.origin,
    /** Whether calls have a key. */
    hasKey: access.apiKey !== null,
    get: <T>(path: string, schema: z.ZodType<T>) => call(path, schema, {}),
    /** Like `get`, with the time until the next request. */
    poll: <T>(path: string, schema: z.ZodType<T>) => reply(path, schema, {}),
    delete: <T>(path: string, schema: z.ZodType<T>) => call(path, schema, { method: "DELETE" }),
    post: <T>(
      path: string,
      body: unknown,
      schema: z.ZodType<T>,
      more: Readonly<Record<string, string>> = {},
      signal: AbortSignal = AbortSignal.timeout(TIMEOUT_MS),
    ) => call(path, schema, { ...jsonInit("POST", body, more), signal }),
    put: <T>(path: string, body: unknown, schema: z.ZodType<T>) =>
      call(path, schema, jsonInit("PUT", body)),
    patch: <T>(path: string, body: unknown, schema: z.ZodType<T>) =>
      call(path, schema, jsonInit("PATCH", body)),
    /** An unparsed file; its reader handles errors during the transfer. */
    download: (path: string) =>
      answer(path, {}, async ({ body }) => {
        if (body === null) throw unexpectedReply(access.origin, path, "with nothing");
        return body;
      }),
    /** Sends rows, by default as JSONL. */
    upload: <T>(path: string, rows: Buffer, schema: z.ZodType<T>, type = "application/jsonl") => {
      const headers = { "content-type": type };
      return call(path, schema, { method: "POST", headers, body: new Uint8Array(rows) });
    },
    /** Sends JSON that is generated piece by piece. */
    stream: <T>(
      path: string,
      pieces: AsyncIterable<string>,
      schema: z.ZodType<T>,
      more: Readonly<Record<string, string>>,
    ) => {
      const headers = { ...more, "content-type": "application/json" };
      const body = ReadableStream.from(encoded(pieces)) as ReadableStream<Uint8Array>;
      const signal = AbortSignal.timeout(STREAM_TIMEOUT_MS);
      const init = { method: "POST", headers, body, signal, duplex: "half" };
      return call(path, schema, init as RequestInit);
    },
  };
}

async function send(
  { origin, apiKey }: ServiceAccess,
  path: string,
  init: RequestInit,
): Promise<Response> {
  const url = urlOn(origin, path);
  const headers = new Headers(init.headers);
  if (apiKey !== null) headers.set("authorization", `Bearer ${apiKey}`);
  const signal = init.signal ?? AbortSignal.timeout(TIMEOUT_MS);
  try {
    const read = (proof: Readonly<Record<string, string>>) => {
      for (const [name, value] of Object.entries(proof)) headers.set(name, value);
      // Redirects are not followed, because the request is meant only for this service.
      return fetch(url, { ...init, headers, signal, redirect: "manual" });
    };
    return await withEffort(read, () => setImmediate());
  } catch (error) {
    // Errors while generating the body are reported unchanged.
    const { cause } = error as Error;
    if (error instanceof BadInput) throw error;
    if (cause instanceof BadInput) throw cause;
    throw unreachable(origin, error);
  }
}

/**
 * The address of a path on this service only: paths come from files and replies, so `@host`, `//host`
 * or `..` must not send the key elsewhere. Throws BadInput for such a path.
 */
function urlOn(origin: string, path: string): URL {
  const url = URL.parse(`${origin}${path}`);
  const isOnService =
    url !== null && url.origin === origin && url.pathname === path.split("?")[0] && !url.username;
  if (isOnService && !path.startsWith("//")) return url;
  throw new BadInput(`"${path.slice(0, 100)}" is not a path of the service at ${origin}`);
}

/** The error for a reply that is not `ok`. `scope`: the scope that the call needs. */
async function refusal(
  access: ServiceAccess,
  scope: string,
  path: string,
  response: Response,
): Promise<ServiceError> {
  const { status, headers } = response;
  if (status >= 300 && status < 400) {
    return unexpectedReply(access.origin, path, `with a redirect to ${headers.get("location")}`);
  }
  const isPassing = status === 429 || status >= 500;
  const isClosed = status === 401 || status === 403;
  const problem = await problemLines(response);
  // Proxies and the platform may answer 401, 403, 429 and 5xx with their own replies.
  if (problem === null && !isPassing && !isClosed) {
    return unexpectedReply(access.origin, path, `with ${status}`);
  }
  const [detail, ...fields] = problem ?? [`it answers ${status}`];
  const reason = fields.length === 0 ? detail : `${detail}: ${fields.join("; ")}`;
  const advice = isClosed ? `; ${adviceOnKey(access, scope)}` : "";
  return new ServiceError(`${access.origin}: ${reason}${advice}`, {
    isPassing,
    retryAfterSeconds: retryAfterOf(response),
    status,
  });
}

/**
 * Why the service refused: first the reason, then a line for each invalid field. Null if the reply is not a
 * problem in the format of the service's API.
 */
async function problemLines(response: Response): Promise<string[] | null> {
  const problem = (await response.json().catch(() => null)) as Partial<Problem> | null;
  if (typeof problem?.detail !== "string") return null;
  const fields = (problem.errors ?? []).map(({ pointer, parameter, line, detail }) => {
    const place = pointer ?? parameter ?? (line === undefined ? null : `line ${line}`);
    return place === null ? detail : `${place}: ${detail}`;
  });
  return [problem.detail, ...fields.filter((field) => field !== problem.detail)];
}

function adviceOnKey({ apiKey }: ServiceAccess, scope: string): string {
  const wanted = `set ${KEY_VARIABLE} to a key with the scope ${scope}`;
  return apiKey === null ? wanted : `${wanted}, or unset it for a service that requires none`;
}

/** Redacts the key, which a reply may quote in any encoding; short keys are only found literally. */
function withoutKey(error: unknown, { apiKey }: ServiceAccess, redact: Redact): unknown {
  if (apiKey !== null && error instanceof Error) {
    error.message = redact(error.message).replaceAll(apiKey, "[redacted]");
  }
  return error;
}

async function read<T>(
  { origin }: ServiceAccess,
  path: string,
  schema: z.ZodType<T>,
  response: Response,
  redact: Redact,
): Promise<Reply<T>> {
  const body = await response.text().catch((error) => {
    throw unreachable(origin, error);
  });
  const parsed = schema.safeParse(parsedJson(redact(body)));
  if (!parsed.success) throw unexpectedReply(origin, path, "in an unexpected form");
  return { value: parsed.data, retryAfterSeconds: retryAfterOf(response) };
}

async function* encoded(pieces: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const piece of pieces) yield encoder.encode(piece);
}

const jsonInit = (
  method: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
) => ({
  method,
  headers: { ...headers, "content-type": "application/json" },
  body: JSON.stringify(body),
});

/** Entries per request: the service's maximum. */
const PAGE_ENTRIES = 200;

/** All entries of a list of the service, page by page. `name`: the list's key in a page. */
export async function everyPage<T>(
  service: ServiceClient,
  path: string,
  name: string,
  entry: z.ZodType<T>,
): Promise<T[]> {
  const schema = z.object({ [name]: z.array(entry), nextCursor: z.string().nullish() });
  const entries: T[] = [];
  for (let cursor: string | null = null; ; ) {
    const query: string[] = [`limit=${PAGE_ENTRIES}`];
    if (cursor !== null) query.push(`cursor=${encodeURIComponent(cursor)}`);
    const asked = `${path}${path.includes("?") ? "&" : "?"}${query.join("&")}`;
    const value = await service.get(asked, schema);
    entries.push(...(value[name] as T[]));
    cursor = (value["nextCursor"] as string | null | undefined) ?? null;
    if (cursor === null) return entries;
  }
}
