import { cors } from "hono/cors";
import { etag, RETAINED_304_HEADERS } from "hono/etag";
import { HTTPException } from "hono/http-exception";
import { methodNotAllowed } from "hono/method-not-allowed";
import { requestId } from "hono/request-id";
import { z } from "zod";
import { KEYS_PATH } from "#shared/contracts/boards/result-statement.ts";
import { nearestFields } from "#shared/contracts/field-errors.ts";
import { CHALLENGE_HEADER } from "#shared/contracts/keys/effort.ts";
import { accountDataRoutes } from "./accounts/account-data-routes.ts";
import { deviceRoutes } from "./accounts/device-routes.ts";
import { domainRoutes } from "./accounts/domain-routes.ts";
import { ownKeyRoutes } from "./accounts/key-routes.ts";
import { invitationRoutes, organisationRoutes } from "./accounts/organisation-routes.ts";
import { retentionRoutes } from "./accounts/retention-routes.ts";
import { accountRoutes, sessionRoutes } from "./accounts/routes.ts";
import { signInRoutes } from "./accounts/sign-in-routes.ts";
import { badgeRoutes } from "./badges/routes.ts";
import { boardRoutes } from "./boards/routes.ts";
import { parityRoutes } from "./comparisons/parity-routes.ts";
import { compareRoutes, judgingRoutes, sweepRoutes } from "./comparisons/routes.ts";
import { datasetJsonlRoutes, datasetRoutes } from "./datasets/routes.ts";
import { uploadRoutes } from "./datasets/upload-routes.ts";
import { canaryRoutes, modelHistoryRoutes, timelineRoutes } from "./drift/routes.ts";
import { figureExportRoutes } from "./exports/figure-routes.ts";
import { answersJsonlRoutes, sampleExportRoutes } from "./exports/sample-routes.ts";
import {
  isForeign,
  refuseForeignHosts,
  refuseForeignPreflights,
  refuseForeignWrites,
} from "./http/cross-origin.ts";
import { logRequests } from "./http/log-requests.ts";
import { openShares } from "./http/open-shares.ts";
import { describeApi, refuseUnknownParameters } from "./http/openapi.ts";
import { limitRequests, refuseFailedKeys } from "./http/rate-limit.ts";
import { recordActions } from "./http/record-actions.ts";
import { Refused, refusalProblem } from "./http/refusal.ts";
import { refuseBanned } from "./http/refuse-banned.ts";
import { requireEffort } from "./http/require-effort.ts";
import { cacheRules, isRead, responseCache } from "./http/response-cache.ts";
import { pathOf, problem } from "./http/responses.ts";
import {
  type AppContext,
  apiKeyScheme,
  apiRouter,
  bearerOf,
  isAsPublic,
  sessionScheme,
} from "./http/router.ts";
import { badgeHeaders, dataHeaders, pageHeaders } from "./http/security-headers.ts";
import { checkSession, SESSION_COOKIE, sessionIn } from "./http/session.ts";
import { judgeRoutes } from "./judging/routes.ts";
import { suiteRoutes } from "./judging/suite-routes.ts";
import { type Account, localAccount } from "./keys/account.ts";
import { linkRoutes } from "./keys/link-routes.ts";
import { keyRoutes, usageRoutes } from "./keys/routes.ts";
import { shareRoutes } from "./keys/share-routes.ts";
import { auditRoutes } from "./operator/audit-routes.ts";
import { moderationQueueRoutes, reportRoutes } from "./operator/report-routes.ts";
import { operatorRoutes } from "./operator/routes.ts";
import { logError } from "./platform/log.ts";
import type { Platform } from "./platform/platform.ts";
import { DatabaseFull, Outage } from "./platform/retry-storage.ts";
import { republicationRoutes } from "./publication/republication-routes.ts";
import { snapshotRoutes } from "./publication/snapshot-routes.ts";
import { statementRoutes } from "./publication/statement-routes.ts";
import { ratingRoutes } from "./ratings/routes.ts";
import { runnerRoutes } from "./runners/routes.ts";
import { runReportRoutes } from "./runs/report-routes.ts";
import { rescoreRoutes, retryRoutes } from "./runs/rerun-routes.ts";
import {
  changeRoutes,
  deleteRoutes,
  moderationRoutes,
  runActionRoutes,
  runRoutes,
} from "./runs/routes.ts";
import { sampleRoutes } from "./samples/routes.ts";
import { scheduleRoutes } from "./schedules/routes.ts";
import { connectionRoutes } from "./submissions/connection-routes.ts";
import { submissionRoutes } from "./submissions/routes.ts";
import { describeWebhooks } from "./webhooks/openapi.ts";
import { webhookRoutes } from "./webhooks/routes.ts";

