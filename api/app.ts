import { cors } from "hono/cors";
import { etag, RETAINED_304_HEADERS } from "hono/etag";
import { HTTPException } from "hono/http-exception";
import { requestId } from "hono/request-id";
import { KEYS_PATH } from "#shared/contracts/result-statement.ts";
import type { Ports } from "./pipeline/ports.ts";
import { answersJsonlRoutes } from "./routes/answers-jsonl.ts";
import { type AppContext, apiKeyScheme, apiRouter, bearerOf } from "./routes/api-app.ts";
import { badgeRoutes } from "./routes/badges.ts";
import { boardRoutes } from "./routes/boards.ts";
import { canaryRoutes } from "./routes/canaries.ts";
import { compareRoutes } from "./routes/compare.ts";
import { datasetJsonlRoutes } from "./routes/dataset-jsonl.ts";
import { datasetRoutes } from "./routes/datasets.ts";
import { deleteRoutes } from "./routes/delete-run.ts";
import { describeApi } from "./routes/describe-api.ts";
import { describeWebhooks } from "./routes/describe-webhooks.ts";
import { figureExportRoutes } from "./routes/figure-exports.ts";
import {
  isForeign,
  refuseForeignHosts,
  refuseForeignPreflights,
  refuseForeignWrites,
} from "./routes/foreign-pages.ts";
import { keptAnswers } from "./routes/kept-answers.ts";
import { keyRoutes } from "./routes/keys.ts";
import { modelHistoryRoutes } from "./routes/model-history.ts";
import { moderationRoutes } from "./routes/moderation.ts";
import { problem } from "./routes/problem-response.ts";
import { limitFailedKeys, limitRequests } from "./routes/rate-limit.ts";
import { republicationRoutes } from "./routes/republications.ts";
import { rescoreRoutes } from "./routes/rescore.ts";
import { retryRoutes } from "./routes/retry.ts";
import { runActionRoutes } from "./routes/run-actions.ts";
import { runReportRoutes } from "./routes/run-reports.ts";
import { runRoutes } from "./routes/runs.ts";
import { sampleExportRoutes } from "./routes/sample-exports.ts";
import { scheduleRoutes } from "./routes/schedules.ts";
import { badgeHeaders, dataHeaders, pageHeaders } from "./routes/security-headers.ts";
import { snapshotRoutes } from "./routes/snapshots.ts";
import { statementRoutes } from "./routes/statements.ts";
import { submissionRoutes } from "./routes/submissions.ts";
import { suiteRoutes } from "./routes/suites.ts";
import { sweepRoutes } from "./routes/sweep.ts";
import { usageRoutes } from "./routes/usage.ts";
import { webhookRoutes } from "./routes/webhooks.ts";
import { type Account, localAccount } from "./security/account.ts";

/** What the app needs from its surroundings, request by request. */
export interface Surroundings {
  ports: (c: AppContext) => Ports;
  account: (c: AppContext, key: string) => Promise<Account | null>;
  /** The site's pages. */
  site: (c: AppContext) => Promise<Response>;
}

/** What a page of another origin may read of a reply beside its body. */
const exposeHeaders = ["etag", "location", "retry-after", "idempotency-replayed"];

/** A poll that finds nothing new still says when to come again, also to a page of another origin. */
const retainedHeaders = [
  ...RETAINED_304_HEADERS,
  "retry-after",
  "access-control-allow-origin",
  "access-control-expose-headers",
];

const allRoutes = [
  submissionRoutes,
  sweepRoutes,
  runRoutes,
  runReportRoutes,
  statementRoutes,
  runActionRoutes,
  retryRoutes,
  rescoreRoutes,
  deleteRoutes,
  moderationRoutes,
  boardRoutes,
  republicationRoutes,
  snapshotRoutes,
  compareRoutes,
  answersJsonlRoutes,
  sampleExportRoutes,
  figureExportRoutes,
  datasetRoutes,
  datasetJsonlRoutes,
  suiteRoutes,
  canaryRoutes,
  modelHistoryRoutes,
  scheduleRoutes,
  keyRoutes,
  usageRoutes,
  webhookRoutes,
  badgeRoutes,
] as const;

/** The HTTP side of the service; knows neither bindings nor storage. */
export function createApp(surroundings: Surroundings) {
  const app = apiRouter();
  app.use(requestId());
  app.use(async (c, next) => {
    c.set("ports", surroundings.ports(c));
    await next();
  });
  app.use(refuseForeignHosts);
  app.use("/v1/*", refuseForeignPreflights);
  app.use("/v1/*", cors({ origin: "*", exposeHeaders }));
  for (const path of ["/badge/*", KEYS_PATH]) app.use(path, cors({ origin: "*" }));
  for (const path of ["/v1/*", "/healthz", KEYS_PATH]) app.use(path, dataHeaders);
  app.use("/badge/*", badgeHeaders);
  app.use("/v1/*", refuseForeignWrites);
  for (const path of ["/v1/*", "/badge/*", KEYS_PATH]) app.use(path, etag({ retainedHeaders }));
  const kept = keptAnswers();
  for (const path of ["/v1/leaderboard", "/badge/*"]) app.use(path, kept);
  for (const path of ["/v1/*", "/badge/*", KEYS_PATH]) app.use(path, limitRequests);
  app.use("/v1/*", async (c, next) => {
    c.set("account", await accountOf(c, surroundings));
    await next();
  });
  app.use("/v1/*", limitFailedKeys);
  app.get("/healthz", (c) =>
    c.json({ status: "ok", codeRevision: c.var.ports.settings.codeRevision }),
  );
  for (const routes of allRoutes) app.route("/", routes);
  app.openAPIRegistry.registerComponent("securitySchemes", apiKeyScheme, {
    type: "http",
    scheme: "bearer",
    description: "An API key. A service on your own machine wants none.",
  });
  describeWebhooks(app);
  app.get("/v1/openapi.json", (c) => c.json(describeApi(app, c.var.ports.suites.all)));
  app.all("/v1/*", (c) => problem(c, "not-found", `no such route: ${c.req.method} ${c.req.path}`));
  app.get("*", pageHeaders, (c) => surroundings.site(c));
  app.notFound((c) => problem(c, "not-found", `no such route: ${c.req.method} ${c.req.path}`));
  app.onError((error, c) => {
    if (error instanceof HTTPException && error.status === 400) {
      return problem(c, "malformed-json", "the body must be one JSON document");
    }
    if (error instanceof HTTPException && error.status === 415) {
      const detail = "send JSON with the header content-type: application/json";
      return problem(c, "unsupported-media-type", detail);
    }
    const entry = { event: "request-failed", requestId: c.get("requestId"), error: error.stack };
    console.error(JSON.stringify(entry));
    return problem(c, "internal-error", "try again; if it goes on, report the requestId");
  });
  return app;
}

/** What is made public of a service that asks for no key is read with this, as a stranger would. */
const AS_PUBLIC = "x-assay-public";

async function accountOf(c: AppContext, surroundings: Surroundings): Promise<Account | null> {
  if (c.req.header(AS_PUBLIC) !== undefined) return null;
  const key = bearerOf(c);
  if (key !== null) return surroundings.account(c, key);
  return c.var.ports.settings.requireApiKey || isForeign(c) ? null : localAccount;
}
