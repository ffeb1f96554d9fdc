import { createRoute, z } from "@hono/zod-openapi";
import { nameSchema } from "#shared/contracts/bounds.ts";
import { bridgeSchema } from "#shared/contracts/judging/bridge.ts";
import { judgeModelsSchema } from "#shared/contracts/judging/judge-model.ts";
import { rescoreRequestSchema } from "#shared/contracts/submissions/run-requests.ts";
import { accepted } from "../http/refusal.ts";
import { requireJsonIfAny, requireScope } from "../http/require-scope.ts";
import {
  bodyProblems,
  jsonReply,
  optionalJsonBody,
  problem,
  problemResponses,
} from "../http/responses.ts";
import { apiRouter, openToAll, wantsApiKey } from "../http/router.ts";
import { bridgeView, startBridge } from "./bridge.ts";

const tags = ["Judges"];

const models = createRoute({
  method: "get",
  path: "/v1/judges",
  operationId: "listJudges",
  tags,
  security: openToAll,
  summary: "The models that judge, and how long they are offered",
  description:
    "Once a day, the service reads the lists of models of its judges' providers. A judge that is gone or ends within 60 days has a `warning`, which boards show, too; a webhook can receive it (`judge.ending`).",
  responses: { 200: jsonReply("The judges", judgeModelsSchema) },
});

const start = createRoute({
  method: "post",
  path: "/v1/boards/{id}/bridges",
  operationId: "startBridge",
  tags,
  summary: "Have stored answers of a board judged by other judges",
  description:
    "`options` name the new judges, by default the current ones of the deployment. `bridges` of the board then shows how much each metric shifts on the same answers. Calls no model under test. Then re-publish the board with the new judges: judgments of the bridge are not requested again.",
  middleware: [requireScope("admin"), requireJsonIfAny] as const,
  security: wantsApiKey,
  request: { params: z.object({ id: nameSchema }), body: optionalJsonBody(rescoreRequestSchema) },
  responses: {
    202: jsonReply("The bridge; judging has started", bridgeSchema),
    ...problemResponses(...bodyProblems, "not-found", "conflict"),
  },
});

export const judgeRoutes = apiRouter()
  .openapi(models, async (c) => {
    return c.json({ judges: await c.var.platform.judges.models() }, 200);
  })
  .openapi(start, async (c) => {
    const { platform } = c.var;
    const { id } = c.req.valid("param");
    const board = await platform.boards.get(id);
    if (board === null) return problem(c, "not-found", `there is no board "${id}"`);
    const started = accepted(await startBridge(platform, board, c.req.valid("json")));
    return c.json(bridgeView(started), 202);
  });
