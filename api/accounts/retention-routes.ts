import { createRoute, z } from "@hono/zod-openapi";
import {
  MOST_RULES,
  type Retention,
  type RetentionState,
  retentionSchema,
  retentionStateSchema,
} from "#shared/contracts/keys/account-data.ts";
import { noteAction } from "../http/record-actions.ts";
import { callerOf, requireJson, requireScope } from "../http/require-scope.ts";
import { bodyProblems, jsonBody, jsonReply, problem, problemResponses } from "../http/responses.ts";
import { type AppContext, apiRouter, wantsApiKey, wantsSession } from "../http/router.ts";
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
    200: jsonReply("The rules, and what they delete", retentionStateSchema),
    ...problemResponses("unauthorized", "forbidden"),
  },
});

const put = createRoute({
  ...shared,
  method: "put",
  operationId: "setRetention",
  summary: "Set after how many days the account's results are deleted",
  description: `Replaces all rules: at most one for each dataset, and one for all others; ${MOST_RULES} at most. They apply to all runs of the account, counted from the end of each, including runs that have already ended: older results are deleted within minutes, and reports say that they were deleted. Runs whose answers are deleted can't be scored again. \`dryRun=true\` says what the rules would delete, and changes nothing. To change them, sign in; for an organisation, as one of its admins. A key needs the scope \`admin\`.`,
  middleware: [submitters, requireJson] as const,
  request: {
    query: z.object({ dryRun: z.enum(["true", "false"]).default("false") }),
    body: jsonBody(retentionSchema),
  },
  responses: {
    200: jsonReply("The rules, and what they delete", retentionStateSchema),
    ...problemResponses(...bodyProblems),
  },
});

const recordsOf = (owner: string, { rules }: Retention): RetentionRecord[] =>
  rules.map(({ dataset, ...rule }) => ({ owner, dataset: dataset ?? "", ...rule }));

const named = (dataset: string) => (dataset === "" ? null : dataset);
const viewOf = (records: readonly RetentionRecord[]): Retention => ({
  rules: records.map(({ dataset, answerDays, runDays }) => ({
    dataset: named(dataset),
    answerDays,
    runDays,
  })),
});

const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

/** Rules, in force or proposed, with what they would delete. */
async function stateOf(
  c: AppContext,
  owner: string,
  records: readonly RetentionRecord[],
): Promise<RetentionState> {
  const { platform } = c.var;
  const effects = await platform.retentions.effects(owner, records, platform.now());
  return {
    ...viewOf(records),
    effects: effects.map(({ dataset, nextRunAt, nextAnswersAt, ...counts }) => ({
      dataset: named(dataset),
      ...counts,
      nextRunAt: iso(nextRunAt),
      nextAnswersAt: iso(nextAnswersAt),
    })),
  };
}

export const retentionRoutes = apiRouter()
  .openapi(get, async (c) => {
    const { owner } = callerOf(c);
    return c.json(await stateOf(c, owner, await c.var.platform.retentions.of(owner)), 200);
  })
  .openapi(put, async (c) => {
    const isPlan = c.req.valid("query").dryRun === "true";
    const bar = await barOf(c, isPlan ? "plan" : "retain");
    if (bar !== null) return problem(c, "forbidden", bar);
    const { owner } = callerOf(c);
    const wanted = c.req.valid("json");
    const records = recordsOf(owner, wanted);
    const state = await stateOf(c, owner, records);
    if (isPlan) return c.json(state, 200);
    const { retentions, publications } = c.var.platform;
    const before = viewOf(await retentions.of(owner));
    await retentions.replace(owner, records);
    await publications.markChanged();
    noteAction(c, { action: "retention.set", target: owner, before, after: wanted });
    return c.json(state, 200);
  });
