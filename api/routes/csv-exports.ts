import { createRoute, z } from "@hono/zod-openapi";
import { csvFileName } from "#shared/contracts/csv.ts";
import { datasetRefSchema } from "#shared/contracts/dataset.ts";
import { boardCsv } from "../pipeline/boards/board-csv.ts";
import { findBoard } from "../pipeline/boards/find-board.ts";
import { readableRun } from "../pipeline/runs/readable-run.ts";
import { boardView } from "../pipeline/runs/run-view.ts";
import { samplesCsv } from "../pipeline/runs/samples-csv.ts";
import { apiRouter, openToAll, takesApiKey } from "./api-app.ts";
import { problem, problemResponses } from "./problem-response.ts";

const csv = (description: string) => ({
  description: `${description}; text that a spreadsheet would take for a formula begins with an apostrophe`,
  content: { "text/csv": { schema: z.string() } },
});

const leaderboard = createRoute({
  method: "get",
  path: "/v1/leaderboard.csv",
  operationId: "exportLeaderboardCsv",
  security: openToAll,
  tags: ["Results"],
  summary: "The leaderboard of a suite and dataset as CSV",
  request: {
    query: z.object({
      suite: z.string().meta({ example: "extraction" }),
      dataset: datasetRefSchema,
    }),
  },
  responses: {
    200: csv("One record a model, best first"),
    ...problemResponses("not-found", "invalid-request"),
  },
});

const samples = createRoute({
  method: "get",
  path: "/v1/runs/{id}/samples.csv",
  operationId: "exportSamplesCsv",
  security: takesApiKey,
  tags: ["Runs"],
  summary: "A run's samples as CSV, all of them",
  request: { params: z.object({ id: z.string() }) },
  responses: { 200: csv("One record a sample"), ...problemResponses("not-found") },
});

const headersOf = (fileName: string) => ({
  "content-type": "text/csv; charset=utf-8",
  "content-disposition": `attachment; filename="${fileName}"`,
});

/** Results for spreadsheets. */
export const csvRoutes = apiRouter()
  .openapi(leaderboard, async (c) => {
    const { suite, dataset } = c.req.valid("query");
    const board = await findBoard(c.var.ports, suite, dataset);
    if (!board.ok) return problem(c, board.error.type, board.error.detail);
    const view = boardView(board.value, null);
    const fileName = csvFileName("assay", suite, view.dataset.name);
    return c.body(boardCsv(view), 200, headersOf(fileName)) as never;
  })
  .openapi(samples, async (c) => {
    const { ports, account } = c.var;
    const run = await readableRun(ports, account, c.req.valid("param").id);
    if (!run.ok) return problem(c, run.error.type, run.error.detail);
    const { id, done, status, finishedAt } = run.value;
    // One made here: without it the whole stream would be read to make one.
    c.header("etag", `W/"${id}-${status}-${done}-${finishedAt ?? 0}"`);
    const fileName = csvFileName("assay", id, "samples");
    return c.body(samplesCsv(ports.runs, id), 200, headersOf(fileName)) as never;
  });
