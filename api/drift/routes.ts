import { createRoute, z } from "@hono/zod-openapi";
import { nameSchema } from "#shared/contracts/bounds.ts";
import { datasetNameSchema, datasetRefSchema } from "#shared/contracts/datasets/dataset.ts";
import { datasetTimelineSchema, modelHistorySchema } from "#shared/contracts/drift/drift.ts";
import { canaryReportSchema } from "#shared/contracts/judging/canary.ts";
import { runOptionsSchema, submissionSchema } from "#shared/contracts/submissions/submission.ts";
import { requireJson, requireScope } from "../http/require-scope.ts";
import { bodyProblems, jsonBody, jsonReply, problem, problemResponses } from "../http/responses.ts";
import { apiRouter, openToAll, takesApiKey, wantsApiKey } from "../http/router.ts";
import { submissionView } from "../submissions/submission-view.ts";
import { canaryReport, submitCanaries } from "./canaries.ts";
import { datasetTimeline, modelHistory } from "./series.ts";

const params = z.object({ suite: nameSchema.meta({ example: "memory" }) });
const shared = { tags: ["Suites"] };

const readCanaries = createRoute({
  ...shared,
  method: "get",
  path: "/v1/suites/{suite}/canaries",
  operationId: "getCanaries",
  security: openToAll,
  summary: "Scores of worthless answers from this deployment's judges",
  description:
    "Canaries are answers that say nothing, or that tell the judge to give full marks. Returns the score of the newest run of each canary with the current judges, and its bound; boards whose judges exceed a bound show a warning.",
  request: {
    params,
    query: z.object({
      scoringVersion: nameSchema.optional().meta({
        description: "for runs with other options; default: the version for the standard options",
      }),
    }),
  },
  responses: {
    200: jsonReply("The canaries", canaryReportSchema),
    ...problemResponses("not-found"),
  },
});

const submitCanariesRoute = createRoute({
  ...shared,
  method: "post",
  path: "/v1/suites/{suite}/canaries",
  operationId: "submitCanaries",
  summary: "Have the canaries judged",
  description:
    "Needs the scope `admin`, because the operator pays the judges. Each canary has its own run, which is on no board. Stored judgments are not paid for again. `options` are those of a submission, such as another rubric; `scoringVersion` of such a run then names the report.",
  security: wantsApiKey,
  middleware: [requireScope("admin"), requireJson] as const,
  request: {
    params,
    body: jsonBody(
      z.strictObject({
        dataset: datasetRefSchema.default("stock"),
        options: runOptionsSchema.prefault({}),
      }),
    ),
  },
  responses: {
    202: jsonReply("The submission", submissionSchema),
    ...problemResponses(...bodyProblems, "not-found"),
  },
});

export const canaryRoutes = apiRouter()
  .openapi(readCanaries, async (c) => {
    const { platform } = c.var;
    const { suite: id } = c.req.valid("param");
    const suite = platform.suites.byId(id);
    if (suite?.judging?.canaries === undefined) return problem(c, "not-found", withoutCanaries(id));
    const { scoringVersion } = c.req.valid("query");
    const report = await canaryReport(platform, suite, scoringVersion);
    if (report === null) {
      const detail = `suite "${id}" can't be judged here: the deployment has no key for its judges`;
      return problem(c, "not-found", detail);
    }
    return c.json(report, 200);
  })
  .openapi(submitCanariesRoute, async (c) => {
    const { platform } = c.var;
    const { suite: id } = c.req.valid("param");
    const suite = platform.suites.byId(id);
    if (suite?.judging?.canaries === undefined) return problem(c, "not-found", withoutCanaries(id));
    const { dataset, options } = c.req.valid("json");
    const submitted = await submitCanaries(platform, suite, dataset, options);
    if (!submitted.ok) {
      const errors = submitted.error.kind === "invalid" ? submitted.error.errors : [];
      return problem(c, "invalid-request", "nothing was submitted", { errors });
    }
    const stored = await platform.runs.submission(submitted.value);
    if (stored === null) throw new Error(`submission ${submitted.value} is gone`);
    c.header("location", `/v1/submissions/${submitted.value}`);
    return c.json(submissionView(stored), 202);
  });

const withoutCanaries = (id: string): string =>
  `there is no suite "${id}" with canaries: GET /v1/suites lists the suites`;

const readHistory = createRoute({
  method: "get",
  path: "/v1/models/{owner}/{model}/history",
  operationId: "getModelHistory",
  tags: ["Models"],
  security: openToAll,
  summary: "A model's runs over time, with drift",
  description:
    "Public runs of a model with the same requests, one list for each configuration. Each run of an endpoint is compared with a reference: the first of its list, or the first after the last flagged drift. `eValue` is the evidence of a change, from a test that is valid after every run: a drift is flagged if it is 20 or more and the headline differs by 0.01 or more. `parts` are the causes: the reference's answers are rescored with the current suite and judges.",
  request: {
    params: z.object({
      owner: nameSchema.meta({ example: "demo" }),
      model: nameSchema.meta({ example: "sim-large" }),
    }),
    query: z.object({
      suite: nameSchema
        .optional()
        .meta({ description: "id of the suite; default: all", example: "extraction" }),
      dataset: nameSchema.optional().meta({ description: "name of the dataset; default: all" }),
    }),
  },
  responses: {
    200: jsonReply("The model's score histories", modelHistorySchema),
    ...problemResponses("not-found"),
  },
});

export const modelHistoryRoutes = apiRouter().openapi(readHistory, async (c) => {
  const { owner, model } = c.req.valid("param");
  const slug = `${owner}/${model}`;
  const history = await modelHistory(c.var.platform, slug, c.req.valid("query"));
  if (history !== null) return c.json(history, 200);
  const detail = `no model "${slug}" has a finished public run of an endpoint here`;
  return problem(c, "not-found", detail);
});

const readTimeline = createRoute({
  method: "get",
  path: "/v1/dataset-timeline",
  operationId: "getDatasetTimeline",
  tags: ["Datasets"],
  security: takesApiKey,
  summary: "The versions of a dataset over time, with the scores of models on them",
  description:
    "For datasets that are streams: how each version was drawn, and the runs on them, one list for each model and configuration. `drift` of a point tests the anchor, the samples that every version keeps; `drift.traffic` tests the others, as independent samples. With a key also unlisted versions and runs of its account.",
  request: {
    query: z.object({
      suite: nameSchema.meta({ example: "extraction" }),
      dataset: datasetNameSchema,
    }),
  },
  responses: {
    200: jsonReply("The timeline", datasetTimelineSchema),
    ...problemResponses("not-found", "invalid-request"),
  },
});

export const timelineRoutes = apiRouter().openapi(readTimeline, async (c) => {
  const { platform, account } = c.var;
  const { suite, dataset } = c.req.valid("query");
  const timeline = await datasetTimeline(platform, account, suite, dataset);
  if (timeline !== null) return c.json(timeline, 200);
  const detail = `there is no dataset "${dataset}" of the suite "${suite}", or its versions are unlisted: use a key of its owner's account`;
  return problem(c, "not-found", detail);
});
