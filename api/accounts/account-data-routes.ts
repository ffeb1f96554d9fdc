import { createRoute, z } from "@hono/zod-openapi";
import { nameSchema } from "#shared/contracts/bounds.ts";
import {
  deletedAccountSchema,
  deletionQuery,
  deletionSchema,
} from "#shared/contracts/keys/account-data.ts";
import { reasonQuery } from "#shared/contracts/operator/audit.ts";
import { jsonReply } from "../http/json-content.ts";
import { problem, problemResponses } from "../http/problem-response.ts";
import { noteAction } from "../http/record-actions.ts";
import { callerOf, requireScope } from "../http/require-scope.ts";
import { type AppContext, apiRouter, wantsApiKey, wantsSession } from "../http/router.ts";
import { takeSession } from "../http/session.ts";
import { deleteAccount, planDeletion } from "./delete-account.ts";

const replies = {
  200: jsonReply("With `dryRun=true`: what would go", deletionSchema),
  202: jsonReply("The deletion has begun; this is what goes", deletionSchema),
  ...problemResponses("unauthorized", "forbidden", "invalid-request", "conflict"),
};

const deleteOwn = createRoute({
  tags: ["Accounts"],
  security: [...wantsSession, ...wantsApiKey],
  middleware: requireScope("submit", "admin"),
  method: "delete",
  path: "/v1/account",
  operationId: "deleteAccount",
  summary: "Delete the account with everything that it has",
  description:
    "By a session, or by a key that the person made; for an organisation, by one of its admins. Keys and sessions end at once, runs disappear from boards and lists within minutes, and what is stored of them within hours. What remains is a keyed hash of the name, so that nobody else can take it. It can't be undone: export first.",
  request: { query: deletionQuery },
  responses: replies,
});

const deleteByOperator = createRoute({
  tags: ["Operation"],
  security: wantsApiKey,
  middleware: requireScope("admin"),
  method: "delete",
  path: "/v1/operator/accounts/{owner}",
  operationId: "deleteAccountOf",
  summary: "Delete an account, such as one whose keys the operator made",
  request: {
    params: z.object({ owner: nameSchema }),
    query: deletionQuery.extend(reasonQuery.shape),
  },
  responses: replies,
});

const MOST = 200;

const list = createRoute({
  tags: ["Operation"],
  security: wantsApiKey,
  middleware: requireScope("admin"),
  method: "get",
  path: "/v1/operator/deletions",
  operationId: "listDeletions",
  summary: `The newest ${MOST} deletions of accounts`,
  responses: {
    200: jsonReply("Them", z.object({ deletions: z.array(deletedAccountSchema) })),
    ...problemResponses("unauthorized", "forbidden"),
  },
});

/** Why the caller may not delete the account that it acts for; null if it may. */
async function barOf(c: AppContext): Promise<string | null> {
  const { owner, person, scopes } = callerOf(c);
  if (person === owner || scopes.includes("admin")) return null;
  if (person === undefined)
    return `the operator made the keys of "${owner}", and can delete it: ask`;
  const role = await c.var.platform.organisations.role(owner, person);
  return role === "admin" ? null : `only admins of "${owner}" can delete it: ask one of them`;
}

async function deletion(
  c: AppContext,
  owner: string,
  { confirm, dryRun }: z.infer<typeof deletionQuery>,
) {
  const isPlan = dryRun === "true";
  const done = await (isPlan ? planDeletion : deleteAccount)(c.var.platform, owner, confirm);
  if (!done.ok) return problem(c, done.error.type, done.error.detail);
  if (!isPlan) noteAction(c, { action: "account.delete", target: owner });
  return c.json(done.value, isPlan ? 200 : 202);
}

/** Deletion of accounts. */
export const accountDataRoutes = apiRouter()
  .openapi(deleteOwn, async (c) => {
    const bar = await barOf(c);
    if (bar !== null) return problem(c, "forbidden", bar);
    const { owner } = callerOf(c);
    const reply = await deletion(c, owner, c.req.valid("query"));
    if (reply.status === 202 && c.var.session?.record.owner === owner) takeSession(c);
    return reply;
  })
  .openapi(deleteByOperator, (c) => deletion(c, c.req.valid("param").owner, c.req.valid("query")))
  .openapi(list, async (c) => {
    const found = await c.var.platform.deletions.newest(MOST);
    const iso = (ms: number) => new Date(ms).toISOString();
    const deletions = found.map(({ hash, requestedAt, finishedAt }) => ({
      hash,
      requestedAt: iso(requestedAt),
      finishedAt: finishedAt === null ? null : iso(finishedAt),
    }));
    return c.json({ deletions }, 200);
  });
