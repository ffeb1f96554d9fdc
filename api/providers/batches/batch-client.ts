import { type Answer, boundedAnswer } from "#shared/contracts/answer.ts";
import type { JsonObject } from "#shared/contracts/json.ts";
import { type BatchInterface, batchesOf } from "#shared/contracts/submissions/providers.ts";
import type { Endpoint } from "#shared/contracts/submissions/submission.ts";
import { protocolOf } from "#shared/protocols/protocol-of.ts";
import { redactDeep } from "#shared/protocols/redact.ts";
import type { Failure } from "../failure.ts";
import type { Attempt } from "../request-once.ts";
import { anthropicBatches } from "./anthropic-batches.ts";
import type { BatchApi, BatchResult, LostBatch, NewBatch } from "./batch-api.ts";
import { batchHttp } from "./batch-http.ts";
import { geminiBatches } from "./gemini-batches.ts";
import { mistralBatches } from "./mistral-batches.ts";
import { openaiBatches } from "./openai-batches.ts";

const apis: Readonly<Record<BatchInterface, BatchApi>> = {
  openai: openaiBatches,
  anthropic: anthropicBatches,
  gemini: geminiBatches,
  mistral: mistralBatches,
};

/** The reply to a request of a batch, parsed like a live reply. */
export type BatchReply = { id: string } & ({ answer: Answer } | { failure: Failure });

/** The provider's status of a batch, with its replies. */
export type SeenBatch =
  | { kind: "open" }
  | {
      kind: "ended";
      missing: Failure;
      replies: () => AsyncIterable<BatchReply>;
      forget(): Promise<void>;
    };

export type BatchClient = NonNullable<ReturnType<typeof batchClient>>;

/** The batches of an endpoint; null if it has none. Calls return failures; reading replies throws them. */
export function batchClient(endpoint: Endpoint, now: () => number) {
  const name = batchesOf(endpoint);
  if (name === null) return null;
  const api = apis[name];
  const http = batchHttp(endpoint, now);
  const attempt = async <Value>(call: () => Promise<Value>): Promise<Attempt<Value>> => {
    try {
      return { ok: true, value: await call() };
    } catch (error) {
      return { ok: false, failure: http.failure(error) };
    }
  };
  const replyOf = (result: BatchResult): BatchReply => {
    const { id } = result;
    if ("failure" in result) return { id, failure: result.failure };
    try {
      const answer = protocolOf(endpoint).read(redactDeep(result.body, http.redact), null);
      if (answer === null) return { id, failure: notAnAnswer };
      const batched = { ...boundedAnswer(answer), httpStatus: result.status, batch: true as const };
      return { id, answer: batched };
    } catch (error) {
      return { id, failure: http.failure(error) };
    }
  };
  async function* replies(results: AsyncIterable<BatchResult>): AsyncIterable<BatchReply> {
    for await (const result of results) yield replyOf(result);
  }
  return {
    most: api.most,
    bodyOf: (body: JsonObject): JsonObject => api.bodyOf(body),
    failure: http.failure,
    submit: (batch: NewBatch) => attempt(() => api.submit(http, endpoint, batch)),
    find: (batch: LostBatch) => attempt(() => api.find(http, batch)),
    cancel: (providerId: string) => attempt(() => api.cancel(http, providerId)),
    look: (providerId: string, ids: readonly string[]) =>
      attempt(async (): Promise<SeenBatch> => {
        const seen = await api.look(http, providerId, ids);
        if (seen.kind === "open") return seen;
        const { missing, results, files } = seen;
        const forget = async () => {
          for (const file of files) await http.forget(file);
        };
        return { kind: "ended", missing, replies: () => replies(results()), forget };
      }),
  };
}

/** The failure for a result with another body; worth a retry. */
const notAnAnswer: Failure = {
  class: "invalid_response",
  retryable: true,
  httpStatus: 200,
  retryAfterMs: null,
  message: "the result is not an answer of this interface",
  param: null,
};
