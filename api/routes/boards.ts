import { createRoute, z } from "@hono/zod-openapi";
import { datasetRefSchema } from "#shared/contracts/dataset.ts";
import { leaderboardSchema } from "#shared/contracts/leaderboard.ts";
import { type Snapshot, snapshotSchema } from "#shared/contracts/snapshot.ts";
import { latestSnapshotKey } from "../pipeline/publish.ts";
import { boardView } from "../pipeline/run-view.ts";
import { apiRouter } from "./api-app.ts";
import { problem, problemResponses } from "./problem-response.ts";

const leaderboard = createRoute({
  method: "get",
  path: "/v1/leaderboard",
  tags: ["Results"],
  summary: "The leaderboard of a suite and dataset",
  description:
    "Runs over the full dataset with the suite's standard options, newest run per model, ranked by the headline metric. Runs below 95% coverage are listed unranked with the reason.",
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
};

/** Reads of boards and of the published snapshot. */
export const boardRoutes = apiRouter()
  .openapi(leaderboard, async (c) => {
    const { suite, dataset } = c.req.valid("query");
    const { byId, all } = c.var.ports.suites;
    if (byId(suite) === undefined) {
      const known = all.map(({ id }) => id).join(", ");
      return problem(c, "not-found", `there is no suite "${suite}"; try ${known}`);
    }
    const [name = "", version = null] = dataset.split("@");
    const board = await c.var.ports.boards.find(suite, name, version);
    if (board === null) {
      const detail = `no finished run of suite "${suite}" on dataset "${dataset}" yet`;
      return problem(c, "not-found", detail);
    }
    return c.json(boardView(board), 200);
  })
  .openapi(snapshot, async (c) => {
    const found = await c.var.ports.objects.get<Snapshot>(latestSnapshotKey);
    const newest = found ?? emptySnapshot;
    c.header("etag", `"${newest.hash}"`);
    if (c.req.header("if-none-match") === `"${newest.hash}"`) return c.body(null, 304) as never;
    return c.json(newest, 200);
  });
