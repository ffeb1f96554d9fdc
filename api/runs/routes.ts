import { createRoute, z } from "@hono/zod-openapi";
import { nameSchema } from "#shared/contracts/bounds.ts";
import {
  runSchema,
  samplePageSchema,
  sampleResultSchema,
  sampleRowSchema,
} from "#shared/contracts/run.ts";
import { problem, problemResponses } from "../http/problem-response.ts";
import { apiRouter, takesApiKey } from "../http/router.ts";
import { readableRun, readableSamples } from "./readable-run.ts";
import { pollAfterSeconds } from "./run-progress.ts";
import { MOST_LOOKED_AT, samplePage } from "./sample-page.ts";
import { sampleResult } from "./sample-view.ts";
import { wholeRun } from "./whole-run.ts";

const runParams = z.object({ id: nameSchema });

const readRun = createRoute({
  method: "get",
  path: "/v1/runs/{id}",
  operationId: "getRun",
  security: takesApiKey,
  tags: ["Runs"],
  summary: "A run: status, progress, metrics with intervals",
  request: { params: runParams },
  responses: {
    200: { description: "The run", content: { "application/json": { schema: runSchema } } },
    ...problemResponses("not-found"),
  },
});

const listQuery = z.object({
  cursor: z.coerce
    .number({ error: "must be the nextCursor of the page before" })
    .int()
    .min(0)
    .optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
  order: z.enum(["seq", "score"]).default("seq"),
  status: sampleRowSchema.shape.status
    .optional()
    .meta({ description: "only samples with this status" }),
  covered: z
    .enum(["true", "false"])
    .optional()
    .meta({ description: "only samples whose request was answered, or only those that failed" }),
});

const listSamples = createRoute({
  method: "get",
  path: "/v1/runs/{id}/samples",
  operationId: "listSamples",
  security: takesApiKey,
  tags: ["Runs"],
  summary: "A run's samples, page by page",
  description: `In the order of the run, or by score with the lowest first and samples without one last. Order by score and filters look at every row of a run, so runs of more than ${MOST_LOOKED_AT} samples are refused them; \`samples.csv\` has those whole. A page is read with the same parameters as the page before.`,
  request: { params: runParams, query: listQuery },
  responses: {
    200: { description: "A page", content: { "application/json": { schema: samplePageSchema } } },
    ...problemResponses("not-found", "forbidden", "invalid-request"),
  },
});

const readSample = createRoute({
  method: "get",
  path: "/v1/runs/{id}/samples/{sampleId}",
  operationId: "getSample",
  security: takesApiKey,
  tags: ["Runs"],
  summary: "One sample: the row, the answer, the scoring field by field",
  request: {
    params: runParams.extend({ sampleId: nameSchema }),
    query: z.object({ repeat: z.coerce.number().int().min(0).default(0) }),
  },
  responses: {
    200: {
      description: "The sample",
      content: { "application/json": { schema: sampleResultSchema } },
    },
    ...problemResponses("not-found", "forbidden", "not-ready", "gone", "invalid-request"),
  },
});

/** Reads of runs and their samples. */
export const runRoutes = apiRouter()
  .openapi(readRun, async (c) => {
    const { id } = c.req.valid("param");
    const { account, ports } = c.var;
    const found = await readableRun(ports, account, id);
    if (!found.ok) return problem(c, found.error.type, found.error.detail);
    const pollAfter = pollAfterSeconds(found.value, ports.now());
    if (pollAfter !== null) c.header("retry-after", `${pollAfter}`);
    return c.json(await wholeRun(ports, found.value, account), 200);
  })
  .openapi(listSamples, async (c) => {
    const { id } = c.req.valid("param");
    const { cursor = null, covered, status = null, ...rest } = c.req.valid("query");
    const { account, ports } = c.var;
    const found = await readableSamples(ports, account, id);
    if (!found.ok) return problem(c, found.error.type, found.error.detail);
    const page = await samplePage(ports, found.value, {
      ...rest,
      after: cursor,
      status,
      covered: covered === undefined ? null : covered === "true",
    });
    if (!page.ok) {
      const { type, detail, errors } = page.error;
      return problem(c, type, detail, { errors });
    }
    return c.json(page.value, 200);
  })
  .openapi(readSample, async (c) => {
    const { id, sampleId } = c.req.valid("param");
    const { account, ports } = c.var;
    const run = await readableSamples(ports, account, id);
    if (!run.ok) return problem(c, run.error.type, run.error.detail);
    const found = await sampleResult(ports, run.value, sampleId, c.req.valid("query").repeat);
    if (!found.ok) return problem(c, found.error.type, found.error.detail);
    return c.json(found.value, 200);
  });
