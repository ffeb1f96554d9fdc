import { createRoute, z } from "@hono/zod-openapi";
import type { Json } from "#shared/contracts/json.ts";
import { runSchema, samplePageSchema, sampleResultSchema } from "#shared/contracts/run.ts";
import { breakdownKey } from "../pipeline/finalize.ts";
import { runView } from "../pipeline/run-view.ts";
import { sampleResult, sampleRowView } from "../pipeline/sample-view.ts";
import { apiRouter } from "./api-app.ts";
import { problem, problemResponses } from "./problem-response.ts";

/** Seconds after which asking again for an unfinished run makes sense. */
const POLL_SECONDS = "2";

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
    ...problemResponses("not-found", "not-ready", "invalid-request"),
  },
});

/** Reads of runs and their samples. */
export const runRoutes = apiRouter()
  .openapi(readRun, async (c) => {
    const { id } = c.req.valid("param");
    const run = await c.var.ports.runs.get(id);
    if (run === null) return problem(c, "not-found", `there is no run "${id}"`);
    if (run.finishedAt === null) c.header("retry-after", POLL_SECONDS);
    const breakdown =
      run.status === "finished" ? await c.var.ports.objects.get<Json>(breakdownKey(id)) : null;
    return c.json(runView(run, breakdown), 200);
  })
  .openapi(listSamples, async (c) => {
    const { id } = c.req.valid("param");
    const { cursor, limit } = c.req.valid("query");
    const { runs } = c.var.ports;
    if ((await runs.get(id)) === null) return problem(c, "not-found", `there is no run "${id}"`);
    const rows = await runs.samples(id, cursor ?? -1, limit);
    const last = rows.length === limit ? rows.at(-1) : undefined;
    return c.json(
      { samples: rows.map(sampleRowView), nextCursor: last ? `${last.seq}` : null },
      200,
    );
  })
  .openapi(readSample, async (c) => {
    const { id, sampleId } = c.req.valid("param");
    const found = await sampleResult(c.var.ports, id, sampleId, c.req.valid("query").repeat);
    if (!found.ok) return problem(c, found.error.type, found.error.detail);
    return c.json(found.value, 200);
  });
