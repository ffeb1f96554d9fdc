import { createRoute, z } from "@hono/zod-openapi";
import { datasetRefSchema } from "#shared/contracts/dataset.ts";
import { leaderboardSchema } from "#shared/contracts/leaderboard.ts";
import { type Snapshot, snapshotSchema } from "#shared/contracts/snapshot.ts";
import { findBoard } from "../pipeline/boards/find-board.ts";
import { boardCanaries } from "../pipeline/canaries/canary-report.ts";
import { latestSnapshot } from "../pipeline/publish.ts";
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

const snapshot = createRoute({
  method: "get",
  path: "/v1/snapshot",
  operationId: "getSnapshot",
  security: openToAll,
  tags: ["Results"],
  summary: "Everything public, as the site is built from it",
  responses: {
    200: {
      description: "The newest snapshot",
      content: { "application/json": { schema: snapshotSchema } },
    },
    304: { description: "Unchanged since the snapshot named in If-None-Match" },
  },
});

/** What is served before anything was published. */
const emptySnapshot: Snapshot = {
  version: 1,
  hash: "0",
  createdAt: new Date(0).toISOString(),
  boards: [],
  datasets: [],
  runs: [],
  canaries: [],
  sweeps: [],
  drifts: [],
};

/** Reads of boards and of the published snapshot. */
export const boardRoutes = apiRouter()
  .openapi(leaderboard, async (c) => {
    const { suite, dataset } = c.req.valid("query");
    const board = await findBoard(c.var.ports, suite, dataset);
    if (!board.ok) return problem(c, board.error.type, board.error.detail);
    const canaries = await boardCanaries(c.var.ports, board.value);
    return c.json(boardView(board.value, canaries), 200);
  })
  .openapi(snapshot, async (c) => {
    const newest = (await latestSnapshot(c.var.ports)) ?? emptySnapshot;
    c.header("etag", `"${newest.hash}"`);
    return c.json(newest, 200);
  });
