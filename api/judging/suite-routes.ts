import { createRoute, z } from "@hono/zod-openapi";
import { headlinesOf } from "#shared/contracts/boards/ranking.ts";
import type { Json } from "#shared/contracts/json.ts";
import { runJudgingSchema } from "#shared/contracts/judging/judging.ts";
import { metricSchema } from "#shared/contracts/metric.ts";
import { promptHashOf } from "../boards/board-identity.ts";
import { jsonReply } from "../http/responses.ts";
import { apiRouter, openToAll } from "../http/router.ts";
import { standardJudgingOf } from "./resolve-judging.ts";

const viewSchema = z
  .object({
    id: z.string(),
    label: z.string(),
    purpose: z.string().meta({ description: "question that the table answers" }),
    metrics: z.array(z.string()).meta({ description: "ids of the metrics, in column order" }),
  })
  .meta({ id: "View" });

const suiteSchema = z
  .object({
    id: z.string(),
    version: z.string(),
    label: z.string(),
    question: z.string(),
    headline: z.string().meta({ description: "id of the metric that ranks" }),
    headlines: z.array(z.string()).meta({
      description:
        "ids of the ranking metrics: the headline, then the one for hybrid targets and for answers from several sources, if it differs",
    }),
    metrics: z.array(metricSchema),
    caution: z.object({ text: z.string(), anchor: z.string() }).nullable().meta({
      description:
        "caution for readers of the headline, and the heading of the methodology page that explains it; null: none",
    }),
    views: z.array(viewSchema).meta({ description: "tables of metrics for different purposes" }),
    promptHash: z.string().meta({
      description: "hash of the standard prompt: declare it with answers that were made with it",
    }),
    sweeps: z.record(z.string(), z.string()).meta({
      description: "parameters allowed in `options.sweep`, each with the option that it sets",
    }),
    promptOptions: z.array(z.string()).meta({
      description: "options that are prompts, allowed in `options.prompts`",
    }),
    judging: z.union([runJudgingSchema, z.null()]).meta({
      description:
        "judges of a run with the standard options; null: no judge is called, or none has a key",
    }),
    fieldColumns: z
      .array(z.object({ id: z.string(), description: z.string() }))
      .meta({ description: "columns of a run's fields, after `id` and `repeat` of the sample" }),
    options: z.unknown().meta({ description: "JSON Schema of the suite's options" }),
  })
  .meta({ id: "Suite" });

const list = createRoute({
  method: "get",
  path: "/v1/suites",
  operationId: "listSuites",
  security: openToAll,
  tags: ["Suites"],
  summary: "The suites, their metrics and options",
  responses: {
    200: jsonReply("Suites", z.object({ suites: z.array(suiteSchema) })),
  },
});

export const suiteRoutes = apiRouter().openapi(list, (c) => {
  const suites = c.var.platform.suites.all.map((suite) => ({
    id: suite.id,
    version: suite.version,
    label: suite.label,
    question: suite.question,
    headline: suite.headline,
    headlines: headlinesOf(suite),
    metrics: [...suite.metrics],
    caution: suite.caution ?? null,
    views: (suite.views ?? []).map((view) => ({ ...view, metrics: [...view.metrics] })),
    promptHash: promptHashOf(suite, suite.optionsSchema.parse({})),
    sweeps: suite.sweeps ?? {},
    promptOptions: [...(suite.promptOptions ?? [])],
    judging: standardJudgingOf(c.var.platform.judging, suite),
    fieldColumns: [...suite.fieldTable.columns],
    options: z.toJSONSchema(suite.optionsSchema, { io: "input" }) as Json,
  }));
  return c.json({ suites }, 200);
});
