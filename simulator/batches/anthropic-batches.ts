import { fieldsOf, listOf } from "../protocols/dialect.ts";
import type { BatchInterface } from "./batch-desk.ts";

/** Anthropic's message batches. Source: platform.claude.com/docs/en/api/messages/batches. */
export const anthropicBatches: BatchInterface = {
  list: /^\/v1\/messages\/batches$/,
  one: /^\/v1\/messages\/batches\/([\w-]+)$/,
  cancel: /^\/v1\/messages\/batches\/([\w-]+)\/cancel$/,
  results: /^\/v1\/messages\/batches\/([\w-]+)\/results$/,
  read(body) {
    const requests = listOf(body["requests"]);
    const items = requests.map(({ custom_id: id, params }) => ({
      id: String(id),
      path: "/v1/messages",
      body: params,
    }));
    const model = fieldsOf(requests[0]?.["params"])["model"];
    return { label: null, model: String(model), items, input: null };
  },
  show({ id, createdAt, items, results, isCancelled }) {
    const count = (type: string) =>
      (results ?? []).filter((one) => typeOf(one.reply, isCancelled) === type).length;
    const counts = ["succeeded", "errored", "canceled", "expired"].map((type) => [
      type,
      count(type),
    ]);
    const at = new Date(createdAt);
    return {
      id,
      type: "message_batch",
      processing_status: results === null ? (isCancelled ? "canceling" : "in_progress") : "ended",
      request_counts: {
        processing: results === null ? items.length : 0,
        ...Object.fromEntries(counts),
      },
      ended_at: null,
      created_at: at.toISOString(),
      expires_at: new Date(createdAt + 86_400_000).toISOString(),
      archived_at: null,
      cancel_initiated_at: null,
      results_url: results && `https://api.anthropic.com/v1/messages/batches/${id}/results`,
    };
  },
  listed: (batches) => ({ data: batches, has_more: false }),
  lines: ({ results, isCancelled }) =>
    (results ?? []).map(({ id, reply }) => {
      const type = typeOf(reply, isCancelled);
      const body = reply?.body ?? {};
      return {
        custom_id: id,
        result: {
          type,
          ...(type === "succeeded" && { message: body }),
          ...(type === "errored" && { error: body }),
        },
      };
    }),
};

function typeOf(reply: { status: number } | null, isCancelled: boolean): string {
  if (reply === null) return isCancelled ? "canceled" : "expired";
  return reply.status < 400 ? "succeeded" : "errored";
}
