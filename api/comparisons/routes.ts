import { createRoute, z } from "@hono/zod-openapi";
import { comparisonSchema } from "#shared/contracts/boards/comparison.ts";
import { bounds, nameSchema } from "#shared/contracts/bounds.ts";
import { sweepSchema } from "#shared/contracts/submissions/sweep.ts";
import { readMargins, withMargins } from "#shared/measures/comparison/margin-tests.ts";
import { jsonReply } from "../http/json-content.ts";
import { problem, problemResponses } from "../http/problem-response.ts";
import { apiRouter, takesApiKey } from "../http/router.ts";
import { compare, INLINE_SAMPLES, MOST_SAMPLES } from "./compare.ts";
import { INLINE_VARIANT_SAMPLES, MOST_VARIANT_SAMPLES } from "./variant-tests.ts";
import { readVariants } from "./variants.ts";

const MIN_RUNS = 2;
const MAX_RUNS = 20;
/** Seconds until the client should poll for a result of the queue. */
const AGAIN_SECONDS = "3";

const runsParam = z
  .string({ error: "give the ids of the runs, as ?runs=run_a,run_b" })
  .max(MAX_RUNS * (bounds.name + 2))
  .transform((text) => [...new Set(text.split(",").map((id) => id.trim()))].filter(Boolean).sort())
  .refine((ids) => ids.length >= MIN_RUNS && ids.length <= MAX_RUNS, {
    error: `give ${MIN_RUNS} to ${MAX_RUNS} different runs, separated by commas`,
  })
  .openapi({ type: "string", maxLength: MAX_RUNS * (bounds.name + 2), example: "run_a,run_b" });

const marginParam = z
  .string()
  .max(1_000)
  .transform((text, context) => {
    const margins = readMargins(text);
    if (margins.ok) return margins.value;
    context.addIssue(margins.error);
    return z.NEVER;
  })
  .openapi({
    type: "string",
    maxLength: 1_000,
    example: "eqs:0.02",
    description:
      "tests whether runs are the same within a margin, or one no worse by it, by metric: `margin` of the metric's comparison",
  });

const compareRuns = createRoute({
  method: "get",
  path: "/v1/compare",
  operationId: "compareRuns",
  security: takesApiKey,
  tags: ["Results"],
  summary: "Compare runs sample by sample",
  description: `${MIN_RUNS} to ${MAX_RUNS} finished runs with the same suite, dataset version, scoring version and prompt: differences with intervals, corrected tests, ranks, win rates, frontiers. Samples missing in a run are omitted and counted. Runs are ordered by id, and a difference is the earlier run minus the later one. For more than ${INLINE_SAMPLES} samples in all runs, it returns 202 while they are compared: ask again after \`retry-after\` seconds. The maximum is ${MOST_SAMPLES}.`,
  request: { query: z.object({ runs: runsParam, margin: marginParam.optional() }) },
  responses: {
    200: jsonReply("The comparison", comparisonSchema),
    202: jsonReply("Not computed yet; ask again", z.object({ status: z.literal("running") })),
    ...problemResponses("invalid-request", "not-found", "not-ready", "conflict", "not-comparable"),
  },
});

/** Comparisons of runs. */
export const compareRoutes = apiRouter().openapi(compareRuns, async (c) => {
  const { platform, account } = c.var;
  const { runs, margin: margins = new Map() } = c.req.valid("query");
  const compared = await compare(platform, account, runs);
  if (!compared.ok) {
    const { type, detail, ...more } = compared.error;
    return problem(c, type, detail, more);
  }
  if (compared.value !== null) {
    const suite = platform.suites.byId(compared.value.suite);
    const tested = withMargins(compared.value, margins, suite?.metrics ?? []);
    if (tested.ok) return c.json(tested.value, 200);
    return problem(c, "invalid-request", `margin: ${tested.error}`);
  }
  c.header("retry-after", AGAIN_SECONDS);
  return c.json({ status: "running" as const }, 202);
});

const variantsRoute = createRoute({
  method: "get",
  path: "/v1/submissions/{id}/sweep",
  operationId: "getSweep",
  security: takesApiKey,
  tags: ["Submissions"],
  summary: "The variants of a sweep, compared",
  description: `For each model: the metrics of each variant with intervals, tests of each variant against the leading one on the same samples (paired t-test and Wilcoxon's, corrected by Holm over the variants), the best variant if every other is significantly worse, and means for each pair of parameters. Returns 409 with \`retry-after\` while a run has not ended. For more than ${INLINE_VARIANT_SAMPLES} samples in all runs, it returns 202 while the tests are computed; for more than ${MOST_VARIANT_SAMPLES} samples of one model's variants there are no tests. Variants that failed, were cancelled, have a coverage below 95%, or whose endpoint rejected a swept parameter are shown but excluded from tests and maps.`,
  request: { params: z.object({ id: nameSchema }) },
  responses: {
    200: jsonReply("The sweep", sweepSchema),
    202: jsonReply("Not computed yet; ask again", z.object({ status: z.literal("running") })),
    ...problemResponses("not-found", "not-ready"),
  },
});

/** Sweeps of parameters. */
export const sweepRoutes = apiRouter().openapi(variantsRoute, async (c) => {
  const { platform, account } = c.var;
  const found = await readVariants(platform, account, c.req.valid("param").id);
  if (!found.ok) {
    const { error } = found;
    if (error.type === "not-ready") c.header("retry-after", `${error.retryAfterSeconds}`);
    return problem(c, error.type, error.detail);
  }
  if (found.value !== null) return c.json(found.value, 200);
  c.header("retry-after", AGAIN_SECONDS);
  return c.json({ status: "running" as const }, 202);
});
