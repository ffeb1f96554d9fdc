import type {
  Asked,
  EndpointClient,
  EndpointReply,
  FailedRequest,
  Target,
} from "#shared/connection/check.ts";
import { modelsPath, readModels } from "#shared/connection/listed-models.ts";
import { parsedJson } from "#shared/contracts/json.ts";
import type { Endpoint } from "#shared/contracts/submissions/submission.ts";
import { protocolOf } from "#shared/protocols/protocol-of.ts";
import type { CallRules } from "../security/own-hosts.ts";
import { endpointProblem } from "./ask-model.ts";
import {
  type Attempt,
  completeOnce,
  type Kind,
  type RequestBounds,
  requestOnce,
} from "./request-once.ts";

/** Makes clients for testing endpoints, which send nothing after `endsAt`. */
export type ConnectEndpoint = (endsAt: number) => (target: Target) => EndpointClient;

/** How a reply is displayed. */
interface Shown<T> {
  value: T;
  headers: Record<string, string>;
}

type Reply<T> = EndpointReply<T> | FailedRequest;

/** Calls endpoints by the same rules and limits as runs, once per request. */
export const endpointConnector =
  (rules: CallRules, now: () => number): ConnectEndpoint =>
  (endsAt) =>
  (target) => {
    const endpoint = endpointOf(target);
    const problem = endpointProblem(endpoint, rules);
    const protocol = protocolOf(endpoint);
    /** Time left for a request, ms, or why none is sent. */
    const limit = (): number | FailedRequest => {
      if (problem !== null) return failed(null, `this service does not call it: ${problem}`);
      const leftMs = endsAt - now();
      if (leftMs <= 0) return failed(null, "not tried, because the time for a test is over");
      return Math.min(target.timeoutMs, leftMs);
    };
    const send = async <T>(kind: Kind<Shown<T>>): Promise<Reply<T>> => {
      const most = limit();
      if (typeof most !== "number") return most;
      const attempt = await requestOnce(endpoint, kind, most, now);
      if (!attempt.ok) return failureOf(attempt);
      const { value, latencyMs } = attempt.value;
      return { ok: true, ...value, ms: latencyMs };
    };
    const bodyOf = ({ mode = "none", maxTokensParam, ...request }: Asked, streams: boolean) => {
      const its = maxTokensParam === undefined ? endpoint : { ...endpoint, maxTokensParam };
      return protocol.body({ endpoint: its, request, mode, refused: new Set(), streams });
    };
    return {
      chat: (asked) =>
        send({
          name: "an answer",
          async send(client, bounds) {
            const path = protocol.path(target.model, false);
            const post = client.post(path, { body: bodyOf(asked, false), ...until(bounds) });
            const { text, headers } = await readWhole(await post.asResponse());
            return { value: protocol.read(parsedJson(text) ?? text, null), headers };
          },
        }),
      models: () =>
        send({
          name: "a list of models",
          async send(client, bounds) {
            const reply = await client.get(modelsPath(target), until(bounds)).asResponse();
            const { text, headers } = await readWhole(reply);
            const listed = readModels(parsedJson(text)) ?? [];
            return { value: listed.slice(0, MOST_MODELS).map(({ id }) => id), headers };
          },
        }),
      async stream(asked) {
        const most = limit();
        if (typeof most !== "number") return most;
        const write = () => ({ body: bodyOf(asked, true), streams: true });
        const begunAt = now();
        const attempt = await completeOnce(endpoint, write, most, now);
        if (!attempt.ok) return failureOf(attempt);
        const { isStreamed: isStream, answer } = attempt.value;
        return { ok: true, value: { isStream, answer }, headers: {}, ms: now() - begunAt };
      },
    };
  };

/** Maximum models that are returned: OpenRouter lists some 400. */
const MOST_MODELS = 1_000;

const endpointOf = ({ apiKey, headers, settings, protocol, baseUrl, model }: Target): Endpoint => ({
  baseUrl,
  model,
  maxTokensParam: "max_tokens",
  ...(protocol && { protocol }),
  ...(apiKey !== null && { apiKey }),
  ...(headers && { headers: { ...headers } }),
  ...(settings && { settings }),
});

/** If the SDK does not parse the body, its timeout ends with the headers. */
const until = ({ timeout }: RequestBounds) => ({ timeout, signal: AbortSignal.timeout(timeout) });

async function readWhole(response: Response) {
  return { text: await response.text(), headers: Object.fromEntries(response.headers) };
}

const failed = (status: number | null, message: string): FailedRequest => ({
  ok: false,
  status,
  message,
});

/** Removes the status, which the SDK puts before the endpoint's message. */
const failureOf = ({ failure }: Extract<Attempt<unknown>, { ok: false }>): FailedRequest =>
  failed(failure.httpStatus, failure.message.replace(/^\d{3} /, ""));
