import { asObject, type JsonObject } from "#shared/contracts/json.ts";
import {
  type BatchApi,
  type BatchLook,
  type BatchResult,
  cancelled,
  expired,
  lost,
  MOST_CHARACTERS,
} from "./batch-api.ts";
import { type BatchHttp, failureIn, httpError, objectsIn, pathId } from "./batch-http.ts";

/** OpenAI takes 50,000 requests and 200 MB. */
const MOST_REQUESTS = 20_000;
const PAGE = 100;
const MOST_PAGES = 5;
const ended = ["completed", "expired", "cancelled", "failed"];

/**
 * OpenAI's batches: a file of requests, a batch of it, and two files of results.
 * Source: developers.openai.com, guides/batch and api-reference/batch.
 */
export const openaiBatches: BatchApi = {
  most: { requests: MOST_REQUESTS, characters: MOST_CHARACTERS },
  bodyOf: (body) => body,

  async submit(http, { protocol }, { id, items }) {
    const url = protocol === "responses" ? "/v1/responses" : "/v1/chat/completions";
    const lines = items.map(
      ({ id: customId, text }) =>
        `{"custom_id":"${customId}","method":"POST","url":"${url}","body":${text}}\n`,
    );
    const form = new FormData();
    form.set("purpose", "batch");
    form.set("file", new Blob(lines, { type: "application/jsonl" }), `${id}.jsonl`);
    const file = await http.json("POST", "/files", form);
    const made = await http.json("POST", "/batches", {
      input_file_id: pathId(file["id"]),
      endpoint: url,
      completion_window: "24h",
      metadata: { assay_batch: id },
    });
    return pathId(made["id"]);
  },

  async find(http, { id, createdAt }) {
    let after = "";
    for (let page = 0; page < MOST_PAGES; page++) {
      const list = await http.json("GET", `/batches?limit=${PAGE}${after}`);
      const batches = objectsIn(list["data"]);
      const found = batches.find(({ metadata }) => asObject(metadata)["assay_batch"] === id);
      if (found !== undefined) return pathId(found["id"]);
      const last = batches.at(-1);
      if (last === undefined || list["has_more"] !== true) return null;
      if (Number(last["created_at"]) * 1000 < createdAt - 60_000) return null;
      after = `&after=${pathId(last["id"])}`;
    }
    return null;
  },

  async look(http, providerId): Promise<BatchLook> {
    const batch = await http.json("GET", `/batches/${providerId}`);
    const { status, output_file_id, error_file_id, input_file_id } = batch;
    if (!ended.includes(String(status))) return { kind: "open" };
    const files = [output_file_id, error_file_id].filter((file) => file != null).map(pathId);
    const all = [...files, ...(input_file_id == null ? [] : [pathId(input_file_id)])];
    return {
      kind: "ended",
      missing: missingIn(http, batch),
      results: () => resultsIn(http, files),
      files: all.map((file) => `/files/${file}`),
    };
  },

  async cancel(http, providerId) {
    await http.json("POST", `/batches/${providerId}/cancel`, {});
  },
};

/** Why requests have no result; a batch with a refused file states the reasons. */
function missingIn(http: BatchHttp, { status, errors }: JsonObject) {
  if (status === "expired") return expired;
  if (status === "cancelled") return cancelled;
  const [first] = objectsIn(asObject(errors)["data"]);
  if (status !== "failed" || first === undefined) return lost;
  // Too many tokens are queued in batches of this model: the batch must wait.
  const isTooMany = first["code"] === "token_limit_exceeded";
  return http.failure(httpError(isTooMany ? 429 : 400, { error: first }));
}

/** Results in files of JSON lines; Mistral's batches have them, too. */
export async function* resultsIn(http: BatchHttp, files: string[]): AsyncIterable<BatchResult> {
  for (const file of files) {
    for await (const line of http.lines(`/files/${file}/content`)) yield lineResult(http, line);
  }
}

function lineResult(http: BatchHttp, line: JsonObject): BatchResult {
  const id = String(line["custom_id"]);
  const { status_code: code, body } = asObject(line["response"]);
  const error = asObject(line["error"]);
  if (typeof code === "number" && code < 400) return { id, status: code, body };
  if (typeof code === "number") return { id, failure: failureIn(http, code, body) };
  if (error["code"] === "batch_expired") return { id, failure: expired };
  return { id, failure: http.failure(httpError(500, { error })) };
}
