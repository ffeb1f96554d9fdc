import { createRoute, z } from "@hono/zod-openapi";
import { nameSchema } from "#shared/contracts/bounds.ts";
import { asObject } from "#shared/contracts/json.ts";
import { accountQuotasSchema, quotasSchema } from "#shared/contracts/keys/usage.ts";
import { reasonQuery } from "#shared/contracts/operator/audit.ts";
import { operatorSettingsSchema, overviewSchema } from "#shared/contracts/operator/overview.ts";
import { noteAction } from "../http/record-actions.ts";
import { requireJson, requireScope } from "../http/require-scope.ts";
import { bodyProblems, jsonBody, jsonReply, problem, problemResponses } from "../http/responses.ts";
import { apiRouter } from "../http/router.ts";
import { adminReads } from "./audit-routes.ts";
import { overview, settingsInForce } from "./overview.ts";

const readOverview = createRoute({
  ...adminReads,
  path: "/v1/operator/overview",
  operationId: "getOverview",
  summary: "How the service is doing",
  description:
    "Active and stuck runs, lanes, waiting work, endpoints by failure class, spending on judges, growth of the database, judges, canaries and drift. Lists and numbers are bounded, so that it reads at most some thousand rows of the database.",
  request: {
    query: z.object({
      stuckMinutes: z.coerce.number().int().min(1).max(1_440).default(15).meta({
        description: "minutes without a renewed lease after which a run counts as stuck",
      }),
    }),
  },
  responses: {
    200: jsonReply("The overview", overviewSchema),
    ...problemResponses("unauthorized", "forbidden", "invalid-request"),
  },
});

const readSettings = createRoute({
  ...adminReads,
  path: "/v1/operator/settings",
  operationId: "getSettings",
  summary: "The settings in force",
  description: "The deployment's variables and judges, as text. Secrets are never shown.",
  responses: {
    200: jsonReply("The settings", operatorSettingsSchema),
    ...problemResponses("unauthorized", "forbidden"),
  },
});

const ofAccount = { ...adminReads, path: "/v1/operator/accounts/{owner}/quotas" };
const params = z.object({ owner: nameSchema });
const ownQuotas = jsonReply("The account's own quotas", accountQuotasSchema);

const readQuotas = createRoute({
  ...ofAccount,
  operationId: "getAccountQuotas",
  summary: "One account's own quotas, which replace the service's",
  request: { params },
  responses: { 200: ownQuotas, ...problemResponses("unauthorized", "forbidden", "not-found") },
});

const setQuotas = createRoute({
  ...ofAccount,
  method: "put",
  operationId: "setAccountQuotas",
  summary: "Set the quotas of one account; an empty object restores the defaults of the service",
  description:
    "For quotas that are left out, the service's apply. An organisation with quotas of its own does not use those of its creator any more. The change is in the audit log.",
  middleware: [requireScope("admin"), requireJson] as const,
  request: { params, query: reasonQuery, body: jsonBody(quotasSchema) },
  responses: { 200: ownQuotas, ...problemResponses(...bodyProblems, "not-found") },
});

const noAccount = (owner: string) => `there is no account "${owner}"`;

export const operatorRoutes = apiRouter()
  .openapi(readOverview, async (c) => {
    const { stuckMinutes } = c.req.valid("query");
    return c.json(await overview(c.var.platform, stuckMinutes), 200);
  })
  .openapi(readQuotas, async (c) => {
    const { owner } = c.req.valid("param");
    const account = await c.var.platform.accounts.byOwner(owner);
    if (account === null) return problem(c, "not-found", noAccount(owner));
    return c.json({ owner, quotas: account.quotas ?? {} }, 200);
  })
  .openapi(setQuotas, async (c) => {
    const { owner } = c.req.valid("param");
    const { accounts } = c.var.platform;
    const account = await accounts.byOwner(owner);
    if (account === null) return problem(c, "not-found", noAccount(owner));
    const quotas = c.req.valid("json");
    const [before, after] = [account.quotas ?? {}, quotas].map((its) => asObject({ ...its }));
    const noted = { action: "account.quotas", target: owner, before: before!, after: after! };
    const entry = noteAction(c, noted);
    const isOwn = Object.keys(quotas).length > 0;
    await accounts.setQuotas(owner, isOwn ? quotas : null, entry);
    return c.json({ owner, quotas }, 200);
  })
  .openapi(readSettings, async (c) => c.json(settingsInForce(c.var.platform), 200));