/** What the app needs from the entry file, per request. */
export interface Surroundings {
  platform: (c: AppContext) => Platform;
  account: (c: AppContext, key: string) => Promise<Account | null>;
  site: (c: AppContext) => Promise<Response>;
}

/** Response headers that pages of other origins may read. */
const exposeHeaders = [
  "allow",
  "etag",
  "location",
  "retry-after",
  "idempotency-replayed",
  CHALLENGE_HEADER,
];

/** A 304 keeps these headers, so that a poll without news still gets its next poll time, also across origins. */
const retainedHeaders = [
  ...RETAINED_304_HEADERS,
  "retry-after",
  "set-cookie",
  "access-control-allow-origin",
  "access-control-expose-headers",
];

const allRoutes = [
  submissionRoutes,
  connectionRoutes,
  sweepRoutes,
  runRoutes,
  sampleRoutes,
  runReportRoutes,
  statementRoutes,
  runActionRoutes,
  retryRoutes,
  rescoreRoutes,
  changeRoutes,
  deleteRoutes,
  moderationRoutes,
  boardRoutes,
  republicationRoutes,
  snapshotRoutes,
  compareRoutes,
  judgingRoutes,
  parityRoutes,
  ratingRoutes,
  answersJsonlRoutes,
  sampleExportRoutes,
  figureExportRoutes,
  datasetRoutes,
  datasetJsonlRoutes,
  uploadRoutes,
  suiteRoutes,
  canaryRoutes,
  judgeRoutes,
  modelHistoryRoutes,
  timelineRoutes,
  scheduleRoutes,
  runnerRoutes,
  shareRoutes,
  linkRoutes,
  keyRoutes,
  usageRoutes,
  reportRoutes,
  operatorRoutes,
  moderationQueueRoutes,
  auditRoutes,
  signInRoutes,
  accountRoutes,
  accountDataRoutes,
  retentionRoutes,
  sessionRoutes,
  ownKeyRoutes,
  deviceRoutes,
  organisationRoutes,
  invitationRoutes,
  domainRoutes,
  webhookRoutes,
  badgeRoutes,
] as const;

/** D1 is back about a minute after a reset; more frequent retries would add to its load. */
const OUTAGE_RETRY_SECONDS = 30;

