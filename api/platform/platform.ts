import type { Suite } from "#shared/contracts/suite.ts";
import { suggestion } from "#shared/contracts/text/suggestion.ts";
import type { DeletionStore } from "../accounts/deletion-store.ts";
import type { DomainStore } from "../accounts/domain-store.ts";
import type { ExportStore } from "../accounts/export-store.ts";
import type { OrganisationStore } from "../accounts/organisation-store.ts";
import type { RetentionStore } from "../accounts/retention-store.ts";
import type { AccountStore } from "../accounts/store.ts";
import type { BatchStore } from "../batches/store.ts";
import type { BoardStore } from "../boards/store.ts";
import type { ParityStore } from "../comparisons/parity-store.ts";
import type { DatasetStore } from "../datasets/store.ts";
import type { DriftStore } from "../drift/store.ts";
import { LANE_REQUESTS } from "../engine/lease-store.ts";
import type { JudgeStore } from "../judging/judge-store.ts";
import type { UsageStore } from "../keys/quota-store.ts";
import type { ShareStore } from "../keys/share-store.ts";
import type { ApiKeyStore } from "../keys/store.ts";
import type { AlertStore } from "../operator/alert-store.ts";
import type { AuditStore } from "../operator/audit-store.ts";
import type { BanStore } from "../operator/ban-store.ts";
import type { OverviewStore } from "../operator/overview-store.ts";
import type { ReportStore } from "../operator/report-store.ts";
import type { SpendStore } from "../operator/spend-store.ts";
import type { AskModel } from "../providers/ask-model.ts";
import type { ConnectEndpoint } from "../providers/connect-endpoint.ts";
import type { FetchRows } from "../providers/fetch-rows.ts";
import type { IdentityProvider } from "../providers/identity/identity-providers.ts";
import type { JudgeClient } from "../providers/judges.ts";
import type { KeptAnswers } from "../providers/kept-answers.ts";
import type { PostWebhook, SendAlert } from "../providers/post-webhook.ts";
import type { ProveDomain } from "../providers/prove-domain.ts";
import type { RepublicationStore } from "../publication/republication-store.ts";
import type { PublicationStore } from "../publication/store.ts";
import type { RatingStore } from "../ratings/store.ts";
import type { RunnerStore } from "../runners/store.ts";
import type { CleanupStore } from "../runs/cleanup-store.ts";
import type { RunStore } from "../runs/store.ts";
import type { ScheduleStore } from "../schedules/store.ts";
import { type CallRules, readOwnHosts } from "../security/own-hosts.ts";
import type { Sealer } from "../security/seal.ts";
import type { Signer } from "../security/signer.ts";
import type { DeliveryStore } from "../webhooks/delivery-store.ts";
import type { WebhookStore } from "../webhooks/store.ts";
import type { IdempotencyStore } from "./idempotency-store.ts";
import type { ObjectStore } from "./object-store.ts";
import type { Queues } from "./queues.ts";
import type { RateLimiter } from "./rate-limiter.ts";

/**
 * All external dependencies of routes, consumers and services: stores, queues, clients of endpoints, clock and
 * settings. `index.ts` creates it from the deployment's bindings.
 */
