import { createRoute, z } from "@hono/zod-openapi";
import { bounds, nameSchema } from "#shared/contracts/bounds.ts";
import {
  raterSchema,
  ratingsRequestSchema,
  ratingTasksSchema,
  storedRatingsSchema,
} from "#shared/contracts/judging/rating.ts";
import { csvRecord } from "#shared/contracts/text/csv.ts";
import { fileHeaders, fileResponse } from "../http/download.ts";
import { accepted } from "../http/refusal.ts";
import { callerOf, requireScope } from "../http/require-scope.ts";
import { jsonReply, problem, problemResponses } from "../http/responses.ts";
import { type AppContext, apiRouter, wantsApiKey } from "../http/router.ts";
import { ownedSamples } from "../runs/access.ts";
import { addRatings, ratedRun } from "./add-ratings.ts";
import { ratingTasks } from "./rating-tasks.ts";
import { ratingColumns, readRatings } from "./read-ratings.ts";

const params = z.object({ id: nameSchema });
const owners = requireScope("submit", "admin");
const raters = requireScope("rate", "submit", "admin");
const shared = { security: wantsApiKey, tags: ["Ratings"] };
const refusals = problemResponses("unauthorized", "forbidden", "not-found");
const unrated = problemResponses("invalid-request", "conflict");

const hash = "17f4444f3932f8a1c554c7cdea92208dbecb03b0173a2b6a79cc2310a05c5fad";
const rows = z.string().max(bounds.bodyBytes);
const examples = {
  jsonl: `{"sampleId":"knee","answerHash":"${hash}","metric":"empathy","score":4,"rater":"Ada"}\n`,
  csv: `${csvRecord(ratingColumns)}knee,${hash},empathy,4,Ada\r\n`,
};

const add = createRoute({
  ...shared,
  middleware: raters,
  method: "post",
  path: "/v1/runs/{id}/ratings",
  operationId: "addRatings",
  summary: "Add people's ratings of a run's answers",
  description:
    "For the run's owner and admins; the scope `rate` is enough. A rating belongs to one answer, named by sample and hash; `GET /v1/runs/{id}/rating-tasks` gives both. A later rating by the same rater replaces the earlier one. All are stored, or none. The run's `people`, its report and its board follow in about a minute; runs that rescore the answers have the ratings too. CSV may have further columns; a record without a score is skipped.",
  request: {
    params,
    body: {
      required: true,
      content: {
        "application/json": { schema: ratingsRequestSchema },
        "application/x-ndjson": { schema: rows, example: examples.jsonl },
        "text/csv": { schema: rows, example: examples.csv },
      },
    },
  },
  responses: {
    200: jsonReply("The number of stored ratings", storedRatingsSchema),
    ...refusals,
    ...unrated,
  },
});

const list = (format: "csv" | "jsonl") =>
  createRoute({
    ...shared,
    middleware: owners,
    method: "get",
    path: `/v1/runs/{id}/ratings.${format}`,
    operationId: format === "csv" ? "exportRatingsCsv" : "exportRatingsJsonl",
    summary: `People's ratings of a run's answers as ${format === "csv" ? "CSV" : "JSON lines"}`,
    description:
      "For the run's owner and admins, because raters are named. `POST /v1/runs/{id}/ratings` accepts the file unchanged.",
    request: { params },
    responses: { ...fileResponse(format, "One rating a line", examples[format]), ...refusals },
  });

const tasks = createRoute({
  ...shared,
  middleware: raters,
  method: "get",
  path: "/v1/runs/{id}/rating-tasks",
  operationId: "getRatingTasks",
  summary: "The next answers for a rater, without model and judgments",
  description:
    "For the run's owner and admins; the scope `rate` is enough. Answers come in a random order that differs between raters; all raters get the same ones first. The rated answers are a random choice of the run's if they are rated in this order.",
  request: {
    params,
    query: z.object({
      rater: raterSchema,
      metrics: z.string().max(bounds.url).default("").meta({
        description: "ids of the metrics to rate, separated by commas; empty: all",
      }),
      limit: z.coerce.number().int().min(1).max(20).default(5),
    }),
  },
  responses: {
    200: jsonReply("The next answers to rate", ratingTasksSchema),
    ...refusals,
    ...unrated,
  },
});

async function send(c: AppContext, id: string, format: "csv" | "jsonl") {
  const { platform } = c.var;
  accepted(await ownedSamples(platform, callerOf(c), id));
  const stored = await platform.ratings.rows(await platform.ratings.rootOf(id));
  const cells = stored.map((row) => ratingColumns.map((name) => row[name]));
  const lines =
    format === "csv"
      ? [ratingColumns, ...cells].map(csvRecord)
      : stored.map((row) => `${JSON.stringify(row, ratingColumns)}\n`);
  return c.body(lines.join(""), 200, fileHeaders(c, format, [id, "ratings"])) as never;
}

export const ratingRoutes = apiRouter()
  .openapi(tasks, async (c) => {
    const { platform } = c.var;
    const found = accepted(await ratedRun(platform, callerOf(c), c.req.valid("param").id));
    const { metrics, ...query } = c.req.valid("query");
    const named = metrics.split(",").filter((id) => id !== "");
    return c.json(await ratingTasks(platform, found, { ...query, metrics: named }), 200);
  })
  .openapi(list("csv"), (c) => send(c, c.req.valid("param").id, "csv"))
  .openapi(list("jsonl"), (c) => send(c, c.req.valid("param").id, "jsonl"));

ratingRoutes.openAPIRegistry.registerPath(add);
ratingRoutes.post("/v1/runs/:id/ratings", raters, async (c) => {
  accepted(await ratedRun(c.var.platform, callerOf(c), c.req.param("id")));
  const body = new Uint8Array(await c.req.arrayBuffer());
  const read = readRatings(c.req.header("content-type") ?? "", body);
  if (!read.ok) {
    const detail = "nothing was stored: the body has invalid ratings";
    return problem(c, "invalid-request", detail, { errors: read.error });
  }
  const added = accepted(
    await addRatings(c.var.platform, callerOf(c), c.req.param("id"), read.value),
  );
  return c.json({ stored: added }, 200);
});