/** The HTTP layer. It does not know bindings or storage. */
export function createApp(surroundings: Surroundings) {
  z.config({ customError: nearestFields });
  const app = apiRouter();
  app.use(requestId());
  app.use(cacheRules);
  app.use(async (c, next) => {
    c.set("platform", surroundings.platform(c));
    await next();
  });
  for (const path of ["/v1/*", "/badge/*"]) app.use(path, logRequests);
  app.use(refuseForeignHosts);
  app.use("/v1/*", refuseForeignPreflights);
  app.use("/v1/*", cors({ origin: "*", exposeHeaders }));
  for (const path of ["/badge/*", KEYS_PATH]) app.use(path, cors({ origin: "*" }));
  for (const path of ["/v1/*", "/healthz", KEYS_PATH]) app.use(path, dataHeaders);
  app.use("/badge/*", badgeHeaders);
  app.use("/v1/*", refuseForeignWrites);
  for (const path of ["/v1/*", "/badge/*", KEYS_PATH]) app.use(path, etag({ retainedHeaders }));
  const kept = responseCache();
  for (const path of ["/v1/leaderboard", "/badge/*"]) app.use(path, kept);
  for (const path of ["/v1/*", "/badge/*", KEYS_PATH]) app.use(path, limitRequests);
  app.use("/v1/*", async (c, next) => {
    c.set("rightsAsOf", c.var.platform.now());
    c.set("session", await sessionIn(c));
    c.set("account", c.var.session?.account ?? (await accountOf(c, surroundings)));
    await next();
  });
  app.use("/v1/*", refuseFailedKeys);
  app.use("/v1/*", checkSession);
  app.use("/v1/*", refuseBanned());
  app.use("/v1/*", refuseUnknownParameters(app));
  app.use("/v1/*", requireEffort);
  app.use("/v1/*", recordActions);
  app.use("/v1/*", openShares);
  app.use(methodNotAllowed({ app, onMethodNotAllowed }));
  app.get("/healthz", (c) =>
    c.json({ status: "ok", codeRevision: c.var.platform.settings.codeRevision }),
  );
  for (const routes of allRoutes) app.route("/", routes);
  app.openAPIRegistry.registerComponent("securitySchemes", apiKeyScheme, {
    type: "http",
    scheme: "bearer",
    description: "An API key. A service on your own machine needs none.",
  });
  app.openAPIRegistry.registerComponent("securitySchemes", sessionScheme, {
    type: "apiKey",
    in: "cookie",
    name: SESSION_COOKIE,
    description:
      "The session of a signed-in browser. Requests that change something also need the header `x-csrf-token`.",
  });
  describeWebhooks(app);
  app.get("/v1/openapi.json", (c) => c.json(describeApi(app, c.var.platform.suites.all)));
  app.all("/v1/*", noRoute);
  app.all("*", pageHeaders, (c) => (isRead(c.req.method) ? surroundings.site(c) : noRoute(c)));
  app.onError((error, c) => {
    if (error instanceof Refused) return refusalProblem(c, error.refusal);
    if (error instanceof HTTPException && error.status === 400) {
      return problem(c, "malformed-json", "the body must be one JSON document");
    }
    if (error instanceof HTTPException && error.status === 415) {
      const detail = "send JSON with the header content-type: application/json";
      return problem(c, "unsupported-media-type", detail);
    }
    logError("request-failed", error, { requestId: c.get("requestId") });
    if (error instanceof DatabaseFull) {
      const detail =
        "nothing was stored: the database is full, and room is made for runs that are active; submit again later, or ask the operator";
      return problem(c, "database-full", detail);
    }
    if (error instanceof Outage) {
      c.header("retry-after", `${OUTAGE_RETRY_SECONDS}`);
      const detail = `the service can't reach its storage at the moment; send the same request again in ${OUTAGE_RETRY_SECONDS} s`;
      return problem(c, "unavailable", detail);
    }
    return problem(c, "internal-error", "try again; if it continues, report the requestId");
  });
  return app;
}

const noRoute = (c: AppContext) =>
  problem(c, "not-found", `no such route: ${c.req.method} ${pathOf(c)}`);

function onMethodNotAllowed(c: AppContext, methods: readonly string[]) {
  const allow = methods.join(", ");
  c.header("allow", allow);
  return problem(c, "method-not-allowed", `${pathOf(c)} takes ${allow}, not ${c.req.method}`);
}

async function accountOf(c: AppContext, surroundings: Surroundings): Promise<Account | null> {
  if (isAsPublic(c)) return null;
  const key = bearerOf(c);
  if (key !== null) return surroundings.account(c, key);
  return c.var.platform.settings.requireApiKey || isForeign(c) ? null : localAccount;
}
