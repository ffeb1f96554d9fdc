import { createRoute, z } from "@hono/zod-openapi";
import { nameSchema } from "#shared/contracts/bounds.ts";
import type { Result } from "#shared/contracts/result.ts";
import {
  newScheduleSchema,
  scheduleDetailSchema,
  scheduleSchema,
} from "#shared/contracts/schedules/schedule.ts";
import { counted } from "#shared/contracts/text/counted.ts";
import {
  idempotencyHeaders,
  keyConflictProblem,
  repeatableRequest,
  replayedHeader,
  replayedHeaders,
} from "../http/idempotency-key.ts";
import { newestFirstQuery, pageOf, pageReply } from "../http/pagination.ts";
import { accepted } from "../http/refusal.ts";
import { callerOf, requireJson, requireScope } from "../http/require-scope.ts";
import {
  bodyProblems,
  jsonBody,
  jsonContent,
  problem,
  problemResponses,
} from "../http/responses.ts";
import { type AppContext, apiRouter, wantsApiKey } from "../http/router.ts";
import { createOnce } from "../platform/idempotency.ts";
import type { ScheduleRecord } from "./schema.ts";
import {
  createSchedule,
  deleteSchedule,
  ownSchedule,
  pauseByOwner,
  resumeByOwner,
  runNow,
  type ScheduleRefusal,
} from "./service.ts";
import { scheduleDetail, scheduleViews } from "./view.ts";

const scope = requireScope("submit", "admin");
const shared = { tags: ["Schedules"], security: wantsApiKey, middleware: scope };
const params = z.object({ id: nameSchema.meta({ example: "sched_01a2b3c4" }) });
const detail = jsonContent(scheduleDetailSchema);

const create = createRoute({
  ...shared,
  method: "post",
  path: "/v1/schedules",
  operationId: "createSchedule",
  summary: "Evaluate a model regularly",
  description:
    "The model is submitted at every tick, with the permissions and the quota of the key that created the schedule, unless the previous run is still active. The endpoint's key is encrypted for the schedule, never shown, and kept until the schedule is deleted. Three consecutive failures pause it. Each run is compared with earlier ones: see `GET /v1/models/{owner}/{model}/history`.",
  middleware: [scope, requireJson] as const,
  request: {
    headers: idempotencyHeaders,
    body: jsonBody(newScheduleSchema),
  },
  responses: {
    201: {
      description: "The schedule",
      headers: replayedHeaders.extend({ location: z.string() }),
      content: detail,
    },
    ...problemResponses(
      ...bodyProblems,
      "conflict",
      "gone",
      "idempotency-key-reused",
      "request-in-progress",
    ),
  },
});

const list = createRoute({
  ...shared,
  method: "get",
  path: "/v1/schedules",
  operationId: "listSchedules",
  summary: "Your schedules, newest first; for admins all",
  request: { query: newestFirstQuery },
  responses: {
    200: pageReply("A page of schedules", "schedules", scheduleSchema),
    ...problemResponses("unauthorized", "forbidden", "invalid-request"),
  },
});

const read = createRoute({
  ...shared,
  method: "get",
  path: "/v1/schedules/{id}",
  operationId: "getSchedule",
  summary: "A schedule with its runs and log",
  request: { params },
  responses: {
    200: { description: "The schedule", content: detail },
    ...problemResponses("unauthorized", "forbidden", "not-found"),
  },
});

const actions = {
  pause: { summary: "Pause a schedule; an active run continues", apply: pauseByOwner },
  resume: {
    summary: "Continue a paused schedule at its next tick, if its API key is still valid",
    apply: resumeByOwner,
  },
  "run-now": { summary: "Start a run now; the next tick does not change", apply: runNow },
} as const;
type Action = keyof typeof actions;

const operationIds: Record<Action, string> = {
  pause: "pauseSchedule",
  resume: "resumeSchedule",
  "run-now": "runScheduleNow",
};

const actionRoute = (action: Action) =>
  createRoute({
    ...shared,
    method: "post",
    path: `/v1/schedules/{id}/${action}`,
    operationId: operationIds[action],
    summary: actions[action].summary,
    request: { params },
    responses: {
      200: { description: "The schedule", content: detail },
      ...problemResponses("unauthorized", "forbidden", "not-found", "conflict"),
    },
  });

const remove = createRoute({
  ...shared,
  method: "delete",
  path: "/v1/schedules/{id}",
  operationId: "deleteSchedule",
  summary: "Delete a schedule and its endpoint's key; its runs are kept",
  request: { params },
  responses: {
    204: { description: "The schedule is deleted" },
    ...problemResponses("unauthorized", "forbidden", "not-found"),
  },
});

export const scheduleRoutes = apiRouter()
  .openapi(create, async (c) => {
    const { platform } = c.var;
    const account = callerOf(c);
    const wanted = c.req.valid("json");
    const outcome = await createOnce(platform, await repeatableRequest(c, account.owner), {
      idPrefix: "sched",
      find: (id) => platform.schedules.get(id),
      create: (id) => createSchedule(platform, account, wanted, id),
    });
    if (outcome.kind === "refused") {
      if (typeof outcome.error === "string") return problem(c, "conflict", outcome.error);
      const what = `nothing was stored: ${counted(outcome.error.length, "invalid field")}`;
      return problem(c, "invalid-request", what, { errors: outcome.error });
    }
    if (!("value" in outcome)) return keyConflictProblem(c, outcome);
    if (outcome.kind === "replayed") c.header(replayedHeader, "true");
    const location = `/v1/schedules/${outcome.value.id}`;
    return c.json(await scheduleDetail(platform, outcome.value), 201, { location });
  })
  .openapi(list, async (c) => {
    const { platform } = c.var;
    const { owner, scopes } = callerOf(c);
    const { cursor: after = null, limit } = c.req.valid("query");
    const whose = scopes.includes("admin") ? null : owner;
    const found = await platform.schedules.list(whose, { after, limit: limit + 1 });
    const { items, nextCursor } = pageOf(found, limit, ({ createdAt, id }) => [createdAt, id]);
    return c.json({ schedules: await scheduleViews(platform, items), nextCursor }, 200);
  })
  .openapi(read, async (c) => {
    const { platform } = c.var;
    return answer(c, await ownSchedule(platform, callerOf(c), c.req.valid("param").id));
  })
  .openapi(remove, async (c) => {
    accepted(await deleteSchedule(c.var.platform, callerOf(c), c.req.valid("param").id));
    return c.body(null, 204);
  });

for (const action of Object.keys(actions) as Action[]) {
  scheduleRoutes.openapi(actionRoute(action), async (c) => {
    const { id } = c.req.valid("param");
    return answer(c, await actions[action].apply(c.var.platform, callerOf(c), id));
  });
}

async function answer(c: AppContext, found: Result<ScheduleRecord, ScheduleRefusal>) {
  return c.json(await scheduleDetail(c.var.platform, accepted(found)), 200);
}
