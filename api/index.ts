import { v7 as uuid } from "uuid";
import { suiteById, suites } from "#shared/suites/registry.ts";
import { deletionStore } from "./accounts/deletion-store.ts";
import { domainStore } from "./accounts/domain-store.ts";
import { exportStore } from "./accounts/export-store.ts";
import { organisationStore } from "./accounts/organisation-store.ts";
import { retentionStore } from "./accounts/retention-store.ts";
import { accountStore } from "./accounts/store.ts";
import { createApp } from "./app.ts";
import { batchStore } from "./batches/store.ts";
import { boardStore } from "./boards/store.ts";
import { parityStore } from "./comparisons/parity-store.ts";
import { consume } from "./consumers.ts";
import { runCron } from "./cron.ts";
import { datasetStore } from "./datasets/store.ts";
import { driftStore } from "./drift/store.ts";
import { originOf } from "./http/responses.ts";
import type { AppContext } from "./http/router.ts";
import { judgeStore } from "./judging/judge-store.ts";
import { accountOfToken } from "./keys/account.ts";
import { usageStore } from "./keys/quota-store.ts";
import { shareStore } from "./keys/share-store.ts";
import { apiKeyStore } from "./keys/store.ts";
import { alertStore } from "./operator/alert-store.ts";
import { auditStore } from "./operator/audit-store.ts";
import { banStore } from "./operator/ban-store.ts";
import { overviewStore } from "./operator/overview-store.ts";
import { reportStore } from "./operator/report-store.ts";
import { spendStore } from "./operator/spend-store.ts";
import { idempotencyStore } from "./platform/idempotency-store.ts";
import { objectStore } from "./platform/object-store.ts";
import { type Platform, settingsOf } from "./platform/platform.ts";
import { queuesNamed, queuesOf } from "./platform/queues.ts";
import { rateLimiter } from "./platform/rate-limiter.ts";
import { retryStorage } from "./platform/retry-storage.ts";
import { sitePages } from "./platform/site-pages.ts";
import { guardedAsk, modelClient } from "./providers/ask-model.ts";
import { endpointConnector } from "./providers/connect-endpoint.ts";
import { rowsFetcher } from "./providers/fetch-rows.ts";
import { identityProviders } from "./providers/identity/identity-providers.ts";
import { judgeClient } from "./providers/judges.ts";
import { keptAnswers } from "./providers/kept-answers.ts";
import { alertSender, webhookPoster } from "./providers/post-webhook.ts";
import { domainProver } from "./providers/prove-domain.ts";
import { rebuildHook } from "./providers/rebuild-hook.ts";
import { republicationStore } from "./publication/republication-store.ts";
import { publicationStore } from "./publication/store.ts";
import { ratingStore } from "./ratings/store.ts";
import { runnerStore } from "./runners/store.ts";
import { cleanupStore } from "./runs/cleanup-store.ts";
import { runStore } from "./runs/store.ts";
import { scheduleStore } from "./schedules/store.ts";
import { sealer } from "./security/seal.ts";
import { signer } from "./security/signer.ts";
import { deliveryStore } from "./webhooks/delivery-store.ts";
import { webhookStore } from "./webhooks/store.ts";

const now = () => Date.now();
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const around = { now, sleep, random: Math.random };

const lasting = new WeakMap<Env, Platform>();

/**
 * The adapters of this deployment's bindings; every call retries transient faults. They live as long as the isolate,
 * except those that hold pending promises of one request. `host`: the host of a request's URL. If API keys are required
 * it is one of the service's own hosts; otherwise callers may send any host.
 */
export function platformOf(env: Env, host: string | null = null): Platform {
  const platform = lasting.get(env) ?? retryStorage(adaptersOf(env), around);
  lasting.set(env, platform);
  let made: WaitingAdapters | null = null;
  // Created on demand: most requests need none of them.
  const waiting = () => (made ??= retryStorage(waitingAdaptersOf(env), around));
  const { settings } = platform;
  const isOwn = host !== null && settings.requireApiKey;
  return {
    ...platform,
    settings: isOwn ? { ...settings, ownHosts: [...settings.ownHosts, host] } : settings,
    get datasets() {
      return waiting().datasets;
    },
    get sealer() {
      return waiting().sealer;
    },
    get signer() {
      return waiting().signer;
    },
  };
}

/**
 * A pending promise may end with its request and then never resolve for other requests. So these adapters are per
 * request.
 */
const waitingAdaptersOf = (env: Env) => ({
  datasets: datasetStore(env.DB, objectStore(env.RESULTS)),
  sealer: sealer(env.SECRETS_KEY ?? "", env.SECRETS_KEY_PREVIOUS ?? ""),
  signer: signer(env.SIGNING_KEY ?? "", env.SIGNING_KEYS_PREVIOUS ?? ""),
});

