import { APIError } from "openai";
import { isJsonObject, type JsonObject, parsedJson } from "#shared/contracts/json.ts";
import type { Endpoint } from "#shared/contracts/submissions/submission.ts";
import { headersOf } from "#shared/protocols/protocol-of.ts";
import { redactor, secretsOf } from "#shared/protocols/redact.ts";
import { MOST_CHARACTERS as MOST_LINE, TooLargeError } from "#shared/protocols/reply-errors.ts";
import { type Failure, failureOf } from "../failure.ts";
import { RedirectError } from "../guarded-fetch.ts";

/** Longer than the upload of the largest batch takes. */
const TIMEOUT_MS = 120_000;
/** Maximum time for reading results, well within the lease of their lane. */
const RESULTS_MS = 240_000;
/** Maximum size of a reply that is not a stream of lines: the results of a Gemini batch. */
const MOST_BODY = 32 * 1024 * 1024;

export type BatchHttp = ReturnType<typeof batchHttp>;

/** Requests to a provider's batch interface. They throw errors that `failure` classifies. */
export function batchHttp(endpoint: Endpoint, now: () => number) {
  const { baseUrl, apiKey, headers } = endpoint;
  const redact = redactor(secretsOf(endpoint));
  const send = async (method: string, path: string, ms: number, body?: string | FormData) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      redirect: "manual",
      signal: AbortSignal.timeout(ms),
      headers: {
        "user-agent": "assay",
        ...(typeof body === "string" && { "content-type": "application/json" }),
        ...headersOf(endpoint, apiKey),
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
    if (response.status >= 300 && response.status < 400) throw new RedirectError(response.status);
    if (response.ok) return response;
    const text = await response.text();
    throw httpError(response.status, asError(text), response.headers);
  };
  return {
    redact,
    /** Classifies the error of a request. */
    failure: (error: unknown): Failure => failureOf(error, now(), redact),
    /** Sends JSON, text or a form; returns the JSON object in the reply. */
    async json(method: string, path: string, body?: object | string): Promise<JsonObject> {
      const isReady = typeof body === "string" || body instanceof FormData;
      const sent = isReady ? body : body && JSON.stringify(body);
      const response = await send(method, path, TIMEOUT_MS, sent);
      const value = parsedJson(await boundedText(response));
      if (isJsonObject(value)) return value;
      throw new SyntaxError("the reply is no JSON object");
    },
    /** The JSON objects in a file, line by line; other lines are skipped. */
    async *lines(path: string): AsyncIterable<JsonObject> {
      const response = await send("GET", path, RESULTS_MS);
      for await (const line of linesOf(response)) {
        const value = parsedJson(line);
        if (isJsonObject(value)) yield value;
      }
    },
    /** Deletes a file; errors are ignored, because it is not necessary. */
    async forget(path: string): Promise<void> {
      await send("DELETE", path, TIMEOUT_MS).then(
        (response) => response.body?.cancel(),
        () => undefined,
      );
    },
  };
}

/** Parses an error: some providers write it at the top level, or in a list. */
function asError(text: string): JsonObject {
  const value = parsedJson(text);
  const read = Array.isArray(value) ? value[0] : value;
  if (!isJsonObject(read)) return { error: { message: text.slice(0, 500) } };
  return read["error"] == null ? { error: read } : read;
}

/** The error for a status. `body`: in OpenAI's form, `{error: {message, …}}`. */
export const httpError = (
  status: number,
  body: JsonObject,
  headers: Headers = new Headers(),
): APIError => APIError.generate(status, body, undefined, headers);

/** The failure of a request in a batch's file, from its HTTP status and body. */
export const failureIn = (http: BatchHttp, status: number, body: unknown): Failure =>
  http.failure(httpError(status, isJsonObject(body) ? body : { error: { message: `${body}` } }));

async function boundedText(response: Response): Promise<string> {
  let text = "";
  for await (const part of textOf(response)) {
    text += part;
    if (text.length > MOST_BODY) {
      throw new TooLargeError(`the reply is larger than ${MOST_BODY} characters`);
    }
  }
  return text;
}

/** Lines one by one; skips lines longer than any answer. */
async function* linesOf(response: Response): AsyncIterable<string> {
  let rest = "";
  let isTooLong = false;
  for await (const part of textOf(response)) {
    const [first = "", ...others] = part.split("\n");
    rest = isTooLong ? "" : rest + first;
    isTooLong ||= rest.length > MOST_LINE;
    for (const next of others) {
      if (!isTooLong) yield rest;
      [rest, isTooLong] = [next, next.length > MOST_LINE];
    }
  }
  if (!isTooLong && rest !== "") yield rest;
}

const textOf = ({ body }: Response): AsyncIterable<string> | [] =>
  body?.pipeThrough(new TextDecoderStream()) ?? [];

/** A provider's id for use in a path. Throws if it contains a path. */
export function pathId(id: unknown): string {
  if (typeof id === "string" && /^[\w-]+([./][\w-]+)*$/.test(id)) return id;
  throw new SyntaxError("the provider's id is not usable");
}

/** A field of a provider's object as a list of objects; empty if it is anything else. */
export const objectsIn = (value: unknown): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];
