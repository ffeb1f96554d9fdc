import { createRoute, z } from "@hono/zod-openapi";
import { nameSchema } from "#shared/contracts/bounds.ts";
import { reasonQuery } from "#shared/contracts/operator/audit.ts";
import { runSchema } from "#shared/contracts/run.ts";
import {
  hideRequestSchema,
  type ResumeRequest,
  resumeRequestSchema,
  visibilityChangeSchema,
  visibilityRequestSchema,
} from "#shared/contracts/submissions/run-requests.ts";
import { withPlannedTest } from "../comparisons/planned-test.ts";
import { noteAction } from "../http/record-actions.ts";
import { accepted } from "../http/refusal.ts";
import { callerOf, requireJson, requireJsonIfAny, requireScope } from "../http/require-scope.ts";
import {
  bodyProblems,
  jsonBody,
  jsonReply,
  optionalJsonBody,
  problem,
  problemResponses,
} from "../http/responses.ts";
import { type AppContext, apiRouter, takesApiKey, wantsApiKey } from "../http/router.ts";
import { readerOf } from "../keys/account.ts";
import { changeVisibility, planVisibility } from "../publication/change-visibility.ts";
import { readableRun } from "./access.ts";
import { pollAfterSeconds } from "./run-progress.ts";
import { controlRun, deleteRun, hideRun, type RunAction } from "./service.ts";
import { runView, wholeRun } from "./view.ts";

const params = z.object({ id: nameSchema });
const shared = { method: "post" as const, tags: ["Runs"], security: wantsApiKey };
const run = { 200: jsonReply("The run", runSchema) };

const hide = createRoute({
  ...shared,
  path: "/v1/runs/{id}/hide",
  operationId: "hideRun",
  summary: "Hide a run from everyone except its owner",
  description:
    "Needs the scope `admin`. Only admins and its owner, who sees the reason, can read the run. It is removed from boards, snapshot and badge, and from the site with the next build. Runs that rescored its answers are hidden too, except those already hidden.",
  middleware: [requireScope("admin"), requireJson] as const,
  request: {
    params,
    body: jsonBody(hideRequestSchema),
  },
  responses: {
    ...run,
    ...problemResponses(...bodyProblems, "not-found"),
  },
});

const unhide = createRoute({
  ...shared,
  path: "/v1/runs/{id}/unhide",
  operationId: "unhideRun",
  summary: "Show a hidden run again",
  description:
    "Needs the scope `admin`. The run returns to its board, and so do the runs that rescored its answers and were hidden for the same reason. A run that rescored the answers of a hidden run cannot be shown alone.",
  middleware: requireScope("admin"),
  request: { params, query: reasonQuery },
  responses: { ...run, ...problemResponses("unauthorized", "forbidden", "not-found", "conflict") },
});

export const moderationRoutes = apiRouter()
  .openapi(hide, async (c) => {
    const { platform } = c.var;
    const { id: target } = c.req.valid("param");
    const { reason } = c.req.valid("json");
    const before = await visibilityOf(c, target);
    const noted = { action: "run.hide", target, reason, before, after: { hidden: reason } };
    const hidden = accepted(await hideRun(platform, target, reason, noteAction(c, noted)));
    return c.json(runView(hidden, platform.now()), 200);
  })
  .openapi(unhide, async (c) => {
    const { platform } = c.var;
    const { id: target } = c.req.valid("param");
    const before = await visibilityOf(c, target);
    const noted = { action: "run.unhide", target, before, after: { hidden: null } };
    const shown = accepted(await hideRun(platform, target, null, noteAction(c, noted)));
    return c.json(runView(shown, platform.now()), 200);
  });

const visibilityOf = async ({ var: { platform } }: AppContext, id: string) => ({
  hidden: (await platform.runs.get(id))?.hiddenReason ?? null,
});

const read = { method: "get" as const, security: takesApiKey, tags: ["Runs"] };

const readRun = createRoute({
  path: "/v1/runs/{id}",
  operationId: "getRun",
  ...read,
  summary: "A run: status, progress, metrics with intervals",
  request: { params },
  responses: {
    ...run,
    ...problemResponses("not-found"),
  },
});

export const runRoutes = apiRouter().openapi(readRun, async (c) => {
  const { id } = c.req.valid("param");
  const { account, platform } = c.var;
  const found = accepted(await readableRun(platform, account, id));
  const pollAfter = pollAfterSeconds(found, platform.now());
  if (pollAfter !== null) c.header("retry-after", `${pollAfter}`);
  const run = await wholeRun(platform, found, account);
  return c.json(await withPlannedTest(platform, found, run, readerOf(account)), 200);
});

