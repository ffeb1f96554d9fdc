import { createRoute, z } from "@hono/zod-openapi";
import { nameSchema } from "#shared/contracts/bounds.ts";
import { reasonQuery } from "#shared/contracts/operator/audit.ts";
import {
  type Ban,
  banSchema,
  decisionSchema,
  newBanSchema,
  newReportSchema,
  type ReaderReport,
  readerReportSchema,
  reportReceiptSchema,
  reportStateSchema,
} from "#shared/contracts/operator/report.ts";
import { newestFirstQuery, pageOf, pageReply } from "../http/pagination.ts";
import { readerIdOf } from "../http/rate-limit.ts";
import { noteAction } from "../http/record-actions.ts";
import { accepted } from "../http/refusal.ts";
import { callerOf, requireJson, requireScope, typedBody } from "../http/require-scope.ts";
import { bodyProblems, jsonBody, jsonReply, problem, problemResponses } from "../http/responses.ts";
import { apiRouter, takesApiKey, wantsApiKey } from "../http/router.ts";
import { readableRun } from "../runs/access.ts";
import { addReport, banAccount, decideReport, liftBan } from "./moderation.ts";
import type { BanRecord, ReportOfRun } from "./schema.ts";

const report = createRoute({
  method: "post",
  path: "/v1/reports",
  operationId: "reportRun",
  tags: ["Operation"],
  summary: "Report a run to the operator",
  description:
    "Anyone who can read the run can report it, also without a key. An address or account can send ten reports a day, and at most one for each run. The address is stored only as a hash.",
  middleware: [typedBody, requireJson] as const,
  security: takesApiKey,
  request: { body: jsonBody(newReportSchema) },
  responses: {
    201: jsonReply("Id of the report", reportReceiptSchema),
    ...problemResponses(
      "invalid-request",
      "malformed-json",
      "unsupported-media-type",
      "body-too-large",
      "not-found",
      "conflict",
      "too-many-requests",
    ),
  },
});

const operator = {
  tags: ["Operation"],
  security: wantsApiKey,
};
const admin = requireScope("admin");

const listReports = createRoute({
  ...operator,
  method: "get",
  path: "/v1/operator/reports",
  operationId: "listReports",
  summary: "Readers' reports, newest first",
  middleware: admin,
  request: { query: newestFirstQuery.extend({ state: reportStateSchema.default("open") }) },
  responses: {
    200: pageReply("A page of reports", "reports", readerReportSchema),
    ...problemResponses("unauthorized", "forbidden", "invalid-request"),
  },
});

const decide = createRoute({
  ...operator,
  method: "post",
  path: "/v1/operator/reports/{id}/decision",
  operationId: "decideReport",
  summary: "Decide about a report, or undo a decision",
  middleware: [admin, requireJson] as const,
  request: { params: z.object({ id: nameSchema }), body: jsonBody(decisionSchema) },
  responses: {
    200: jsonReply("The report", readerReportSchema),
    ...problemResponses(...bodyProblems, "not-found", "conflict"),
  },
});

const listBans = createRoute({
  ...operator,
  method: "get",
  path: "/v1/operator/bans",
  operationId: "listBans",
  summary: "Banned accounts, newest first",
  middleware: admin,
  request: { query: newestFirstQuery },
  responses: {
    200: pageReply("A page of bans", "bans", banSchema),
    ...problemResponses("unauthorized", "forbidden", "invalid-request"),
  },
});

const ban = createRoute({
  ...operator,
  method: "post",
  path: "/v1/operator/bans",
  operationId: "banAccount",
  summary: "Ban an account",
  description:
    "Its keys and sessions are refused, its schedules submit nothing, its runs are hidden and leave boards and site, and its active runs pause. It takes effect everywhere within seconds.",
  middleware: [admin, requireJson] as const,
  request: { body: jsonBody(newBanSchema) },
  responses: {
    201: jsonReply("The ban", banSchema),
    ...problemResponses(...bodyProblems, "conflict"),
  },
});

