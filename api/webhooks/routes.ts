import { createRoute, z } from "@hono/zod-openapi";
import { nameSchema } from "#shared/contracts/bounds.ts";
import {
  deliverySchema,
  newWebhookSchema,
  webhookChangeSchema,
  webhookSchema,
  webhookWithLogSchema,
  webhookWithSecretSchema,
} from "#shared/contracts/webhooks/webhook.ts";
import { newestFirstQuery, pageOf, pageReply } from "../http/pagination.ts";
import { accepted } from "../http/refusal.ts";
import { callerOf, requireJson, requireScope } from "../http/require-scope.ts";
import { jsonBody, jsonReply, originOf, problem, problemResponses } from "../http/responses.ts";
import { type AppContext, apiRouter, wantsApiKey } from "../http/router.ts";
import {
  changeWebhook,
  createWebhook,
  deliveryLog,
  ownedWebhook,
  type Revealed,
  rotateSecret,
  testWebhook,
  webhooksOf,
  webhookView,
} from "./service.ts";

const scope = requireScope("submit", "admin");
const shared = { tags: ["Webhooks"], middleware: scope, security: wantsApiKey };
const params = z.object({ id: nameSchema.meta({ example: "wh_01990f6b3c7a7d10" }) });
const refusals = ["unauthorized", "forbidden", "not-found"] as const;
const bodyRefusals = ["invalid-request", "malformed-json", "unsupported-media-type"] as const;

const create = createRoute({
  ...shared,
  method: "post",
  path: "/v1/webhooks",
  operationId: "createWebhook",
  summary: "Create a webhook; its secret is shown only once",
  description:
    "Events of the caller's own runs and submissions are posted by the Standard Webhooks scheme (standardwebhooks.com): the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`, where `v1,` is followed by the base64 of the HMAC-SHA256 of `id.timestamp.body` by the bytes of the secret. The same event can come twice, with the same `webhook-id`. A 2xx answer within 15 s means received; anything else is tried again after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h, or later where `retry-after` says so. 410 disables the webhook, and so do 5 days without a delivery that got through. Redirects are not followed.",
  middleware: [scope, requireJson] as const,
  request: { body: jsonBody(newWebhookSchema) },
  responses: {
    201: jsonReply("The webhook", webhookWithSecretSchema),
    ...problemResponses("unauthorized", "forbidden", "conflict", ...bodyRefusals),
  },
});

const list = createRoute({
  ...shared,
  method: "get",
  path: "/v1/webhooks",
  operationId: "listWebhooks",
  summary: "The caller's webhooks, newest first; an admin sees the webhooks of all owners",
  request: { query: newestFirstQuery },
  responses: {
    200: pageReply("A page of webhooks", "webhooks", webhookSchema),
    ...problemResponses("unauthorized", "forbidden", "invalid-request"),
  },
});

const read = createRoute({
  ...shared,
  method: "get",
  path: "/v1/webhooks/{id}",
  operationId: "getWebhook",
  summary: "A webhook with its last deliveries",
  description: "Deliveries are kept for 14 days.",
  request: { params },
  responses: {
    200: jsonReply("The webhook", webhookWithLogSchema),
    ...problemResponses(...refusals),
  },
});

const change = createRoute({
  ...shared,
  method: "patch",
  path: "/v1/webhooks/{id}",
  operationId: "changeWebhook",
  summary: "Change, pause or reactivate a webhook",
  description:
    "While it is paused, new events are not stored for it; pending deliveries are sent when it is active again.",
  middleware: [scope, requireJson] as const,
  request: { params, body: jsonBody(webhookChangeSchema) },
  responses: {
    200: jsonReply("The webhook", webhookSchema),
    ...problemResponses(...refusals, ...bodyRefusals),
  },
});

const remove = createRoute({
  ...shared,
  method: "delete",
  path: "/v1/webhooks/{id}",
  operationId: "deleteWebhook",
  summary: "Delete a webhook, its secret and its deliveries",
  request: { params },
  responses: {
    204: { description: "The webhook is deleted" },
    ...problemResponses(...refusals),
  },
});

