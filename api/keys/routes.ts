import { createRoute, z } from "@hono/zod-openapi";
import { nameSchema } from "#shared/contracts/bounds.ts";
import {
  apiKeySchema,
  createdApiKeySchema,
  newApiKeySchema,
} from "#shared/contracts/keys/api-key.ts";
import { usageSchema } from "#shared/contracts/keys/usage.ts";
import { reasonQuery } from "#shared/contracts/operator/audit.ts";
import { ownerRefusal } from "../datasets/service.ts";
import { newestFirstQuery, pageOf, pageReply } from "../http/pagination.ts";
import { noteAction } from "../http/record-actions.ts";
import { requireJson, requireScope } from "../http/require-scope.ts";
import { jsonBody, jsonReply, problem, problemResponses } from "../http/responses.ts";
import { apiRouter, wantsApiKey } from "../http/router.ts";
import { apiKeyView, createApiKey, grantOf, keyErrors } from "./make-key.ts";
import { usageOf } from "./quota.ts";

const scope = requireScope("admin");
const shared = { tags: ["Keys"], middleware: scope, security: wantsApiKey };

const create = createRoute({
  ...shared,
  method: "post",
  path: "/v1/keys",
  operationId: "createKey",
  summary: "Create an API key; it is shown only once",
  description:
    "Needs the scope `admin`, which the operator's secret has. The key is not stored, so this response cannot be repeated: a request with an `idempotency-key` is rejected. If the response was lost, find the key in `GET /v1/keys`, revoke it and create another.",
  middleware: [scope, requireJson] as const,
  request: {
    query: reasonQuery,
    body: jsonBody(newApiKeySchema),
  },
  responses: {
    201: jsonReply("The key", createdApiKeySchema),
    ...problemResponses("unauthorized", "forbidden", "invalid-request", "malformed-json"),
  },
});

const list = createRoute({
  ...shared,
  method: "get",
  path: "/v1/keys",
  operationId: "listKeys",
  summary: "All API keys, newest first, without the keys themselves",
  request: { query: newestFirstQuery },
  responses: {
    200: pageReply("A page of keys", "keys", apiKeySchema),
    ...problemResponses("unauthorized", "forbidden", "invalid-request"),
  },
});

const revoke = createRoute({
  ...shared,
  method: "delete",
  path: "/v1/keys/{id}",
  operationId: "revokeKey",
  summary: "Revoke an API key at once, and disable the webhooks that it made",
  request: { params: z.object({ id: nameSchema }), query: reasonQuery },
  responses: {
    200: jsonReply("The key", apiKeySchema),
    ...problemResponses("unauthorized", "forbidden", "not-found"),
  },
});

export const keyRoutes = apiRouter()
  .openapi(create, async (c) => {
    const wanted = c.req.valid("json");
    const errors = keyErrors(c.req.header("idempotency-key"), wanted, c.var.platform.now());
    const ownerProblem = await ownerRefusal(c.var.platform, wanted.owner);
    if (ownerProblem !== null) errors.push({ pointer: "/owner", detail: ownerProblem });
    if (errors.length > 0) {
      return problem(c, "invalid-request", "no key was created: the request is invalid", {
        errors,
      });
    }
    const { key, record } = await createApiKey(c.var.platform, wanted, null, (made) =>
      noteAction(c, { action: "key.create", target: made.id, after: grantOf(made) }, 201),
    );
    return c.json({ ...apiKeyView(record), key }, 201, { "cache-control": "no-store" });
  })
  .openapi(list, async (c) => {
    const { cursor: after = null, limit } = c.req.valid("query");
    const found = await c.var.platform.apiKeys.list({ after, limit: limit + 1 });
    const { items, nextCursor } = pageOf(found, limit, ({ createdAt, id }) => [createdAt, id]);
    return c.json({ keys: items.map(apiKeyView), nextCursor }, 200);
  })
  .openapi(revoke, async (c) => {
    const { id } = c.req.valid("param");
    const { apiKeys, webhooks, now } = c.var.platform;
    const known = await apiKeys.byId(id);
    const before = known === null ? {} : grantOf(known);
    const entry = noteAction(c, { action: "key.revoke", target: id, before });
    const revoked = await apiKeys.revoke(id, now(), undefined, entry);
    await webhooks.endWithKeys(now());
    if (revoked === null) return problem(c, "not-found", `there is no key "${id}" to revoke`);
    return c.json(apiKeyView(revoked), 200);
  });

const read = createRoute({
  method: "get",
  path: "/v1/usage",
  operationId: "getUsage",
  tags: ["Keys"],
  summary: "Usage of the calling key's daily quota, and of its account's limits",
  description:
    "Every evaluated sample counts once. A submission is charged when it is accepted (samples × repeats × models, with a sweep × variants), and so is rescoring. Samples that a cancelled or failed run did not evaluate, and samples lost by the service, are refunded when the run ends, unless their answers were submitted; answers that arrive later are charged then, and so are samples of a retry.",
  middleware: requireScope("submit"),
  security: wantsApiKey,
  responses: {
    200: jsonReply("Today's usage, and the limits", usageSchema),
    ...problemResponses("unauthorized", "forbidden"),
  },
});

export const usageRoutes = apiRouter().openapi(read, async (c) => {
  const { account, platform } = c.var;
  if (account === null) return problem(c, "unauthorized", "send an API key");
  return c.json(await usageOf(platform, account), 200);
});