export interface Platform {
  suites: { all: readonly Suite[]; byId: (id: string) => Suite | undefined };
  runs: RunStore;
  runners: RunnerStore;
  batches: BatchStore;
  ratings: RatingStore;
  boards: BoardStore;
  datasets: DatasetStore;
  objects: ObjectStore;
  queues: Queues;
  publications: PublicationStore;
  cleanup: CleanupStore;
  sealer: Sealer;
  signer: Signer;
  apiKeys: ApiKeyStore;
  accounts: AccountStore;
  organisations: OrganisationStore;
  domains: DomainStore;
  /** Where people sign in; empty: nowhere. */
  identityProviders: readonly IdentityProvider[];
  usage: UsageStore;
  audit: AuditStore;
  overview: OverviewStore;
  spend: SpendStore;
  reports: ReportStore;
  bans: BanStore;
  alerts: AlertStore;
  deletions: DeletionStore;
  exports: ExportStore;
  retentions: RetentionStore;
  idempotency: IdempotencyStore;
  limiter: RateLimiter;
  ask: AskModel;
  connect: ConnectEndpoint;
  /** Null if this service stores no answers. */
  answers: KeptAnswers | null;
  judging: JudgeClient;
  judges: JudgeStore;
  drifts: DriftStore;
  republications: RepublicationStore;
  parities: ParityStore;
  shares: ShareStore;
  schedules: ScheduleStore;
  webhooks: WebhookStore;
  deliveries: DeliveryStore;
  postWebhook: PostWebhook;
  sendAlert: SendAlert;
  fetchRows: FetchRows;
  proveDomain: ProveDomain;
  /** Requests a rebuild of the site; resolves to false if no hook is set. */
  callRebuildHook: () => Promise<boolean>;
  now: () => number;
  sleep: (ms: number) => Promise<void>;
  newId: (prefix: string) => string;
  randomBytes: (count: number) => Uint8Array;
  settings: Settings;
}

const HOUR_MS = 3_600_000;

/**
 * D1 queries (each statement of a batch is one) and requests to other hosts per invocation, by plan. `runSamples`:
 * samples of a run; few on the Free plan, because summing them up takes CPU time: it grants 10 ms and tolerates more
 * only occasionally. `comparedSamples`: samples of all runs of a comparison, limited for the same reason; comparing two
 * runs takes less than summing up one. `boardModels`: models on a board, which one invocation ranks and publishes with
 * one query per 100 models; null: no limit. `changeQueries`: queries that read the changes which one invocation
 * publishes, besides about 20 others and those of a ranking or of the cron job. `cronTurns`: cron runs over which the
 * steps of the cron job are spread; all steps take 42 queries without any work. `batchUnits`: units of a lane with
 * requests in batches that one invocation executes.
 * Source: developers.cloudflare.com, workers/platform/limits and d1/platform/limits.
 */
export const planLimits = {
  free: {
    queries: 50,
    requests: 50,
    runSamples: 1_000,
    comparedSamples: 2_000,
    boardModels: 200,
    changeQueries: 15,
    cronTurns: 3,
    batchUnits: 100,
  },
  paid: {
    queries: 1_000,
    requests: 10_000,
    runSamples: Infinity,
    comparedSamples: 200_000,
    boardModels: null,
    changeQueries: 700,
    cronTurns: 1,
    batchUnits: 1_000,
  },
};

export type Settings = ReturnType<typeof settingsOf>;

/**
 * Where the runtime does not limit calls, lanes are seldom handed on, because slots are idle until a lane's last
 * request ends.
 */
const ownCalls = ({ INVOCATION_CALLS: calls }: Env) =>
  calls === undefined ? {} : { queries: Number(calls), requests: Number(calls) };

/** The error message for an unknown suite. */
export function noSuite({ suites }: Pick<Platform, "suites">, id: string): string {
  const ids = suites.all.map((suite) => suite.id);
  return `there is no suite "${id}"${suggestion(id, ids) || `; try ${ids.join(", ")}`}`;
}

