import { createRoute, z } from "@hono/zod-openapi";
import { csvFileName } from "#shared/contracts/csv.ts";
import { readableRun } from "../pipeline/runs/readable-run.ts";
import { samplesJsonl } from "../pipeline/runs/samples-jsonl.ts";
import { apiRouter, takesApiKey } from "./api-app.ts";
import { problem, problemResponses } from "./problem-response.ts";

const description = `One line a sample, in order: id, outcome, covered, score, latencyMs, inputTokens, outputTokens, attempts, and the suite's counts and metrics by their own names, as \`assay score --samples\` writes them. Once the raw answers are removed by age, the suite's own are left out`;

const samples = createRoute({
  method: "get",
  path: "/v1/runs/{id}/samples.jsonl",
  operationId: "exportSamplesJsonl",
  security: takesApiKey,
  tags: ["Runs"],
  summary: "A run's samples with their counts and metrics as JSON lines, all of them",
  request: {
    params: z.object({ id: z.string() }),
    query: z.object({
      fields: z
        .enum(["true", "false"])
        .default("false")
        .meta({ description: "with the judgement of every field" }),
    }),
  },
  responses: {
    200: { description, content: { "application/x-ndjson": { schema: z.string() } } },
    ...problemResponses("not-found", "invalid-request"),
  },
});

/** Results for programs. */
export const samplesJsonlRoutes = apiRouter().openapi(samples, async (c) => {
  const { ports, account } = c.var;
  const run = await readableRun(ports, account, c.req.valid("param").id);
  if (!run.ok) return problem(c, run.error.type, run.error.detail);
  const { id, done, status, finishedAt, answersRemovedAt } = run.value;
  const fields = c.req.valid("query").fields === "true";
  // One made here: without it the whole stream would be read to make one.
  const state = [id, status, done, finishedAt ?? 0, answersRemovedAt ?? 0, fields];
  c.header("etag", `W/"${state.join("-")}"`);
  const fileName = csvFileName("assay", id, "samples").replace(/csv$/, "jsonl");
  return c.body(await samplesJsonl(ports, run.value, fields), 200, {
    "content-type": "application/x-ndjson; charset=utf-8",
    "content-disposition": `attachment; filename="${fileName}"`,
  }) as never;
});
