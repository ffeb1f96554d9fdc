import { createRoute, z } from "@hono/zod-openapi";
import { datasetRefSchema } from "#shared/contracts/dataset.ts";
import { leaderboardSchema } from "#shared/contracts/leaderboard.ts";
import { findBoard } from "../pipeline/boards/find-board.ts";
import { boardCanaries } from "../pipeline/canaries/canary-report.ts";
import { boardView } from "../pipeline/runs/run-view.ts";
import { apiRouter, openToAll } from "./api-app.ts";
import { problem, problemResponses } from "./problem-response.ts";

const leaderboard = createRoute({
  method: "get",
  path: "/v1/leaderboard",
  operationId: "getLeaderboard",
  security: openToAll,
  tags: ["Results"],
  summary: "The leaderboard of a suite and dataset",
  description:
    "Runs over the full dataset with the suite's standard prompt, scoring, judges, repeats and structured-output mode, newest run per model, ranked by the headline metric. Other options, such as concurrency and temperature, may differ: each run states its own. Runs below 95% coverage are listed unranked with the reason.",
  request: {
    query: z.object({
      suite: z.string().meta({ example: "extraction" }),
      dataset: datasetRefSchema,
    }),
  },
  responses: {
    200: {
      description: "The board",
      content: { "application/json": { schema: leaderboardSchema } },
    },
    ...problemResponses("not-found", "invalid-request"),
  },
});

/** Reads of boards. */
export const boardRoutes = apiRouter().openapi(leaderboard, async (c) => {
  const { suite, dataset } = c.req.valid("query");
  const board = await findBoard(c.var.ports, suite, dataset);
  if (!board.ok) return problem(c, board.error.type, board.error.detail);
  const canaries = await boardCanaries(c.var.ports, board.value);
  return c.json(boardView(board.value, canaries), 200);
});
