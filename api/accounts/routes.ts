import { createRoute, z } from "@hono/zod-openapi";
import { nameSchema } from "#shared/contracts/bounds.ts";
import { accountSchema, type Session, sessionSchema } from "#shared/contracts/keys/account.ts";
import { scopeSchema } from "#shared/contracts/keys/api-key.ts";
import { callerOf, requireScope } from "../http/require-scope.ts";
import { jsonReply, problem, problemResponses } from "../http/responses.ts";
import { apiRouter, wantsApiKey, wantsSession } from "../http/router.ts";
import { requireSession, signedIn, takeSession } from "../http/session.ts";
import type { SessionRecord } from "./schema.ts";
import { hasEnded } from "./sessions.ts";

const tags = ["Accounts"];

const who = createRoute({
  method: "get",
  path: "/v1/account",
  operationId: "getAccount",
  tags,
  summary: "The account of the calling session or key",
  security: [...wantsSession, ...wantsApiKey],
  middleware: requireScope(...scopeSchema.options),
  responses: {
    200: jsonReply("The account", accountSchema),
    ...problemResponses("unauthorized"),
  },
});

export const accountRoutes = apiRouter().openapi(who, async (c) => {
  const { owner, scopes, keyId } = callerOf(c);
  const { session, platform } = c.var;
  const record = session?.record ?? (await platform.accounts.byOwner(owner));
  const provider = platform.identityProviders.find(({ key }) => key === record?.provider);
  const view = {
    owner,
    name: record?.name ?? null,
    avatarUrl: record?.avatarUrl ?? null,
    provider: provider?.label ?? record?.provider ?? null,
    login: record?.login ?? null,
    scopes: [...scopes],
    keyId,
    csrfToken: session?.session.csrfToken ?? null,
  };
  return c.json(view, 200);
});

const ofSession = { tags, security: wantsSession, middleware: requireSession };
const listSchema = z.object({ sessions: z.array(sessionSchema) });

const list = createRoute({
  ...ofSession,
  method: "get",
  path: "/v1/account/sessions",
  operationId: "listSessions",
  summary: "The account's signed-in browsers, last used first",
  responses: {
    200: jsonReply("The sessions", listSchema),
    ...problemResponses("unauthorized", "forbidden"),
  },
});

const endedSchema = z.object({ ended: z.int().meta({ description: "number of sessions" }) });

const end = createRoute({
  ...ofSession,
  method: "delete",
  path: "/v1/account/sessions/{id}",
  operationId: "endSession",
  summary: "Sign a browser out",
  request: {
    params: z.object({
      id: nameSchema.meta({ description: "`current`: the calling one; `all`: every one" }),
    }),
  },
  responses: {
    200: jsonReply("The number of ended sessions", endedSchema),
    ...problemResponses("unauthorized", "forbidden", "not-found"),
  },
});

export const sessionRoutes = apiRouter()
  .openapi(list, async (c) => {
    const { session } = signedIn(c);
    const { accounts, now } = c.var.platform;
    const found = await accounts.sessionsOf(session.owner);
    const live = found.filter((one) => !hasEnded(one, now()));
    return c.json({ sessions: live.map((one) => sessionView(one, session.id)) }, 200);
  })
  .openapi(end, async (c) => {
    const { session } = signedIn(c);
    const { id: given } = c.req.valid("param");
    const id = given === "current" ? session.id : given;
    const { accounts } = c.var.platform;
    const ended = await accounts.endSessions(session.owner, id === "all" ? null : id);
    if (ended === 0) return problem(c, "not-found", `there is no session "${id}" to end`);
    if (id === "all" || id === session.id) takeSession(c);
    return c.json({ ended }, 200);
  });

const iso = (ms: number) => new Date(ms).toISOString();

const sessionView = (one: SessionRecord, current: string): Session => ({
  id: one.id,
  browser: one.browser,
  createdAt: iso(one.createdAt),
  lastUsedAt: iso(one.lastUsedAt),
  expiresAt: iso(one.expiresAt),
  isCurrent: one.id === current,
});
