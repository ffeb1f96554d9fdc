import { isJsonObject, type JsonObject, parsedJson } from "../../shared/contracts/json.ts";
import { fieldsOf } from "../protocols/dialect.ts";
import { type BatchInterface, hasExpired, type SimulatedBatch } from "./batch-desk.ts";

/** OpenAI's batches. Source: developers.openai.com/api/reference, batches. */
export const openaiBatches: BatchInterface = {
  list: /^\/v1\/batches$/,
  one: /^\/v1\/batches\/([\w-]+)$/,
  cancel: /^\/v1\/batches\/([\w-]+)\/cancel$/,
  read(body, _path, desk) {
    const { input_file_id: input, metadata = null } = body;
    const lines = linesOf(desk.files.get(String(input)) ?? "");
    const items = lines.map((line) => ({
      id: String(line["custom_id"]),
      path: String(line["url"]),
      body: line["body"],
    }));
    const model = fieldsOf(lines[0]?.["body"])["model"] ?? null;
    return { label: metadata, model: String(model), items, input: String(input) };
  },
  show: (batch, desk) => shown(batch, desk.addFile),
  listed: (batches) => ({ object: "list", data: batches, has_more: false }),
};

const linesOf = (text: string): JsonObject[] =>
  text.split("\n").flatMap((line) => {
    const read = parsedJson(line);
    return isJsonObject(read) ? [read] : [];
  });

const files = new WeakMap<SimulatedBatch, { output: string | null; error: string | null }>();

/** Files of results, written once: answers, and errors. */
export function resultFiles(batch: SimulatedBatch, add: (text: string) => string) {
  const known = files.get(batch);
  if (known !== undefined) return known;
  const lines = (batch.results ?? []).map(({ id, reply }) => {
    const left = batch.isCancelled
      ? { code: "batch_cancelled", message: "This request was cancelled." }
      : {
          code: "batch_expired",
          message: "This request could not be executed before the completion window expired.",
        };
    const response = reply && { status_code: reply.status, request_id: id, body: reply.body };
    const line = { id: `batch_req_${id}`, custom_id: id, response, error: reply ? null : left };
    return { isOk: reply !== null && reply.status < 400, text: `${JSON.stringify(line)}\n` };
  });
  const fileOf = (isOk: boolean) => {
    const own = lines.filter((line) => line.isOk === isOk);
    return own.length === 0 ? null : add(own.map(({ text }) => text).join(""));
  };
  const made = { output: fileOf(true), error: fileOf(false) };
  files.set(batch, made);
  return made;
}

function shown(batch: SimulatedBatch, add: (text: string) => string): JsonObject {
  const { id, label, createdAt, items, results, input, isInvalid } = batch;
  const hasEnded = results !== null;
  const { output, error } = hasEnded ? resultFiles(batch, add) : { output: null, error: null };
  const failed = (results ?? []).filter(({ reply }) => (reply?.status ?? 500) >= 400).length;
  return {
    id,
    object: "batch",
    endpoint: items[0]?.path ?? null,
    errors:
      hasEnded && isInvalid
        ? { object: "list", data: [{ code: "invalid_json_line", message: "Line 1 is not valid." }] }
        : null,
    input_file_id: input,
    completion_window: "24h",
    status: statusOf(batch),
    output_file_id: output,
    error_file_id: error,
    created_at: Math.floor(createdAt / 1000),
    request_counts: { total: items.length, completed: (results?.length ?? 0) - failed, failed },
    metadata: label,
  };
}

function statusOf(batch: SimulatedBatch): string {
  if (batch.results === null) return "in_progress";
  if (batch.isInvalid) return "failed";
  if (batch.isCancelled) return "cancelled";
  return hasExpired(batch) ? "expired" : "completed";
}
