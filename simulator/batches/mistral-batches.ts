import { fieldsOf, listOf } from "../protocols/dialect.ts";
import { type BatchInterface, hasExpired, type SimulatedBatch } from "./batch-desk.ts";
import { resultFiles } from "./openai-batches.ts";

/** Mistral's batch jobs. Source: docs.mistral.ai/api/endpoint/batch. */
export const mistralBatches: BatchInterface = {
  list: /^\/v1\/batch\/jobs$/,
  one: /^\/v1\/batch\/jobs\/([\w-]+)$/,
  cancel: /^\/v1\/batch\/jobs\/([\w-]+)\/cancel$/,
  read(body) {
    const model = String(body["model"]);
    const items = listOf(body["requests"]).map(({ custom_id: id, body: own }) => ({
      id: String(id),
      path: "/v1/chat/completions",
      body: { ...fieldsOf(own), model },
    }));
    return { label: body["metadata"] ?? null, model, items, input: null };
  },
  show(batch, desk) {
    const { id, label, model, createdAt, items, results, isInvalid } = batch;
    const none = { output: null, error: null };
    const { output, error } = results === null ? none : resultFiles(batch, desk.addFile);
    return {
      id,
      object: "batch",
      input_files: [],
      metadata: fieldsOf(label),
      endpoint: "/v1/chat/completions",
      model,
      output_file: output,
      error_file: error,
      errors: results !== null && isInvalid ? [{ message: "Invalid requests.", count: 1 }] : [],
      outputs: null,
      status: statusOf(batch),
      created_at: Math.floor(createdAt / 1000),
      total_requests: items.length,
    };
  },
  listed: (batches) => ({ data: batches, object: "list", total: batches.length }),
};

function statusOf(batch: SimulatedBatch): string {
  if (batch.results === null) return batch.isCancelled ? "CANCELLATION_REQUESTED" : "RUNNING";
  if (batch.isInvalid) return "FAILED";
  if (batch.isCancelled) return "CANCELLED";
  return hasExpired(batch) ? "TIMEOUT_EXCEEDED" : "SUCCESS";
}
