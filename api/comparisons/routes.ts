import { createRoute, z } from "@hono/zod-openapi";
import { bounds } from "#shared/contracts/bounds.ts";
import { comparisonSchema } from "#shared/contracts/comparison.ts";
import { problem, problemResponses } from "../http/problem-response.ts";
import { apiRouter, takesApiKey } from "../http/router.ts";
import { compare, INLINE_SAMPLES, MOST_SAMPLES } from "./compare.ts";

const MIN_RUNS = 2;
const MAX_RUNS = 20;
/** After so long a comparison that is worked out behind the queue may be there, s. */
const AGAIN_SECONDS = "3";

const runsParam = z
  .string({ error: "give the ids of the runs, as ?runs=run_a,run_b" })
  .max(MAX_RUNS * (bounds.name + 2))
  .transform((text) => [...new Set(text.split(",").map((id) => id.trim()))].filter(Boolean).sort())
  .refine((ids) => ids.length >= MIN_RUNS && ids.length <= MAX_RUNS, {
    error: `give ${MIN_RUNS} to ${MAX_RUNS} different runs, separated by commas`,
  })
  .openapi({ type: "string", maxLength: MAX_RUNS * (bounds.name + 2), example: "run_a,run_b" });

const route = createRoute({
  method: "get",
  path: "/v1/compare",
  operationId: "compareRuns",
  security: takesApiKey,
  tags: ["Results"],
  summary: "Compare runs sample by sample",
  description: `${MIN_RUNS} to ${MAX_RUNS} finished runs of one suite, dataset version, scoring version and prompt: differences with intervals, corrected tests, ranks, win rates, frontiers. Samples that a run lacks are left out and counted. Runs stand in the order of their ids, and a difference is that of the earlier less the later. Runs of more than ${INLINE_SAMPLES} samples together answer 202 while they are compared: ask again after \`retry-after\` seconds; ${MOST_SAMPLES} are the most.`,
  request: { query: z.object({ runs: runsParam }) },
  responses: {
    200: {
      description: "The comparison",
      content: { "application/json": { schema: comparisonSchema } },
    },
    202: {
      description: "Being worked out; ask again",
      content: { "application/json": { schema: z.object({ status: z.literal("running") }) } },
    },
    ...problemResponses("invalid-request", "not-found", "not-ready", "conflict", "not-comparable"),
  },
});

/** Comparisons of runs. */
export const compareRoutes = apiRouter().openapi(route, async (c) => {
  const { ports, account } = c.var;
  const compared = await compare(ports, account, c.req.valid("query").runs);
  if (!compared.ok) {
    const { type, detail, ...more } = compared.error;
    return problem(c, type, detail, more);
  }
  if (compared.value !== null) return c.json(compared.value, 200);
  c.header("retry-after", AGAIN_SECONDS);
  return c.json({ status: "running" as const }, 202);
});
