import { createRoute, z } from "@hono/zod-openapi";
import { nameSchema } from "#shared/contracts/bounds.ts";
import {
  runnerKeySchema,
  runnerNameSchema,
  runnerPollSchema,
  runnerReplyHeadersSchema,
  runnerReplySchema,
  runnerSchema,
  runnerWorkSchema,
  storedReplySchema,
} from "#shared/contracts/submissions/runner.ts";
import { callerOf, requireJson, requireScope } from "../http/require-scope.ts";
import { bodyProblems, jsonBody, jsonReply, problem, problemResponses } from "../http/responses.ts";
import { type AppContext, apiRouter, wantsApiKey } from "../http/router.ts";
import { findWork, registerRunner, runnerView, storeReply } from "./service.ts";

const runners = requireScope("runner", "admin");
const readers = requireScope("runner", "submit", "admin");
const shared = { tags: ["Runners"], security: wantsApiKey };
const params = z.object({ name: runnerNameSchema });

const register = createRoute({
  ...shared,
  middleware: [runners, requireJson] as const,
  method: "put",
  path: "/v1/runners/{name}",
  operationId: "registerRunner",
  summary: "Register a runner of the account, or another key of it",
  description:
    "Needs the scope `runner`. A runner calls endpoints that only its machine reaches. Runners of the same name share their work, each with a key of its own.",
  request: { params, body: jsonBody(runnerKeySchema) },
  responses: {
    200: jsonReply("The runner", runnerSchema),
    ...problemResponses(...bodyProblems, "conflict"),
  },
});

const list = createRoute({
  ...shared,
  middleware: readers,
  method: "get",
  path: "/v1/runners",
  operationId: "listRunners",
  summary: "The account's runners, and when each last asked for work",
  responses: {
    200: jsonReply("The runners", z.object({ runners: z.array(runnerSchema) })),
    ...problemResponses("unauthorized", "forbidden"),
  },
});

const remove = createRoute({
  ...shared,
  middleware: requireScope("submit", "admin"),
  method: "delete",
  path: "/v1/runners/{name}",
  operationId: "deleteRunner",
  summary: "Delete a runner and its keys",
  description:
    "Needs the scope `submit`. Active runs that name it wait until a runner of this name is registered again.",
  request: { params },
  responses: {
    204: { description: "The runner is deleted" },
    ...problemResponses("unauthorized", "forbidden", "invalid-request", "not-found"),
  },
});

const poll = createRoute({
  ...shared,
  middleware: [runners, requireJson] as const,
  method: "post",
  path: "/v1/runners/{name}/requests",
  operationId: "takeRunnerRequests",
  summary: "Take requests that the runner is to send, and renew its leases",
  description:
    "Waits up to `waitMs` for a request. Each is leased for 60 s; a runner that works longer lists it in `holding` at least every 30 s. Without that, another runner of the same name gets it.",
  request: { params, body: jsonBody(runnerPollSchema) },
  responses: {
    200: jsonReply("The requests", runnerWorkSchema),
    ...problemResponses(...bodyProblems, "not-found"),
  },
});

const reply = createRoute({
  ...shared,
  middleware: [runners, requireJson] as const,
  method: "post",
  path: "/v1/runners/{name}/requests/{id}/reply",
  operationId: "replyToRunnerRequest",
  summary: "Send an endpoint's reply, signed by the runner",
  description:
    "The signed text has four lines: `assay-runner-reply`, the request's id, its lease, and the SHA-256 of this body in hex.",
  request: {
    params: params.extend({ id: nameSchema }),
    headers: runnerReplyHeadersSchema,
    body: jsonBody(runnerReplySchema),
  },
  responses: {
    200: jsonReply("The reply is stored", storedReplySchema),
    ...problemResponses(...bodyProblems, "not-found", "conflict"),
  },
});

const idOf = (c: AppContext, name: string) => ({ owner: callerOf(c).owner, name });

const unknown = (c: AppContext, name: string) =>
  problem(
    c,
    "not-found",
    `"${callerOf(c).owner}" has no runner "${name}": register it with PUT /v1/runners/${name}`,
  );

export const runnerRoutes = apiRouter()
  .openapi(register, async (c) => {
    const id = idOf(c, c.req.valid("param").name);
    const made = await registerRunner(c.var.platform, id, c.req.valid("json").publicKey);
    if (!made.ok) return problem(c, "conflict", made.error);
    return c.json(runnerView(made.value), 200);
  })
  .openapi(list, async (c) => {
    const found = await c.var.platform.runners.list(callerOf(c).owner);
    return c.json({ runners: found.map(runnerView) }, 200);
  })
  .openapi(remove, async (c) => {
    const { name } = c.req.valid("param");
    const runner = await c.var.platform.runners.get(idOf(c, name));
    if (runner === null) return unknown(c, name);
    await c.var.platform.runners.remove(runner);
    return c.body(null, 204);
  })
  .openapi(poll, async (c) => {
    const { platform } = c.var;
    const { name } = c.req.valid("param");
    const runner = await platform.runners.get(idOf(c, name));
    if (runner === null) return unknown(c, name);
    const work = await findWork(platform, runner, c.req.valid("json"));
    return c.json(work, 200, { "cache-control": "no-store" });
  })
  .openapi(reply, async (c) => {
    const { name, id } = c.req.valid("param");
    const runner = await c.var.platform.runners.get(idOf(c, name));
    if (runner === null) return unknown(c, name);
    const headers = c.req.valid("header");
    const stored = await storeReply(c.var.platform, runner, {
      id,
      lease: headers["assay-lease"],
      keyId: headers["assay-key-id"],
      signature: headers["assay-signature"],
      text: await c.req.text(),
    });
    return stored.ok
      ? c.json({ stored: true }, 200)
      : problem(c, stored.error.type, stored.error.detail);
  });
