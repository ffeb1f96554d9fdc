import { createRoute, z } from "@hono/zod-openapi";
import { nameSchema } from "#shared/contracts/bounds.ts";
import { sweepSchema } from "#shared/contracts/sweep.ts";
import { problem, problemResponses } from "../http/problem-response.ts";
import { apiRouter, takesApiKey } from "../http/router.ts";
import { INLINE_SAMPLES, MOST_SAMPLES } from "./variant-tests.ts";
import { readSweep } from "./variants.ts";

/** After so long tests that are worked out behind the queue may be there, s. */
const AGAIN_SECONDS = "3";

const route = createRoute({
  method: "get",
  path: "/v1/submissions/{id}/sweep",
  operationId: "getSweep",
  security: takesApiKey,
  tags: ["Submissions"],
  summary: "The variants of a sweep, compared",
  description: `By model: each variant's metrics with intervals, tests of every variant against the leading one on the same samples (paired t-test and Wilcoxon's, corrected by Holm over the variants), the best variant where every other is significantly worse, and means by each pair of parameters for heat maps. 409 with \`retry-after\` while a run has not ended. Runs of more than ${INLINE_SAMPLES} samples together answer 202 while they are tested; of more than ${MOST_SAMPLES} samples of one model's variants there are no tests. Variants that failed, were cancelled, have a coverage below 95%, or whose endpoint refused a swept parameter are shown and left out of tests and maps.`,
  request: { params: z.object({ id: nameSchema }) },
  responses: {
    200: { description: "The sweep", content: { "application/json": { schema: sweepSchema } } },
    202: {
      description: "Being worked out; ask again",
      content: { "application/json": { schema: z.object({ status: z.literal("running") }) } },
    },
    ...problemResponses("not-found", "not-ready"),
  },
});

/** Sweeps of parameters. */
export const sweepRoutes = apiRouter().openapi(route, async (c) => {
  const { ports, account } = c.var;
  const found = await readSweep(ports, account, c.req.valid("param").id);
  if (!found.ok) {
    const { error } = found;
    if (error.type === "not-ready") c.header("retry-after", `${error.retryAfterSeconds}`);
    return problem(c, error.type, error.detail);
  }
  if (found.value !== null) return c.json(found.value, 200);
  c.header("retry-after", AGAIN_SECONDS);
  return c.json({ status: "running" as const }, 202);
});
