import { fieldsOf, listOf } from "../protocols/dialect.ts";
import { type BatchInterface, hasExpired, type SimulatedBatch } from "./batch-desk.ts";

/** Gemini's batches. Source: ai.google.dev/api/batch-api. */
export const geminiBatches: BatchInterface = {
  list: /^\/v1beta\/batches$/,
  one: /^\/v1beta\/batches\/([\w-]+)$/,
  cancel: /^\/v1beta\/batches\/([\w-]+):cancel$/,
  create: /^\/v1beta\/models\/([^/]+):batchGenerateContent$/,
  read(body, path) {
    const { displayName: label = null, inputConfig } = fieldsOf(body["batch"]);
    const requests = listOf(fieldsOf(fieldsOf(inputConfig)["requests"])["requests"]);
    const model = /models\/([^/]+):/.exec(path)?.[1] ?? "";
    const items = requests.map(({ request, metadata }) => ({
      id: String(fieldsOf(metadata)["key"]),
      path: `/v1beta/models/${model}:generateContent`,
      body: withJsonSchema(fieldsOf(request)),
    }));
    return { label, model: decodeURIComponent(model), items, input: null };
  },
  show(batch) {
    const { id, label, createdAt, results, isInvalid } = batch;
    const inlined = (results ?? []).map(({ id: key, reply }) => ({
      metadata: { key },
      ...(reply === null && { error: { code: 4, message: "Deadline expired." } }),
      ...(reply && reply.status < 400 && { response: reply.body }),
      ...(reply && reply.status >= 400 && { error: errorOf(reply) }),
    }));
    return {
      name: `batches/${id}`,
      metadata: {
        "@type": "type.googleapis.com/google.ai.generativelanguage.v1main.GenerateContentBatch",
        displayName: label,
        createTime: new Date(createdAt).toISOString(),
        state: `BATCH_STATE_${stateOf(batch)}`,
        name: `batches/${id}`,
      },
      ...(results !== null && { done: true }),
      ...(results !== null && isInvalid && { error: { code: 3, message: "Invalid request." } }),
      ...(results !== null &&
        !isInvalid && { response: { inlinedResponses: { inlinedResponses: inlined } } }),
    };
  },
  listed: (batches) => ({ operations: batches }),
};

/** Only `responseSchema` is followed in batches. */
function withJsonSchema(request: ReturnType<typeof fieldsOf>) {
  const {
    responseSchema,
    responseJsonSchema: _,
    ...config
  } = fieldsOf(request["generationConfig"]);
  const schema = responseSchema === undefined ? {} : { responseJsonSchema: responseSchema };
  return { ...request, generationConfig: { ...config, ...schema } };
}

const codes: Readonly<Record<number, number>> = { 400: 3, 401: 16, 404: 5, 429: 8, 503: 14 };

function errorOf({ status, body }: { status: number; body: ReturnType<typeof fieldsOf> }) {
  const message = fieldsOf(body["error"])["message"] ?? "The request failed.";
  return { code: codes[status] ?? 13, message };
}

function stateOf(batch: SimulatedBatch): string {
  if (batch.results === null) return "RUNNING";
  if (batch.isInvalid) return "FAILED";
  if (batch.isCancelled) return "CANCELLED";
  return hasExpired(batch) ? "EXPIRED" : "SUCCEEDED";
}
