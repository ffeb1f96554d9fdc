import { createRoute, z } from "@hono/zod-openapi";
import { nameSchema } from "#shared/contracts/bounds.ts";
import { newOwnKeySchema } from "#shared/contracts/keys/account.ts";
import { apiKeySchema, createdApiKeySchema, scopeSchema } from "#shared/contracts/keys/api-key.ts";
import { noteAction } from "../http/record-actions.ts";
import { callerOf, requireJson, requireScope } from "../http/require-scope.ts";
import { bodyProblems, jsonBody, jsonReply, problem, problemResponses } from "../http/responses.ts";
import { apiRouter, wantsApiKey, wantsSession } from "../http/router.ts";
import { requireSession, signedIn } from "../http/session.ts";
import { apiKeyView, createApiKey, grantOf, keyErrors, keysRefusal } from "../keys/make-key.ts";

const tags = ["Accounts"];

const list = createRoute({
  method: "get",
  path: "/v1/account/keys",
  operationId: "listOwnKeys",
  tags,
  security: wantsSession,
  middleware: requireSession,
  summary: "The account's valid API keys, newest first, without their secrets",
  responses: {
    200: jsonReply("The keys", z.object({ keys: z.array(apiKeySchema) })),
    ...problemResponses("unauthorized", "forbidden"),
  },
});

const create = createRoute({
  method: "post",
  path: "/v1/account/keys",
  operationId: "createOwnKey",
  tags,
  security: wantsSession,
  middleware: [requireSession, requireJson] as const,
  summary: "Create an API key for your account; it is shown only once",
  description:
    "Only a signed-in person can create keys: a key can't create another. `dailySamples` counts all samples of the account, and can only be lower than its quota. A request with an `idempotency-key` is rejected, because the key is not stored.",
  request: { body: jsonBody(newOwnKeySchema) },
  responses: {
    201: jsonReply("The key", createdApiKeySchema),
    ...problemResponses(...bodyProblems, "conflict"),
  },
});

const revoke = createRoute({
  method: "delete",
  path: "/v1/account/keys/{id}",
  operationId: "revokeOwnKey",
  tags,
  security: [...wantsSession, ...wantsApiKey],
  middleware: requireScope(...scopeSchema.options),
  summary: "Revoke a key of the account at once; a key can revoke itself",
  request: { params: z.object({ id: nameSchema }) },
  responses: {
    200: jsonReply("The key", apiKeySchema),
    ...problemResponses("unauthorized", "forbidden", "not-found"),
  },
});

const READS_ONLY = "your role in this organisation is to read: ask an admin of it for another";

export const ownKeyRoutes = apiRouter()
  .openapi(list, async (c) => {
    const { apiKeys, now } = c.var.platform;
    const keys = await apiKeys.liveOf(signedIn(c).account.owner, now());
    return c.json({ keys: keys.map(apiKeyView) }, 200);
  })
  .openapi(create, async (c) => {
    const { platform } = c.var;
    const { owner, person, scopes } = signedIn(c).account;
    if (!scopes.includes("submit")) return problem(c, "forbidden", READS_ONLY);
    const wanted = c.req.valid("json");
    const errors = keyErrors(c.req.header("idempotency-key"), wanted, platform.now());
    if (errors.length > 0) {
      const detail = "no key was created: the request is invalid";
      return problem(c, "invalid-request", detail, { errors });
    }
    const made = await createApiKey(platform, { ...wanted, owner }, person, (record) =>
      noteAction(c, { action: "key.create", target: record.id, after: grantOf(record) }, 201),
    );
    if (!made.isStored) {
      const tooMany = await keysRefusal(platform, owner);
      return problem(c, tooMany === null ? "forbidden" : "conflict", tooMany ?? READS_ONLY);
    }
    const { key, record } = made;
    return c.json({ ...apiKeyView(record), key }, 201, { "cache-control": "no-store" });
  })
  .openapi(revoke, async (c) => {
    const { id } = c.req.valid("param");
    const { owner, keyId } = callerOf(c);
    if (c.var.session === null && id !== keyId) {
      const detail = "a key can revoke only itself: sign in to revoke others";
      return problem(c, "forbidden", detail);
    }
    const { apiKeys, webhooks, now } = c.var.platform;
    const isLimited = c.var.session !== null && ![null, "admin"].includes(c.var.session.role);
    const known = await apiKeys.byId(id);
    if (isLimited && known?.createdBy !== c.var.session?.account.person) {
      const detail = "in an organisation you can revoke the keys that you made: ask an admin of it";
      return problem(c, "forbidden", detail);
    }
    const before = known === null ? {} : grantOf(known);
    const entry = noteAction(c, { action: "key.revoke", target: id, before });
    const revoked = await apiKeys.revoke(id, now(), owner, entry);
    if (revoked === null) return problem(c, "not-found", `there is no key "${id}" to revoke`);
    await webhooks.endWithKeys(now());
    return c.json(apiKeyView(revoked), 200);
  });
