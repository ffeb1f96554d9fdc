import { createRoute, z } from "@hono/zod-openapi";
import { nameSchema } from "#shared/contracts/bounds.ts";
import { highlightsSchema, runReportSchema } from "#shared/contracts/run-report.ts";
import { accepted } from "../http/refusal.ts";
import { jsonReply, problemResponses } from "../http/responses.ts";
import { apiRouter, takesApiKey } from "../http/router.ts";
import { readableRun, readableSamples } from "./access.ts";
import { reportView, runHighlights } from "./report-view.ts";
import { pollAfterSeconds } from "./run-progress.ts";

const runParams = z.object({ id: nameSchema });
const shared = { method: "get" as const, security: takesApiKey, tags: ["Runs"] };

const readHighlights = createRoute({
  path: "/v1/runs/{id}/highlights",
  operationId: "getHighlights",
  ...shared,
  summary: "A run's notable samples",
  description:
    "The lowest and highest scores and unusual samples: a failed request, a refusal, a truncated answer, the slowest, the longest. At most eight, selected when a run finishes; none after the raw answers are deleted, and none for runs that finished before this feature existed.",
  request: { params: runParams },
  responses: {
    200: jsonReply("The samples, the worst first", highlightsSchema),
    ...problemResponses("not-found", "forbidden", "not-ready", "conflict"),
  },
});

const readReport = createRoute({
  path: "/v1/runs/{id}/report",
  operationId: "getReport",
  ...shared,
  summary: "A run's report as data",
  description:
    "Sections with blocks (gauges, tables, charts, advice) and the run's highlights. A run that has not finished only has a state: ask again after `retry-after` seconds.",
  request: { params: runParams },
  responses: {
    200: jsonReply("The report", runReportSchema),
    ...problemResponses("not-found"),
  },
});

export const runReportRoutes = apiRouter()
  .openapi(readHighlights, async (c) => {
    const { account, platform } = c.var;
    const run = accepted(await readableSamples(platform, account, c.req.valid("param").id));
    const found = accepted(await runHighlights(platform, run));
    return c.json(found, 200);
  })
  .openapi(readReport, async (c) => {
    const { account, platform } = c.var;
    const run = accepted(await readableRun(platform, account, c.req.valid("param").id));
    const pollAfter = pollAfterSeconds(run, platform.now());
    if (pollAfter !== null) c.header("retry-after", `${pollAfter}`);
    const { suite, datasetName } = run;
    const [report, hasBoard] = await Promise.all([
      reportView(platform, run, account),
      platform.boards.isOnDataset(suite, datasetName),
    ]);
    return c.json({ ...report, hasBoard }, 200);
  });
