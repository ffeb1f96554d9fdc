import { createRoute, z } from "@hono/zod-openapi";
import { nameSchema } from "#shared/contracts/bounds.ts";
import {
  accountExportSchema,
  deletedAccountSchema,
  deletionQuery,
  deletionSchema,
  exportedRowsSchema,
} from "#shared/contracts/keys/account-data.ts";
import { reasonQuery } from "#shared/contracts/operator/audit.ts";
import { noteAction } from "../http/record-actions.ts";
import { accepted } from "../http/refusal.ts";
import { callerOf, requireScope } from "../http/require-scope.ts";
import { jsonReply, originOf, problem, problemResponses } from "../http/responses.ts";
import { type AppContext, apiRouter, wantsApiKey, wantsSession } from "../http/router.ts";
import { takeSession } from "../http/session.ts";
import { deleteAccount, planDeletion } from "./delete-account.ts";
import { exportPage, exportRows } from "./export-account.ts";

const replies = {
  200: jsonReply("With `dryRun=true`: what would be deleted", deletionSchema),
  202: jsonReply("The deletion has begun; what is deleted", deletionSchema),
  ...problemResponses("unauthorized", "forbidden", "invalid-request", "conflict"),
};

const deleteOwn = createRoute({
  tags: ["Accounts"],
  security: [...wantsSession, ...wantsApiKey],
  middleware: requireScope("submit", "admin"),
  method: "delete",
  path: "/v1/account",
  operationId: "deleteAccount",
  summary: "Delete the account and all its data",
  description:
    "Needs the person's session; for an organisation, the session of one of its admins. Programs hold keys, so keys can only plan it, with `dryRun=true`. Keys and sessions end at once, runs disappear from boards and lists within minutes, and their stored data within hours. Three things remain: a keyed hash of the name, so that nobody else can take it; a keyed hash of the identity at the provider, until midnight UTC or while banned; and public datasets on which others have runs, under another name. It can't be undone: export first.",
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

const exported = {
  tags: ["Accounts"],
  security: [...wantsSession, ...wantsApiKey],
  middleware: requireScope("submit", "admin"),
  method: "get" as const,
};
const refusals = problemResponses("unauthorized", "forbidden", "invalid-request", "not-found");

const exportIndex = createRoute({
  ...exported,
  path: "/v1/account/export",
  operationId: "exportAccount",
  summary: "All data of the account, as a list of files",
  description:
    "Pages of addresses of this service. Each address gives one file: rows of tables, datasets, and for each run its record, samples, answers, figures and statement. `assay account export` and the account page make one archive of them. A person needs their session or a key of theirs with the scope `submit`; an organisation needs an admin's session. Keys that the operator made work, too.",
  request: {
    query: z.object({
      after: z
        .string()
        .regex(/^(|d\d{1,9}|r\w{0,200})$/)
        .default(""),
    }),
  },
  responses: { 200: jsonReply("A page of files", accountExportSchema), ...refusals },
});

const exportTable = createRoute({
  ...exported,
  path: "/v1/account/export/{table}",
  operationId: "exportAccountTable",
  summary: "The account's rows in one table, such as its schedules, without secrets",
  request: {
    params: z.object({ table: nameSchema.meta({ example: "schedules" }) }),
    query: z.object({
      after: z
        .string()
        .regex(/^\d{1,9}$/)
        .default("0"),
    }),
  },
  responses: { 200: jsonReply("A page of rows", exportedRowsSchema), ...refusals },
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
    200: jsonReply("The deletions", z.object({ deletions: z.array(deletedAccountSchema) })),
    ...problemResponses("unauthorized", "forbidden"),
  },
});

const acts = {
  delete: "delete it",
  retain: "set how long its results are kept",
  export: "export it",
  plan: "ask what would be deleted of it",
} as const;

/**
 * Why the caller may not act on all data of the account; null if they may. Reading or deleting an organisation needs
 * the session of one of its admins; deleting a person needs that person's session. Keys are not enough, because
 * programs hold them.
 */
export async function barOf(c: AppContext, act: keyof typeof acts): Promise<string | null> {
  const { owner, person, scopes } = callerOf(c);
  if (scopes.includes("admin")) return null;
  const deletes = act === "delete" || act === "retain";
  if (person === undefined) {
    const detail = `the operator made this key of "${owner}", which can't ${acts[act]}: ask for one with the scope "admin"`;
    return deletes ? detail : null;
  }
  if (person !== owner && (await c.var.platform.organisations.role(owner, person)) !== "admin") {
    return `only admins of "${owner}" can ${acts[act]}: ask one of them`;
  }
  const needsSession = deletes || (act === "export" && person !== owner);
  if (!needsSession || c.var.session !== null) return null;
  return `a key of "${owner}" can't ${acts[act]}: open ${originOf(c)}/account/, sign in, and do it there`;
}

async function deletion(
  c: AppContext,
  owner: string,
  { confirm, dryRun }: z.infer<typeof deletionQuery>,
) {
  const isPlan = dryRun === "true";
  const done = accepted(
    await (isPlan ? planDeletion : deleteAccount)(c.var.platform, owner, confirm),
  );
  if (!isPlan) noteAction(c, { action: "account.delete", target: owner });
  return c.json(done, isPlan ? 200 : 202);
}

export const accountDataRoutes = apiRouter()
  .openapi(exportIndex, async (c) => {
    const bar = await barOf(c, "export");
    if (bar !== null) return problem(c, "forbidden", bar);
    const { after } = c.req.valid("query");
    return c.json(await exportPage(c.var.platform, callerOf(c).owner, after), 200);
  })
  .openapi(exportTable, async (c) => {
    const bar = await barOf(c, "export");
    if (bar !== null) return problem(c, "forbidden", bar);
    const { table } = c.req.valid("param");
    const after = Number(c.req.valid("query").after);
    const rows = await exportRows(c.var.platform, callerOf(c).owner, table, after);
    if (rows !== null) return c.json(rows, 200);
    return problem(
      c,
      "not-found",
      `there is no "${table}" in exports: GET /v1/account/export lists all`,
    );
  })
  .openapi(deleteOwn, async (c) => {
    const query = c.req.valid("query");
    const bar = await barOf(c, query.dryRun === "true" ? "plan" : "delete");
    if (bar !== null) return problem(c, "forbidden", bar);
    const { owner } = callerOf(c);
    const reply = await deletion(c, owner, query);
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