/** Deployment settings, from environment variables. */
export const settingsOf = (env: Env) => ({
  ...callRulesOf(env),
  /** Version of the running code, such as a commit; null if not set. */
  codeRevision: env.CODE_REVISION || null,
  /** Queue that receives messages after their last attempt. */
  deadLetterQueue: env.DEAD_LETTER_QUEUE,
  /** Public address of the service, without a trailing slash; null: the address of each request. */
  publicOrigin: originIn(env.PUBLIC_ORIGIN ?? ""),
  requireApiKey: env.REQUIRE_API_KEY !== "false",
  /** People whose sessions are admins: provider id, a colon, and account name. */
  adminAccounts: (env.ADMIN_ACCOUNTS ?? "").split(/[\s,]+/).filter((name) => name !== ""),
  /** Maximum requests in flight at one endpoint, over all runs. */
  endpointConcurrencyMax: Number(env.ENDPOINT_CONCURRENCY_MAX),
  /** Interval at which canaries are judged (0: only on request), and their dataset. */
  canaryIntervalMs: Number(env.CANARY_INTERVAL_HOURS) * HOUR_MS,
  canaryDataset: env.CANARY_DATASET,
  /** Number of reference answers that judges judge again at a re-evaluation; 0: none. */
  driftJudgedSamples: Number(env.DRIFT_JUDGED_SAMPLES),
  /** Lease duration: a lane whose holder does not renew it is taken over. */
  leaseMs: Number(env.LEASE_MS),
  /** What the plan of the Cloudflare account allows. */
  plan: { ...planLimits[env.PLAN === "free" ? "free" : "paid"], ...ownCalls(env) },
  /** Longest time that a lane works before it checks whether others wait. */
  laneSpanMaxMs: Number(env.LANE_SPAN_MAX_MS),
  /** Whether each request and each turn of a lane writes a line. */
  logsActivity: env.LOG_ACTIVITY === "true",
  /** Maximum requests in flight of a lane. */
  laneRequests: Number(env.LANE_REQUESTS ?? LANE_REQUESTS),
  /** Maximum number of lanes that work at once in a phase, over all runs. */
  lanesMax: Number(env.LANES_MAX),
  /** Minimum time between two calls of the rebuild hook. */
  rebuildIntervalMs: Number(env.REBUILD_INTERVAL_MS),
  /** Cache lifetime of badges and leaderboards (ms); 0: every read queries the database. */
  publicReadsKeptMs: Number(env.PUBLIC_READS_KEPT_MS),
  /** Days after the end of a run until raw answers are deleted; 0: never. */
  rawRetentionDays: Number(env.RAW_RETENTION_DAYS),
  /** Maximum size of the database. */
  databaseBytes: Number(env.DATABASE_MAX_MB) * 1e6,
  /** Samples per day for keys without a quota of their own; null: unlimited. */
  dailySampleQuota: Number(env.DAILY_SAMPLE_QUOTA) || null,
  /** Cost of judges per day and account, USD; null: unlimited. */
  dailyJudgeUsd: Number(env.DAILY_JUDGE_USD) || null,
  alerts: {
    /** Address for alerts; empty: none. */
    url: env.ALERT_WEBHOOK_URL ?? "",
    /**
     * Thresholds of alerts: daily cost of judges, share of failed samples, time without a finished run; 0: no alert.
     */
    spendUsd: Number(env.ALERT_SPEND_USD),
    failureShare: Number(env.ALERT_FAILURE_SHARE),
    idleMinutes: Number(env.ALERT_IDLE_MINUTES),
  },
  /** Limits per account, except for admins; null: unlimited. */
  ownerLimits: {
    datasets: {
      names: Number(env.OWNER_DATASETS) || null,
      versions: Number(env.OWNER_DATASET_VERSIONS) || null,
      bytes: Number(env.OWNER_DATASET_MB) * 1e6 || null,
    },
    /** Stored answers and reports of runs. */
    runBytes: Number(env.OWNER_RUN_MB) * 1e6 || null,
    /** Boards with non-standard options. */
    boards: Number(env.OWNER_BOARDS) || null,
    boardModels: Number(env.OWNER_BOARD_MODELS) || null,
  },
});

const callRulesOf = (env: Env): CallRules => ({
  allowPrivateEndpoints: env.ALLOW_PRIVATE_ENDPOINTS === "true",
  ownHosts: readOwnHosts(env.OWN_HOSTS ?? ""),
});

/** Null if the text is empty or not a URL. */
function originIn(text: string): string | null {
  const { protocol, origin } = URL.parse(text.trim()) ?? { protocol: "", origin: "" };
  return /^https?:$/.test(protocol) ? origin : null;
}