const summaries: Record<RunAction, string> = {
  cancel: "Cancel a run; its answers are kept",
  pause: "Pause a run; requests in flight are completed",
  resume: "Continue a paused run",
};

const routeOf = (action: RunAction) =>
  createRoute({
    method: "post",
    path: `/v1/runs/{id}/${action}`,
    operationId: `${action}Run`,
    tags: ["Runs"],
    summary: summaries[action],
    middleware: requireScope("submit"),
    security: wantsApiKey,
    request: { params },
    responses: {
      ...run,
      ...problemResponses("unauthorized", "forbidden", "not-found", "conflict"),
    },
  });

const resume = createRoute({
  ...routeOf("resume"),
  description:
    "A run that paused because `maxCostUsd` was reached needs a higher limit, or `null` for no limit; the response shows the amount spent.",
  middleware: [requireScope("submit"), requireJsonIfAny] as const,
  request: {
    params,
    body: optionalJsonBody(resumeRequestSchema),
  },
  responses: {
    ...routeOf("resume").responses,
    ...problemResponses("invalid-request", "malformed-json", "unsupported-media-type"),
  },
});

/** Actions on a run that has not ended. */
export const runActionRoutes = apiRouter();

for (const action of ["cancel", "pause"] as const) {
  runActionRoutes.openapi(routeOf(action), (c) => act(c, c.req.valid("param").id, action));
}
runActionRoutes.openapi(resume, (c) =>
  act(c, c.req.valid("param").id, "resume", c.req.valid("json")),
);

async function act(c: AppContext, id: string, action: RunAction, request?: ResumeRequest) {
  const { account, platform } = c.var;
  if (account === null) return problem(c, "unauthorized", "send an API key");
  const changed = accepted(await controlRun(platform, account, id, action, request));
  return c.json(runView(changed, platform.now()), 200);
}

const change = createRoute({
  method: "patch",
  path: "/v1/runs/{id}",
  operationId: "updateRun",
  tags: ["Runs"],
  summary: "Make a run public, unlisted or private",
  description:
    "For its owner and admins. `dryRun=true` says what others would see, and changes nothing. A private run takes the runs that scored its answers again with it, leaves boards, badges, lists and exports at once, and the site with its next build. One that was private has a note about it.",
  middleware: [requireScope("submit", "admin"), requireJson] as const,
  security: wantsApiKey,
  request: {
    params,
    query: z.object({ dryRun: z.enum(["true", "false"]).default("false") }),
    body: jsonBody(visibilityRequestSchema),
  },
  responses: {
    200: jsonReply(
      "The run; with `dryRun=true`: what would change",
      z.union([runSchema, visibilityChangeSchema]),
    ),
    ...problemResponses(...bodyProblems, "not-found", "conflict"),
  },
});

export const changeRoutes = apiRouter().openapi(change, async (c) => {
  const { platform } = c.var;
  const { id: target } = c.req.valid("param");
  const after = c.req.valid("json");
  const given = [callerOf(c), target, after.visibility] as const;
  if (c.req.valid("query").dryRun === "true") {
    return c.json(accepted(await planVisibility(platform, ...given)).change, 200);
  }
  const before = await visibilityOf(c, target);
  const entry = noteAction(c, { action: "run.visibility", target, before, after });
  const changed = accepted(await changeVisibility(platform, ...given, entry));
  return c.json(runView(changed, platform.now()), 200);
});

const remove = createRoute({
  method: "delete",
  path: "/v1/runs/{id}",
  operationId: "deleteRun",
  tags: ["Runs"],
  summary: "Delete a run with its answers",
  description:
    "For its owner and admins. A run that has not ended is cancelled first. Afterwards nobody can read it, and it is removed from boards, snapshot and badge. Its stored data is deleted within minutes, and its page with the next build of the site. Runs that rescored its answers are kept.",
  middleware: requireScope("submit", "admin"),
  security: wantsApiKey,
  request: { params, query: reasonQuery },
  responses: {
    204: { description: "The run is deleted" },
    ...problemResponses("unauthorized", "forbidden", "not-found"),
  },
});

export const deleteRoutes = apiRouter().openapi(remove, async (c) => {
  const { platform } = c.var;
  const account = callerOf(c);
  const { id: target } = c.req.valid("param");
  accepted(
    await deleteRun(platform, account, target, ({ owner, visibility, modelSlug: model }) =>
      noteAction(c, { action: "run.delete", target, before: { owner, visibility, model } }, 204),
    ),
  );
  return c.body(null, 204);
});
