import { createRoute, z } from "@hono/zod-openapi";
import { nameSchema } from "#shared/contracts/bounds.ts";
import { modelHistorySchema } from "#shared/contracts/drift.ts";
import { problem, problemResponses } from "../http/problem-response.ts";
import { apiRouter, openToAll } from "../http/router.ts";
import { modelHistory } from "./model-history.ts";

const read = createRoute({
  method: "get",
  path: "/v1/models/{owner}/{model}/history",
  operationId: "getModelHistory",
  tags: ["Models"],
  security: openToAll,
  summary: "A model's runs over time, with drift",
  description:
    "Public runs that asked the same of a model, one list for each way of asking. Each run of an endpoint is held against a reference: the first of its list, or the one after a drift was flagged last. `eValue` is evidence against no change, of a test that may be looked at after every run: from 20 on, and where the headline differs by 0.01 or more, a drift is flagged. `parts` say what it is put to: answers of the reference are scored anew by the suite and the judges of today.",
  request: {
    params: z.object({
      owner: nameSchema.meta({ example: "demo" }),
      model: nameSchema.meta({ example: "sim-large" }),
    }),
    query: z.object({
      suite: nameSchema.optional().meta({ description: "default: all", example: "extraction" }),
      dataset: nameSchema.optional().meta({ description: "by name; default: all" }),
    }),
  },
  responses: {
    200: {
      description: "The histories",
      content: { "application/json": { schema: modelHistorySchema } },
    },
    ...problemResponses("not-found"),
  },
});

/** Histories of models. */
export const modelHistoryRoutes = apiRouter().openapi(read, async (c) => {
  const { owner, model } = c.req.valid("param");
  const slug = `${owner}/${model}`;
  const history = await modelHistory(c.var.ports, slug, c.req.valid("query"));
  if (history !== null) return c.json(history, 200);
  const detail = `no model "${slug}" has a finished public run of an endpoint here`;
  return problem(c, "not-found", detail);
});
