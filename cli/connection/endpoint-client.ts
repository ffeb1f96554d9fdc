import OpenAI, { APIConnectionTimeoutError, APIError } from "openai";
import type { Target } from "./check.ts";

/** The SDK requires a key; without one, its header is left out. */
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

type Chat = OpenAI.Chat.ChatCompletion;

/** Calls an endpoint, without retries and redirects; never throws. */
export function endpointClient({ baseUrl, model, apiKey, timeoutMs }: Target) {
  const client = new OpenAI({
    baseURL: baseUrl,
    apiKey: apiKey ?? NO_KEY,
    maxRetries: 0,
    timeout: timeoutMs,
    organization: null,
    project: null,
    logLevel: "off",
    fetchOptions: { redirect: "manual" },
    defaultHeaders: { "user-agent": "assay", ...(apiKey === null && { authorization: null }) },
  });
  const send = async <T>(
    request: () => Promise<{ data: T; response: Response }>,
  ): Promise<EndpointReply<T> | FailedRequest> => {
    const since = performance.now();
    try {
      const { data, response } = await request();
      return { ok: true, value: data, headers: response.headers, ms: performance.now() - since };
    } catch (error) {
      return failedRequest(error, apiKey, timeoutMs);
    }
  };
  return {
    /** A chat; null for a body that is not a completion. */
    chat: (body: object) =>
      send<Chat>(() => client.chat.completions.create({ model, ...body } as never).withResponse()),
    models: () =>
      send(async () => {
        const { data, response } = await client.models.list().withResponse();
        return { data: data.data ?? [], response };
      }),
    /** A streamed chat: its pieces, and the reported usage. */
    stream: (body: object) =>
      send(async () => {
        const asked = { model, ...body, stream: true, stream_options: { include_usage: true } };
        const sent = client.chat.completions.create(asked as never);
        const { data, response } = await sent.withResponse();
        const pieces = data as unknown as AsyncIterable<OpenAI.Chat.ChatCompletionChunk>;
        let [count, usage]: [number, OpenAI.CompletionUsage | null] = [0, null];
        for await (const piece of pieces) {
          count += 1;
          usage = piece.usage ?? usage;
        }
        return { data: { count, usage }, response };
      }),
  };
}
export type EndpointClient = ReturnType<typeof endpointClient>;

function failedRequest(error: unknown, apiKey: string | null, timeoutMs: number): FailedRequest {
  const clean = (text: string) =>
    (apiKey === null ? text : text.replaceAll(apiKey, "…")).replace(/\s+/g, " ").slice(0, 300);
  if (error instanceof APIConnectionTimeoutError) {
    return { ok: false, status: null, message: `no reply within ${timeoutMs / 1000} s` };
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