type WaitingAdapters = ReturnType<typeof waitingAdaptersOf>;

/** The adapters without retries. */
export function adaptersOf(env: Env): Platform {
  const settings = settingsOf(env);
  const postWebhook = webhookPoster(settings, now);
  const calling = { ...around, direct: env.ENDPOINTS?.fetch.bind(env.ENDPOINTS) };
  const alertTarget = { url: settings.alerts.url, secret: env.ALERT_WEBHOOK_SECRET ?? "" };
  return {
    ...waitingAdaptersOf(env),
    suites: { all: suites, byId: suiteById },
    runs: runStore(env.DB, objectStore(env.RESULTS), settings.laneRequests),
    runners: runnerStore(env.DB),
    batches: batchStore(env.DB),
    ratings: ratingStore(env.DB),
    boards: boardStore(env.DB),
    objects: objectStore(env.RESULTS),
    queues: queuesOf({
      answering: queuesNamed(env, "EVALUATE"),
      judging: queuesNamed(env, "JUDGE"),
      finish: env.FINISH,
      webhooks: env.WEBHOOKS,
    }),
    publications: publicationStore(env.DB),
    cleanup: cleanupStore(env.DB),
    apiKeys: apiKeyStore(env.DB),
    accounts: accountStore(env.DB),
    organisations: organisationStore(env.DB),
    domains: domainStore(env.DB),
    identityProviders: identityProviders({
      github: {
        url: env.GITHUB_URL ?? "",
        clientId: env.GITHUB_CLIENT_ID ?? "",
        clientSecret: env.GITHUB_CLIENT_SECRET ?? "",
      },
      openid: {
        issuer: env.OPENID_ISSUER ?? "",
        label: env.OPENID_NAME ?? "",
        clientId: env.OPENID_CLIENT_ID ?? "",
        clientSecret: env.OPENID_CLIENT_SECRET ?? "",
      },
      allowHttp: settings.allowPrivateEndpoints,
      now,
    }),
    usage: usageStore(env.DB),
    audit: auditStore(env.DB),
    overview: overviewStore(env.DB),
    spend: spendStore(env.DB),
    reports: reportStore(env.DB),
    bans: banStore(env.DB),
    alerts: alertStore(env.DB),
    deletions: deletionStore(env.DB),
    exports: exportStore(env.DB),
    retentions: retentionStore(env.DB),
    idempotency: idempotencyStore(env.DB),
    limiter: rateLimiter({
      read: env.LIMIT_READS,
      write: env.LIMIT_WRITES,
      "public-read": env.LIMIT_PUBLIC_READS,
      comparison: env.LIMIT_COMPARISONS,
      "costly-read": env.LIMIT_COSTLY_READS,
      test: env.LIMIT_TESTS,
      "failed-authentication": env.LIMIT_FAILED_KEYS,
    }),
    ask: guardedAsk(modelClient(calling), settings),
    connect: endpointConnector(settings, now),
    answers: env.ANSWERS === undefined ? null : keptAnswers(env.ANSWERS),
    judging: judgeClient(env as unknown as Record<string, unknown>, calling),
    judges: judgeStore(env.DB),
    drifts: driftStore(env.DB),
    republications: republicationStore(env.DB),
    parities: parityStore(env.DB),
    shares: shareStore(env.DB),
    schedules: scheduleStore(env.DB),
    webhooks: webhookStore(env.DB),
    deliveries: deliveryStore(env.DB),
    postWebhook,
    sendAlert: alertSender(alertTarget, postWebhook, now),
    fetchRows: rowsFetcher(settings),
    proveDomain: domainProver(settings, env.DNS_RESOLVER),
    callRebuildHook: rebuildHook(env.SITE_REBUILD_HOOK ?? "", env.SITE_REBUILD_TOKEN ?? ""),
    now,
    sleep,
    // Only their random bits protect the ids of unlisted runs: a UUIDv7 has 73, or 42 after another one in the same
    // millisecond and isolate.
    newId: (prefix) => `${prefix}_${uuid().replaceAll("-", "")}`,
    randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
    settings,
  };
}

const envOf = (c: AppContext) => c.env as unknown as Env;

const app = createApp({
  platform: (c) => platformOf(envOf(c), new URL(c.req.url).host),
  account: (c, token) =>
    accountOfToken(token, envOf(c).OPERATOR_SECRET ?? "", c.var.platform.apiKeys, now()),
  site: (c) => sitePages(envOf(c).SITE, c.req.raw, originOf(c)),
});

export default {
  fetch: app.fetch,
  queue: (batch, env) => consume(platformOf(env), batch),
  scheduled: (_event, env) => runCron(platformOf(env)),
} satisfies ExportedHandler<Env>;
