import { createRoute, z } from "@hono/zod-openapi";
import type { Json } from "#shared/contracts/json.ts";
import { runSchema, samplePageSchema, sampleResultSchema } from "#shared/contracts/run.ts";
import type { Timeline } from "#shared/contracts/timeline.ts";
import { readableRun } from "../pipeline/runs/readable-run.ts";
import { breakdownKey, timelineKey } from "../pipeline/runs/run-objects.ts";
import { pollAfterSeconds } from "../pipeline/runs/run-progress.ts";
import { runView } from "../pipeline/runs/run-view.ts";
import { sampleResult, sampleRowView } from "../pipeline/runs/sample-view.ts";
import { apiRouter } from "./api-app.ts";
import { problem, problemResponses } from "./problem-response.ts";

const runParams = z.object({ id: z.string() });

const readRun = createRoute({
  method: "get",
  path: "/v1/runs/{id}",
  tags: ["Runs"],
  summary: "A run: status, progress, metrics with intervals",
  request: { params: runParams },
  responses: {
    200: { description: "The run", content: { "application/json": { schema: runSchema } } },
    ...problemResponses("not-found"),
  },
});

const listSamples = createRoute({
  method: "get",
  path: "/v1/runs/{id}/samples",
  tags: ["Runs"],
  summary: "A run's samples, page by page",
  request: {
    params: runParams,
    query: z.object({
      cursor: z.coerce
        .number({ error: "must be the nextCursor of the page before" })
        .int()
        .min(0)
        .optional(),
      limit: z.coerce.number().int().min(1).max(500).default(100),
    }),
  },
  responses: {
    200: { description: "A page", content: { "application/json": { schema: samplePageSchema } } },
    ...problemResponses("not-found", "invalid-request"),
  },
});

const readSample = createRoute({
  method: "get",
  path: "/v1/runs/{id}/samples/{sampleId}",
  tags: ["Runs"],
  summary: "One sample: the row, the answer, the scoring field by field",
  request: {
    params: runParams.extend({ sampleId: z.string() }),
    query: z.object({ repeat: z.coerce.number().int().min(0).default(0) }),
  },
  responses: {
    200: {
      description: "The sample",
      content: { "application/json": { schema: sampleResultSchema } },
    },
    ...problemResponses("not-found", "not-ready", "gone", "invalid-request"),
  },
});

/** Reads of runs and their samples. */
export const runRoutes = apiRouter()
  .openapi(readRun, async (c) => {
    const { id } = c.req.valid("param");
    const { account, ports } = c.var;
    const found = await readableRun(ports, account, id);
    if (!found.ok) return problem(c, found.error.type, found.error.detail);
    const run = found.value;
    const now = ports.now();
    const pollAfter = pollAfterSeconds(run, now);
    if (pollAfter !== null) c.header("retry-after", `${pollAfter}`);
    if (run.status !== "finished") return c.json(runView(run, now), 200);
    const [breakdown, timeline] = await Promise.all([
      ports.objects.get<Json>(breakdownKey(run)),
      ports.objects.get<Timeline>(timelineKey(run)),
    ]);
    return c.json(runView(run, now, { breakdown, timeline }), 200);
  })
  .openapi(listSamples, async (c) => {
    const { id } = c.req.valid("param");
    const { cursor, limit } = c.req.valid("query");
    const { account, ports } = c.var;
    const found = await readableRun(ports, account, id);
    if (!found.ok) return problem(c, found.error.type, found.error.detail);
    const rows = await ports.runs.samples(id, cursor ?? -1, limit);
    const last = rows.length === limit ? rows.at(-1) : undefined;
    return c.json(
      { samples: rows.map(sampleRowView), nextCursor: last ? `${last.seq}` : null },
      200,
    );
  })
  .openapi(readSample, async (c) => {
    const { id, sampleId } = c.req.valid("param");
    const { account, ports } = c.var;
    const run = await readableRun(ports, account, id);
    if (!run.ok) return problem(c, run.error.type, run.error.detail);
    const found = await sampleResult(ports, run.value, sampleId, c.req.valid("query").repeat);
    if (!found.ok) return problem(c, found.error.type, found.error.detail);
    return c.json(found.value, 200);
  });
