import { setTimeout } from "node:timers/promises";
import OpenAI, { APIConnectionTimeoutError, APIError, OpenAIError } from "openai";
import { Stream } from "openai/streaming";
import type {
  Asked,
  EndpointClient,
  EndpointReply,
  FailedRequest,
  Target,
} from "#shared/connection/check.ts";
import { modelsPath, readModels } from "#shared/connection/listed-models.ts";
import { parsedJson } from "#shared/contracts/json.ts";
import { headersOf, protocolOf } from "#shared/protocols/protocol-of.ts";
import { type Redact, redactDeep, redactor, secretsOf } from "#shared/protocols/redact.ts";
import { ReportedError, UnwritableError } from "#shared/protocols/reply-errors.ts";

/** Placeholder that the SDK requires; the endpoint's key is in a header of its API. */
const NO_KEY = "none";

/** Attempts after 429, which says nothing about the tested feature. */
const ATTEMPTS = 3;
/** First wait if the endpoint states none, doubled each time; no retry if the wait is above the second number. */
const [WAIT_MS, MAX_WAIT_MS] = [2_000, 20_000];

/** Explanations of Node.js error codes. */
const meanings: Record<string, string> = {
  ECONNRESET: "the connection was closed without an answer",
  UND_ERR_SOCKET: "the connection was closed without an answer",
};

/** Calls an endpoint from this machine. Follows no redirects, retries only after 429, never throws. */
export function endpointClient(target: Target): EndpointClient {
  const { baseUrl, model, apiKey, headers = {}, timeoutMs, settings } = target;
  const redact = redactor(secretsOf({ ...(apiKey !== null && { apiKey }), headers }));
  const protocol = protocolOf(target);
  const client = new OpenAI({
    baseURL: baseUrl,
    apiKey: NO_KEY,
    maxRetries: 0,
    timeout: timeoutMs,
    organization: null,
    project: null,
    logLevel: "off",
    fetchOptions: { redirect: "manual" },
    defaultHeaders: {
      "user-agent": "assay",
      authorization: null,
      ...headersOf(target, apiKey),
      ...headers,
    },
  });
  const send = async <T>(
    request: () => Promise<{ value: T; response: Response }>,
    attempt = 1,
  ): Promise<EndpointReply<T> | FailedRequest> => {
    const since = performance.now();
    try {
      const { value, response } = await request();
      const ms = performance.now() - since;
      const shown = { value, headers: Object.fromEntries(response.headers) };
      // Redacted before truncation, so that no part of a quoted key remains.
      return { ok: true, ...(redactDeep(shown, redact) as typeof shown), ms };
    } catch (error) {
      if (error instanceof APIError && error.status === 429 && attempt < ATTEMPTS) {
        const stated = error.headers?.get("retry-after") ?? "";
        const ms = /^\d+$/.test(stated) ? Number(stated) * 1_000 : WAIT_MS * 2 ** (attempt - 1);
        if (ms <= MAX_WAIT_MS) {
          await setTimeout(ms);
          return send(request, attempt + 1);
        }
      }
      return failedRequest(error, redact, timeoutMs);
    }
  };
  const post = (asked: Asked, streams: boolean) => {
    const { mode = "none", maxTokensParam, ...request } = asked;
    const endpoint = {
      baseUrl,
      model,
      maxTokensParam: maxTokensParam ?? ("max_tokens" as const),
      ...(settings && { settings }),
    };
    const body = protocol.body({ endpoint, request, mode, refused: new Set(), streams });
    const signal = AbortSignal.timeout(timeoutMs);
    return client.post(protocol.path(model, streams), { body, signal }).asResponse();
  };
  return {
    chat: (asked: Asked) =>
      send(async () => {
        const response = await post(asked, false);
        return { value: protocol.read(jsonOf(await response.text()), null), response };
      }),
    stream: (asked: Asked) =>
      send(async () => {
        const response = await post(asked, true);
        const parts = protocol.parts();
        let isStream = false;
        for await (const piece of Stream.fromSSEResponse<unknown>(
          response,
          new AbortController(),
          client,
        )) {
          isStream = true;
          parts.add(piece);
        }
        const body = parts.body();
        const answer = body === null ? null : protocol.read(body, null);
        return { value: { isStream, answer }, response };
      }),
    models: () =>
      send(async () => {
        const signal = AbortSignal.timeout(timeoutMs);
        const response = await client.get(modelsPath(target), { signal }).asResponse();
        const listed = readModels(jsonOf(await response.text())) ?? [];
        return { value: listed.map(({ id }) => id), response };
      }),
  };
}

const jsonOf = (text: string): unknown => parsedJson(text) ?? text;

function failedRequest(error: unknown, redact: Redact, timeoutMs: number): FailedRequest {
  // Redacted before truncation, so that no part of a key remains.
  const clean = (text: string) => redact(text).replace(/\s+/g, " ").slice(0, 300);
  if (
    error instanceof APIConnectionTimeoutError ||
    (error instanceof Error && /Timeout|Abort/.test(error.name))
  ) {
    return { ok: false, status: null, message: `no reply within ${timeoutMs / 1000} s` };
  }
  if (error instanceof UnwritableError) return { ok: false, status: 400, message: error.message };
  if (error instanceof ReportedError) {
    return { ok: false, status: 200, message: clean(error.message) };
  }
  if (error instanceof APIError) {
    const status = error.status ?? null;
    if (status === null) return { ok: false, status, message: clean(connectionText(error)) };
    // The SDK adds the status before the endpoint's message, and its own text if the message is empty.
    const message = error.message.replace(/^\d{3} /, "").replace(/^status code \(no body\)$/, "");
    return { ok: false, status, message: clean(message) || "no message" };
  }
  if (error instanceof OpenAIError) {
    return { ok: false, status: 200, message: "the stream has a line that is not JSON" };
  }
  return { ok: false, status: null, message: clean((error as Error).message) };
}

function connectionText({ message, cause }: Error): string {
  const { cause: root, message: reason } = (cause ?? {}) as Error;
  const { code = "" } = (root ?? {}) as NodeJS.ErrnoException;
  const meaning = meanings[code];
  return meaning === undefined ? code || reason || message : `${meaning} (${code})`;
}