const test = createRoute({
  ...shared,
  method: "post",
  path: "/v1/webhooks/{id}/test",
  operationId: "testWebhook",
  summary: "Send a test event now and return the result",
  description:
    "The event has the type `webhook.test`. It is also sent if the webhook is paused or disabled, is not repeated, and does not change the webhook.",
  request: { params },
  responses: {
    200: jsonReply("The delivery", deliverySchema),
    ...problemResponses(...refusals),
  },
});

const rotate = createRoute({
  ...shared,
  method: "post",
  path: "/v1/webhooks/{id}/rotate",
  operationId: "rotateWebhookSecret",
  summary: "Rotate the secret of a webhook; the new one is shown only once",
  description:
    "For 24 hours, the previous secret also signs events: `webhook-signature` then has two signatures separated by a space.",
  request: { params },
  responses: {
    200: jsonReply("The webhook", webhookWithSecretSchema),
    ...problemResponses(...refusals, "conflict"),
  },
});

export const webhookRoutes = apiRouter()
  .openapi(create, async (c) => {
    if (c.req.header("idempotency-key") !== undefined) return keyRefused(c);
    const origin = originOf(c);
    const made = accepted(
      await createWebhook(c.var.platform, callerOf(c), c.req.valid("json"), origin),
    );
    return c.json(revealed(c, made), 201, noStore);
  })
  .openapi(list, async (c) => {
    const { platform } = c.var;
    const { cursor: after = null, limit } = c.req.valid("query");
    const found = await webhooksOf(platform, callerOf(c), { after, limit: limit + 1 });
    const { items, nextCursor } = pageOf(found, limit, ({ createdAt, id }) => [createdAt, id]);
    const webhooks = items.map((one) => webhookView(one, platform.now()));
    return c.json({ webhooks, nextCursor }, 200);
  })
  .openapi(read, async (c) => {
    const { platform } = c.var;
    const owned = await ownedOf(c, c.req.valid("param"));
    const deliveries = await deliveryLog(platform, owned);
    return c.json({ ...webhookView(owned, platform.now()), deliveries }, 200);
  })
  .openapi(change, async (c) => {
    const { platform } = c.var;
    const owned = await ownedOf(c, c.req.valid("param"));
    const changed = accepted(
      await changeWebhook(platform, callerOf(c), owned, c.req.valid("json")),
    );
    return c.json(webhookView(changed, platform.now()), 200);
  })
  .openapi(remove, async (c) => {
    const owned = await ownedOf(c, c.req.valid("param"));
    await c.var.platform.webhooks.remove(owned.id);
    return c.body(null, 204);
  })
  .openapi(test, async (c) => {
    const owned = await ownedOf(c, c.req.valid("param"));
    const delivery = await testWebhook(c.var.platform, owned);
    if (delivery === null)
      return problem(
        c,
        "not-found",
        "the webhook was deleted, or its API key was revoked or has expired: set it active with another key",
      );
    return c.json(delivery, 200);
  })
  .openapi(rotate, async (c) => {
    const owned = await ownedOf(c, c.req.valid("param"));
    const rotated = accepted(await rotateSecret(c.var.platform, owned));
    return c.json(revealed(c, rotated), 200, noStore);
  });

const noStore = { "cache-control": "no-store" };

const ownedOf = async (c: AppContext, { id }: { id: string }) =>
  accepted(await ownedWebhook(c.var.platform, callerOf(c), id));

const revealed = (c: AppContext, { webhook, secret }: Revealed) => ({
  ...webhookView(webhook, c.var.platform.now()),
  secret,
});

function keyRefused(c: AppContext) {
  const detail =
    "is not supported here, because the response contains a secret that is shown once: leave the header out. If a response was lost, find its webhook with GET /v1/webhooks and rotate its secret";
  const errors = [{ parameter: "idempotency-key", detail }];
  return problem(c, "invalid-request", "no webhook was created: the request is invalid", {
    errors,
  });
}