const unban = createRoute({
  ...operator,
  method: "delete",
  path: "/v1/operator/bans/{owner}",
  operationId: "liftBan",
  summary: "Lift a ban",
  description:
    "Runs that the ban had hidden are shown again; runs that were active stay paused until their owner resumes them.",
  middleware: admin,
  request: { params: z.object({ owner: nameSchema }), query: reasonQuery },
  responses: {
    200: jsonReply("The ban that was lifted", banSchema),
    ...problemResponses("unauthorized", "forbidden", "not-found"),
  },
});

const iso = (ms: number) => new Date(ms).toISOString();

const banView = ({ at, ...its }: BanRecord): Ban => ({ ...its, at: iso(at) });

function reportView({ report: its, run }: ReportOfRun): ReaderReport {
  const { id, at, runId, kind, message, account, state, decidedAt, decidedBy, reason } = its;
  return {
    id,
    at: iso(at),
    run: {
      id: runId,
      owner: run?.owner ?? null,
      model: run?.model ?? null,
      hiddenReason: run?.hiddenReason ?? null,
    },
    kind,
    message,
    reporter: account,
    state,
    decidedAt: decidedAt === null ? null : iso(decidedAt),
    decidedBy,
    reason,
  };
}

export const reportRoutes = apiRouter().openapi(report, async (c) => {
  const { account, platform } = c.var;
  const { run, ...given } = c.req.valid("json");
  const found = await readableRun(platform, account, run);
  if (!found.ok) {
    const errors = [{ pointer: "/run", detail: found.error.detail }];
    return problem(c, "not-found", found.error.detail, { errors });
  }
  const reporter = readerIdOf(c);
  const who = { reporter, account: account?.owner ?? null };
  const added = accepted(await addReport(platform, { ...given, ...who, runId: run }));
  return c.json({ id: added }, 201);
});

export const moderationQueueRoutes = apiRouter()
  .openapi(listReports, async (c) => {
    const { cursor: after = null, limit, state } = c.req.valid("query");
    const found = await c.var.platform.reports.list(state, { after, limit: limit + 1 });
    const { items, nextCursor } = pageOf(found, limit, ({ report: { at, id } }) => [at, id]);
    return c.json({ reports: items.map(reportView), nextCursor }, 200);
  })
  .openapi(decide, async (c) => {
    const decision = c.req.valid("json");
    const { id } = c.req.valid("param");
    const decided = accepted(await decideReport(c.var.platform, callerOf(c), id, decision));
    const { before, after } = decided;
    noteAction(c, {
      action: `report.${decision.action}`,
      target: before.report.runId,
      reason: decision.reason,
      before: { report: id, state: before.report.state, owner: before.run?.owner ?? null },
      after: { report: id, state: after.report.state },
    });
    return c.json(reportView(after), 200);
  })
  .openapi(listBans, async (c) => {
    const { cursor: after = null, limit } = c.req.valid("query");
    const found = await c.var.platform.bans.list({ after, limit: limit + 1 });
    const { items, nextCursor } = pageOf(found, limit, ({ at, owner }) => [at, owner]);
    return c.json({ bans: items.map(banView), nextCursor }, 200);
  })
  .openapi(ban, async (c) => {
    const { owner, reason } = c.req.valid("json");
    const noted = { action: "account.ban", target: owner, reason, after: { banned: reason } };
    const entry = noteAction(c, noted, 201);
    const banned = accepted(await banAccount(c.var.platform, callerOf(c), owner, reason, entry));
    return c.json(banView(banned), 201);
  })
  .openapi(unban, async (c) => {
    const { owner } = c.req.valid("param");
    const before = { banned: (await c.var.platform.bans.get(owner))?.reason ?? null };
    const entry = noteAction(c, { action: "account.unban", target: owner, before });
    const lifted = accepted(await liftBan(c.var.platform, owner, entry));
    return c.json(banView(lifted), 200);
  });
