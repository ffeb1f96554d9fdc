import type { OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import {
  webhookBodySchema,
  webhookEventSummaries,
  webhookEventTypes,
} from "#shared/contracts/webhooks/webhook.ts";
import { type AppEnv, openToAll } from "../http/router.ts";

const headers = z.object({
  "webhook-id": z.string().meta({ description: "id of the event: the same for every attempt" }),
  "webhook-timestamp": z.string().meta({ description: "time of sending, Unix seconds" }),
  "webhook-signature": z
    .string()
    .meta({ description: "one or two signatures, separated by a space: `v1,` and base64" }),
});

/** Describes the events posted to webhooks, by type. */
export function describeWebhooks(app: OpenAPIHono<AppEnv>): void {
  for (const type of webhookEventTypes) {
    app.openAPIRegistry.registerWebhook({
      method: "post",
      path: type,
      operationId: operationIdOf(type),
      tags: ["Webhooks"],
      security: openToAll,
      summary: webhookEventSummaries[type],
      request: {
        headers,
        body: {
          required: true,
          content: { "application/json": { schema: webhookBodySchema(type) } },
        },
      },
      responses: {
        204: { description: "Received; any other 2xx has the same meaning" },
        410: { description: "No more events: the webhook is disabled" },
      },
    });
  }
}

/** @example operationIdOf("run.finished") // "onRunFinished" */
const operationIdOf = (type: string): string =>
  `on${type.replace(/(^|\.)[a-z]/g, (start) => start.replace(".", "").toUpperCase())}`;
