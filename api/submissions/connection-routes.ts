import { createRoute } from "@hono/zod-openapi";
import {
  connectionRequestSchema,
  connectionSchema,
} from "#shared/contracts/submissions/connection.ts";
import { requireJson, requireScope } from "../http/require-scope.ts";
import { bodyProblems, jsonBody, jsonReply, problem, problemResponses } from "../http/responses.ts";
import { apiRouter, wantsApiKey } from "../http/router.ts";
import { endpointUrlProblem } from "../security/public-url.ts";
import { testConnection } from "./test-connection.ts";

const test = createRoute({
  method: "post",
  path: "/v1/connections",
  operationId: "testConnection",
  tags: ["Submissions"],
  summary: "Test an endpoint",
  description:
    "Calls an endpoint from the service, as a run would, and says what `assay test-connection` says: whether the key is accepted, the model is listed and answers, and which features it has. Sends about 15 short requests in at most 90 s; without `model`, it only lists the models. Stores nothing; the key is sent to the endpoint and nowhere else.",
  middleware: [requireScope("submit"), requireJson] as const,
  security: wantsApiKey,
  request: { body: jsonBody(connectionRequestSchema) },
  responses: {
    200: jsonReply("The results of the test", connectionSchema),
    ...problemResponses(...bodyProblems),
  },
});

export const connectionRoutes = apiRouter().openapi(test, async (c) => {
  const { platform } = c.var;
  const { endpoint } = c.req.valid("json");
  const detail = endpointUrlProblem(endpoint.baseUrl, platform.settings);
  if (detail !== null) {
    return problem(c, "invalid-request", "nothing was sent: the address is invalid", {
      errors: [{ pointer: "/endpoint/baseUrl", detail }],
    });
  }
  return c.json(await testConnection(platform, endpoint), 200);
});
