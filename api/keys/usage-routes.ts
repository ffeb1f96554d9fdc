import { createRoute } from "@hono/zod-openapi";
import { usageSchema } from "#shared/contracts/usage.ts";
import { problem, problemResponses } from "../http/problem-response.ts";
import { requireScope } from "../http/require-scope.ts";
import { apiRouter, wantsApiKey } from "../http/router.ts";
import { usageOf } from "./quota.ts";

const read = createRoute({
  method: "get",
  path: "/v1/usage",
  operationId: "getUsage",
  tags: ["Keys"],
  summary: "What the calling key has used of today's samples, and its account of other limits",
  description:
    "Every sample that is evaluated counts once. A submission is counted when it is accepted (samples × repeats × models, with a sweep × variants), and so is scoring a run anew. What a cancelled or failed run did not get, and samples lost on our side, are given back when the run ends; answers that were under way then count when they are in, and what a retry asks again of it counts again.",
  middleware: requireScope("submit"),
  security: wantsApiKey,
  responses: {
    200: { description: "Today", content: { "application/json": { schema: usageSchema } } },
    ...problemResponses("unauthorized", "forbidden"),
  },
});

/** The calling key's daily quota. */
export const usageRoutes = apiRouter().openapi(read, async (c) => {
  const { account, ports } = c.var;
  if (account === null) return problem(c, "unauthorized", "send an API key");
  return c.json(await usageOf(ports, account), 200);
});
