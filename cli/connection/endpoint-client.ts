import OpenAI, { APIConnectionTimeoutError, APIError } from "openai";
import { Stream } from "openai/streaming";
import type { Answer, StructuredMode } from "#shared/contracts/answer.ts";
import type { ChatRequest } from "#shared/contracts/chat-request.ts";
import { asObject, type Json, parsedJson } from "#shared/contracts/json.ts";
import { headersOf, protocolOf } from "#shared/protocols/protocol-of.ts";
import { ReportedError, UnwritableError } from "#shared/protocols/reply-errors.ts";
import type { Target } from "./check.ts";

/** The SDK requires a key; the endpoint's own is in a header of its interface. */
const NO_KEY = "none";

/** An endpoint's answer. */
export interface EndpointReply<T> {
  ok: true;
  value: T;
  headers: Headers;
  ms: number;
}

/** The reason of a failure, without keys. `status` null: no reply. */
export interface FailedRequest {
  ok: false;
  status: number | null;
  message: string;
}

/** What is asked of a model, and in which mode the answer is to follow a schema. */
export interface Asked extends ChatRequest {
  mode?: StructuredMode;
  maxTokensParam?: "max_completion_tokens";
}

/** Calls an endpoint in its interface, without retries and redirects; never throws. */
export function endpointClient(target: Target) {
  const { baseUrl, model, apiKey, headers = {}, timeoutMs, settings } = target;
  const secrets = [apiKey ?? [], Object.values(headers)].flat();
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
      return { ok: true, value, headers: response.headers, ms: performance.now() - since };
    } catch (error) {
      return failedRequest(error, secrets, timeoutMs);
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
    /** An answer; null for a body of another kind. */
    chat: (asked: Asked) =>
      send(async () => {
        const response = await post(asked, false);
        return { value: protocol.read(jsonOf(await response.text()), null), response };
      }),
    /** A streamed answer, and the number of its pieces. */
    stream: (asked: Asked) =>
      send(async () => {
        const response = await post(asked, true);
        const parts = protocol.parts();
        let count = 0;
        for await (const piece of Stream.fromSSEResponse<unknown>(
          response,
          new AbortController(),
        )) {
          count += 1;
          parts.add(piece);
        }
        const body = parts.body();
        const answer: Answer | null = body === null ? null : protocol.read(body, null);
        return { value: { count, answer }, response };
      }),
    /** The names of its models. */
    models: () =>
      send(async () => {
        const response = await client
          .get(modelsPath[target.protocol ?? ""] ?? "/models")
          .asResponse();
        return { value: modelsIn(jsonOf(await response.text())), response };
      }),
  };
}
export type EndpointClient = ReturnType<typeof endpointClient>;

/** Lists of models that come in pages, as one page. */
const modelsPath: Readonly<Record<string, string>> = {
  messages: "/models?limit=1000",
  generate_content: "/models?pageSize=1000",
};

const jsonOf = (text: string): unknown => parsedJson(text) ?? text;

/** Google lists `{models: [{name: "models/…"}]}`, Together `[{id}]`, all others `{data: [{id}]}`. */
function modelsIn(body: unknown): string[] {
  const { data, models }: Record<string, Json> = asObject(body);
  const list = [body, data, models].find((one) => Array.isArray(one)) ?? [];
  return (list as Json[]).flatMap((one) => {
    const { id, name } = asObject(one);
    const found = id ?? name;
    return typeof found === "string" ? [found.replace(/^models\//, "")] : [];
  });
}

function failedRequest(
  error: unknown,
  secrets: readonly string[],
  timeoutMs: number,
): FailedRequest {
  const clean = (text: string) =>
    secrets
      .reduce((shown, secret) => shown.replaceAll(secret, "…"), text)
      .replace(/\s+/g, " ")
      .slice(0, 300);
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
