import { createRoute, z } from "@hono/zod-openapi";
import { comparisonSchema } from "#shared/contracts/boards/comparison.ts";
import { judgingStudySchema } from "#shared/contracts/boards/judging-study.ts";
import { bounds, nameSchema } from "#shared/contracts/bounds.ts";
import { sweepSchema } from "#shared/contracts/submissions/sweep.ts";
import { readMargins, withMargins } from "#shared/measures/comparison/margin-tests.ts";
import { jsonReply, problem, problemResponses } from "../http/responses.ts";
import { apiRouter, takesApiKey } from "../http/router.ts";
import { planLimits } from "../platform/platform.ts";
import { compare, INLINE_SAMPLES } from "./compare.ts";
import { studyJudgings } from "./judgings.ts";
import { INLINE_VARIANT_SAMPLES } from "./variant-tests.ts";
import { readVariants } from "./variants.ts";

const MIN_RUNS = 2;
const MAX_RUNS = 20;
const { comparedSamples: MOST_SAMPLES } = planLimits.paid;
/** Seconds until the client should poll for a result from the queue. */
const AGAIN_SECONDS = "3";

/** A query parameter with distinct ids, separated by commas. */
const idsParam = (things: string, example: string) =>
  z
    .string({ error: `give the ids of the ${things}, as ?${things}=${example}` })
    .max(MAX_RUNS * (bounds.name + 2))
    .transform((text) => [...new Set(text.split(",").map((id) => id.trim()))].filter(Boolean))
    .refine((ids) => ids.length >= MIN_RUNS && ids.length <= MAX_RUNS, {
      error: `give ${MIN_RUNS} to ${MAX_RUNS} different ${things}, separated by commas`,
    })
    .openapi({ type: "string", maxLength: MAX_RUNS * (bounds.name + 2), example });

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
  description: `${MIN_RUNS} to ${MAX_RUNS} finished runs with the same suite, dataset version, scoring version and prompt: differences with intervals, corrected tests, ranks, win rates, frontiers. Samples missing in a run are omitted and counted. Runs are ordered by id, and a difference is the earlier run minus the later one. For more than ${INLINE_SAMPLES} samples in all runs, it returns 202 while they are compared: ask again after \`retry-after\` seconds. The maximum is ${MOST_SAMPLES}, and ${planLimits.free.comparedSamples} on Cloudflare's Free plan.`,
  request: {
    query: z.object({ runs: idsParam("runs", "run_a,run_b"), margin: marginParam.optional() }),
  },
  responses: {
    200: jsonReply("The comparison", comparisonSchema),
    202: jsonReply("Not computed yet; ask again", z.object({ status: z.literal("running") })),
    ...problemResponses("invalid-request", "not-found", "not-ready", "conflict", "not-comparable"),
  },
});

const judgingsRoute = createRoute({
  method: "get",
  path: "/v1/judgings",
  operationId: "studyJudgings",
  security: takesApiKey,
  tags: ["Results"],
  summary: "How much the judging decides",
  description: `Ranks of models in several judgings of the same answers, and the shares of their variance. Give one submission for each model: those of \`POST /v1/runs/{id}/rescore\` with \`judgings\`. Judgings that are not finished for every model are left out. At most ${MOST_SAMPLES} samples in all runs.`,
  request: { query: z.object({ submissions: idsParam("submissions", "sub_a,sub_b") }) },
  responses: {
    200: jsonReply("Ranks in each judging", judgingStudySchema),
    ...problemResponses("invalid-request", "not-found", "not-ready", "conflict", "not-comparable"),
  },
});

export const judgingRoutes = apiRouter().openapi(judgingsRoute, async (c) => {
  const { platform, account } = c.var;
  const study = await studyJudgings(platform, account, c.req.valid("query").submissions);
  if (study.ok) return c.json(study.value, 200);
  const { type, detail, ...more } = study.error;
  return problem(c, type, detail, more);
});

export const compareRoutes = apiRouter().openapi(compareRuns, async (c) => {
  const { platform, account } = c.var;
  const { runs, margin: margins = new Map() } = c.req.valid("query");
  const compared = await compare(platform, account, [...runs].sort());
  if (!compared.ok) {
    const { type, detail, ...more } = compared.error;
    return problem(c, type, detail, more);
  }
  if (compared.value !== null) {
    const suite = platform.suites.byId(compared.value.suite);
    const { ownMetrics: own = [] } = compared.value;
    const tested = withMargins(compared.value, margins, [...own, ...(suite?.metrics ?? [])]);
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
  description: `For each model: the metrics of each variant with intervals, tests of each variant against the leading one on the same samples (paired t-test and Wilcoxon's, corrected by Holm over the variants), the best variant if every other is significantly worse, and means for each pair of parameters. Returns 409 with \`retry-after\` while a run has not ended. For more than ${INLINE_VARIANT_SAMPLES} samples in all runs, it returns 202 while the tests are computed; for more than ${MOST_SAMPLES} samples of one model's variants (${planLimits.free.comparedSamples} on Cloudflare's Free plan) there are no tests. Variants that failed, were cancelled, have a coverage below 95%, or whose endpoint rejected a swept parameter are shown but excluded from tests and maps.`,
  request: { params: z.object({ id: nameSchema }) },
  responses: {
    200: jsonReply("The sweep", sweepSchema),
    202: jsonReply("Not computed yet; ask again", z.object({ status: z.literal("running") })),
    ...problemResponses("not-found", "not-ready"),
  },
});

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
