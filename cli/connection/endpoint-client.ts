import OpenAI, { APIConnectionTimeoutError, APIError } from "openai";
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

/** The SDK requires a key; the endpoint's own is in a header of its interface. */
const NO_KEY = "none";

/** Calls an endpoint from this machine, without retries and redirects; never throws. */
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
  ): Promise<EndpointReply<T> | FailedRequest> => {
    const since = performance.now();
    try {
      const { value, response } = await request();
      const ms = performance.now() - since;
      const shown = { value, headers: Object.fromEntries(response.headers) };
      // Before any part is cut off, so that no part of a repeated key remains.
      return { ok: true, ...(redactDeep(shown, redact) as typeof shown), ms };
    } catch (error) {
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
  // Redacted before it is cut, so that no part of a key remains.
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
    const { status = null, cause } = error as APIError & { cause?: Error };
    const { cause: root } = (cause ?? {}) as { cause?: NodeJS.ErrnoException };
    const message =
      status === null ? (root?.code ?? cause?.message ?? error.message) : error.message;
    // The SDK puts the status before the endpoint's message.
    return { ok: false, status, message: clean(message.replace(/^\d{3} /, "")) };
  }
  return { ok: false, status: null, message: clean((error as Error).message) };
}
