import { asObject } from "#shared/contracts/json.ts";
import { ReportedError } from "#shared/protocols/reply-errors.ts";
import {
  type BatchApi,
  type BatchLook,
  type BatchResult,
  cancelled,
  expired,
  lost,
  MOST_CHARACTERS,
} from "./batch-api.ts";
import { type BatchHttp, objectsIn, pathId } from "./batch-http.ts";

/** Anthropic takes 100,000 requests and 256 MB. */
const MOST_REQUESTS = 20_000;
/** Maximum difference between the provider's clock and ours. */
const CLOCKS_MS = 60_000;

/**
 * Anthropic's message batches: requests in one call, results as lines for 29 days. A batch can't carry our id: if its
 * submission was not confirmed, it is recognised by its time and number of requests. If that was another batch, its
 * results have other ids, and the requests are sent again.
 * Source: platform.claude.com, build-with-claude/batch-processing and api/creating-message-batches.
 */
export const anthropicBatches: BatchApi = {
  most: { requests: MOST_REQUESTS, characters: MOST_CHARACTERS },
  bodyOf: (body) => body,

  async submit(http, _, { items }) {
    const requests = items.map(({ id, text }) => `{"custom_id":"${id}","params":${text}}`);
    const made = await http.json("POST", "/messages/batches", `{"requests":[${requests.join()}]}`);
    return pathId(made["id"]);
  },

  async find(http, { requests, createdAt, isFree }) {
    const list = await http.json("GET", "/messages/batches?limit=100");
    for (const batch of objectsIn(list["data"])) {
      const counts = Object.values(asObject(batch["request_counts"])).map(Number);
      const count = counts.reduce((sum, one) => sum + one, 0);
      const at = Date.parse(String(batch["created_at"]));
      if (count !== requests || !(at >= createdAt - CLOCKS_MS)) continue;
      const id = pathId(batch["id"]);
      if (await isFree(id)) return id;
    }
    return null;
  },

  async look(http, providerId): Promise<BatchLook> {
    const batch = await http.json("GET", `/messages/batches/${providerId}`);
    if (batch["processing_status"] !== "ended") return { kind: "open" };
    const isKept = batch["results_url"] !== null;
    return {
      kind: "ended",
      missing: lost,
      // The key is only sent to the provider's own address, whatever the reply names.
      results: () => resultsAt(http, isKept ? `/messages/batches/${providerId}/results` : null),
      files: [],
    };
  },

  async cancel(http, providerId) {
    await http.json("POST", `/messages/batches/${providerId}/cancel`, {});
  },
};

async function* resultsAt(http: BatchHttp, path: string | null): AsyncIterable<BatchResult> {
  if (path === null) return;
  for await (const line of http.lines(path)) {
    const id = String(line["custom_id"]);
    const { type, message, error } = asObject(line["result"]);
    if (type === "succeeded") yield { id, status: 200, body: message };
    else if (type === "expired") yield { id, failure: expired };
    else if (type === "canceled") yield { id, failure: cancelled };
    else {
      const details = asObject(asObject(error)["error"]);
      yield { id, failure: http.failure(new ReportedError(details)) };
    }
  }
}
