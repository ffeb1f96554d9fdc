import { createRoute, z } from "@hono/zod-openapi";
import { bounds, nameSchema } from "#shared/contracts/bounds.ts";
import { samplePageSchema, sampleResultSchema, sampleRowSchema } from "#shared/contracts/run.ts";
import { sampleReportSchema } from "#shared/contracts/run-report.ts";
import { accepted } from "../http/refusal.ts";
import { jsonReply, problemResponses } from "../http/responses.ts";
import { apiRouter, takesApiKey } from "../http/router.ts";
import { readableSamples } from "../runs/access.ts";
import { sampleResult } from "../runs/samples.ts";
import { sampleReport } from "./sample-report.ts";
import { MOST_LOOKED_AT, type SampleSearch } from "./search-problems.ts";
import { MOST_SEARCHED, searchSamples } from "./search-samples.ts";

const params = z.object({ id: nameSchema });
const ofSample = {
  params: params.extend({ sampleId: nameSchema }),
  query: z.object({ repeat: z.coerce.number().int().min(0).default(0) }),
};
const shared = { method: "get" as const, security: takesApiKey, tags: ["Runs"] };

const flag = z.enum(["true", "false"]).optional();
const wordOf = (description: string, most: number = bounds.name) =>
  z.string().min(1).max(most).optional().meta({ description });
const score = (description: string) => z.coerce.number().optional().meta({ description });

const listQuery = z.object({
  cursor: z.coerce.number({ error: "must be a nextCursor of this list" }).int().min(0).optional(),
  direction: z.enum(["after", "before"]).default("after").meta({
    description: "before: the samples before the cursor, the nearest first",
  }),
  limit: z.coerce.number().int().min(1).max(500).default(100),
  order: z.enum(["seq", "score", "latest"]).default("seq"),
  look: flag.meta({
    description: "with each answer at a glance: listed metrics, wrong parts, first error",
  }),
  status: sampleRowSchema.shape.status
    .optional()
    .meta({ description: "only samples with this status" }),
  covered: flag.meta({
    description: "only samples whose request was answered, or only those that failed",
  }),
  error: wordOf("only samples whose request failed with this error class"),
  min: score("only samples with this score or a higher one"),
  max: score("only samples with this score or a lower one"),
  id: wordOf("only this sample, with all repeats; other filters of rows do not apply"),
  tag: wordOf(
    "only samples with this tag and value, `domain:law`; without a value, all that have the tag",
    2 * bounds.name + 1,
  ),
  path: wordOf(
    "only samples with a judged part at this place, without indices; `*` matches any characters",
    bounds.fieldName,
  ),
  verdict: wordOf(
    "only samples with a part of this verdict (`wrong`: any that is not right), or whose answer does not count for this reason (`off_schema`)",
  ),
  pattern: wordOf("only samples with a part of this error pattern"),
  judge: wordOf("only samples with a part that this model judged"),
  text: wordOf("only samples with this text in id, question, answer or expected answer"),
});

const list = createRoute({
  path: "/v1/runs/{id}/samples",
  operationId: "listSamples",
  ...shared,
  summary: "A run's samples, page by page",
  description: `In the order of the run, by score (lowest first, samples without a score last) or the latest answer first. Sorting and filters of rows read every row of a run, so they are rejected for runs of more than ${MOST_LOOKED_AT} samples; use \`samples.csv\` instead. \`path\`, \`verdict\`, \`pattern\` and \`judge\` must hold for one part of the answer. They and \`text\` read answers, at most ${MOST_SEARCHED} per page: follow \`nextCursor\` even if a page is empty. Use the same parameters for every page.`,
  request: { params, query: listQuery },
  responses: {
    200: jsonReply("A page of samples", samplePageSchema),
    ...problemResponses("not-found", "forbidden", "gone", "invalid-request"),
  },
});

const read = createRoute({
  path: "/v1/runs/{id}/samples/{sampleId}",
  operationId: "getSample",
  ...shared,
  summary: "One sample: the row, the answer, the scoring field by field",
  request: ofSample,
  responses: {
    200: jsonReply("The sample", sampleResultSchema),
    ...problemResponses("not-found", "forbidden", "not-ready", "gone", "invalid-request"),
  },
});

const readReport = createRoute({
  path: "/v1/runs/{id}/samples/{sampleId}/report",
  operationId: "getSampleReport",
  ...shared,
  summary: "One sample as blocks of its report",
  request: ofSample,
  responses: {
    200: jsonReply("The sample", sampleReportSchema),
    ...problemResponses("not-found", "forbidden", "not-ready", "gone", "invalid-request"),
  },
});

type Query = z.infer<typeof listQuery>;

const isTrue = (value: "true" | "false" | undefined): boolean | null =>
  value === undefined ? null : value === "true";

function searchOf({ cursor, direction, look, covered, ...query }: Query): SampleSearch {
  const { status, error, min, max, id, tag, path, verdict, pattern, judge, text } = query;
  const filters = { status, error, min, max, id, tag, path, verdict, pattern, judge, text };
  const given = Object.entries(filters).map(([name, value]) => [name, value ?? null]);
  return {
    ...(Object.fromEntries(given) as Pick<SampleSearch, keyof typeof filters>),
    order: query.order,
    limit: query.limit,
    after: cursor ?? null,
    isBackwards: direction === "before",
    covered: isTrue(covered),
    hasLook: look === "true",
  };
}

export const sampleRoutes = apiRouter()
  .openapi(list, async (c) => {
    const { account, platform } = c.var;
    const run = accepted(await readableSamples(platform, account, c.req.valid("param").id));
    return c.json(
      accepted(await searchSamples(platform, run, searchOf(c.req.valid("query")))),
      200,
    );
  })
  .openapi(read, async (c) => {
    const { id, sampleId } = c.req.valid("param");
    const { account, platform } = c.var;
    const run = accepted(await readableSamples(platform, account, id));
    const found = accepted(
      await sampleResult(platform, run, sampleId, c.req.valid("query").repeat),
    );
    return c.json(found, 200);
  })
  .openapi(readReport, async (c) => {
    const { id, sampleId } = c.req.valid("param");
    const { account, platform } = c.var;
    const run = accepted(await readableSamples(platform, account, id));
    const found = accepted(
      await sampleReport(platform, run, sampleId, c.req.valid("query").repeat),
    );
    return c.json(found, 200);
  });
