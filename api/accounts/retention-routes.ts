import { createRoute } from "@hono/zod-openapi";
import {
  MOST_RULES,
  type Retention,
  retentionSchema,
} from "#shared/contracts/keys/account-data.ts";
import { jsonBody, jsonReply } from "../http/json-content.ts";
import { bodyProblems, problem, problemResponses } from "../http/problem-response.ts";
import { noteAction } from "../http/record-actions.ts";
import { requireJson } from "../http/require-json.ts";
import { callerOf, requireScope } from "../http/require-scope.ts";
import { apiRouter, wantsApiKey, wantsSession } from "../http/router.ts";
import { barOf } from "./account-data-routes.ts";
import type { RetentionRecord } from "./schema.ts";

const shared = {
  tags: ["Accounts"],
  security: [...wantsSession, ...wantsApiKey],
  path: "/v1/account/retention",
};
const submitters = requireScope("submit", "admin");

const get = createRoute({
  ...shared,
  method: "get",
  operationId: "getRetention",
  summary: "After how many days the account's results are deleted",
  middleware: submitters,
  responses: {
    200: jsonReply("The rules", retentionSchema),
    ...problemResponses("unauthorized", "forbidden"),
  },
});

const put = createRoute({
  ...shared,
  method: "put",
  operationId: "setRetention",
  summary: "Set after how many days the account's results are deleted",
  description: `Replaces all rules: at most one for each dataset, and one for all others; ${MOST_RULES} at most. They apply to all runs of the account, from their ends on, also to those that have ended: what is older goes within minutes. Reports say so. Runs whose answers are deleted can't be scored again.`,
  middleware: [submitters, requireJson] as const,
  request: { body: jsonBody(retentionSchema) },
  responses: { 200: jsonReply("The rules", retentionSchema), ...problemResponses(...bodyProblems) },
});

const viewOf = (rules: readonly RetentionRecord[]): Retention => ({
  rules: rules.map(({ dataset, answerDays, runDays }) => ({
    dataset: dataset === "" ? null : dataset,
    answerDays,
    runDays,
  })),
});

/** Retention of an account's results. */
export const retentionRoutes = apiRouter()
  .openapi(get, async (c) => {
    const { owner } = callerOf(c);
    return c.json(viewOf(await c.var.platform.retentions.of(owner)), 200);
  })
  .openapi(put, async (c) => {
    const bar = await barOf(c, "change");
    if (bar !== null) return problem(c, "forbidden", bar);
    const { owner } = callerOf(c);
    const { retentions, publications } = c.var.platform;
    const before = viewOf(await retentions.of(owner));
    const { rules } = c.req.valid("json");
    const records = rules.map(({ dataset, ...rule }) => ({
      owner,
      dataset: dataset ?? "",
      ...rule,
    }));
    await retentions.replace(owner, records);
    await publications.markChanged();
    noteAction(c, { action: "retention.set", target: owner, before, after: { rules } });
    return c.json(viewOf(await retentions.of(owner)), 200);
  });
