import type { Suite } from "#shared/contracts/suite.ts";
import type { BoardStore } from "../boards/store.ts";
import type { DatasetStore } from "../datasets/store.ts";
import type { DriftStore } from "../drift/store.ts";
import type { UsageStore } from "../keys/quota-store.ts";
import type { ApiKeyStore } from "../keys/store.ts";
import type { AskModel } from "../providers/ask-model.ts";
import type { JudgeClient } from "../providers/judges.ts";
import type { PostWebhook } from "../providers/post-webhook.ts";
import type { RepublicationStore } from "../publication/republication-store.ts";
import type { PublicationStore } from "../publication/store.ts";
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
 * All that routes, consumers and services use of the world outside: stores, queues, clients of endpoints, clock and
 * settings. `index.ts` makes it from the bindings of a deployment.
 */
export interface Platform {
  /** The suites this deployment knows. */
  suites: { all: readonly Suite[]; byId: (id: string) => Suite | undefined };
  runs: RunStore;
  boards: BoardStore;
  datasets: DatasetStore;
  objects: ObjectStore;
  queues: Queues;
  publications: PublicationStore;
  cleanup: CleanupStore;
  sealer: Sealer;
  signer: Signer;
  apiKeys: ApiKeyStore;
  usage: UsageStore;
  idempotency: IdempotencyStore;
  limiter: RateLimiter;
  ask: AskModel;
  judging: JudgeClient;
  drifts: DriftStore;
  republications: RepublicationStore;
  schedules: ScheduleStore;
  webhooks: WebhookStore;
  deliveries: DeliveryStore;
  postWebhook: PostWebhook;
  /** Asks for a rebuild of the site; resolves to false when no hook is set. */
  callRebuildHook: () => Promise<boolean>;
  now: () => number;
  sleep: (ms: number) => Promise<void>;
  newId: (prefix: string) => string;
  randomBytes: (count: number) => Uint8Array;
  settings: Settings;
}

const HOUR_MS = 3_600_000;

export type Settings = ReturnType<typeof settingsOf>;

/** Deployment settings, from vars. */
export const settingsOf = (env: Env) => ({
  ...callRulesOf(env),
  /** Which code it runs: a commit or a version; null: not said. */
  codeRevision: env.CODE_REVISION || null,
  /** Name of the queue that receives messages after their last try. */
  deadLetterQueue: env.DEAD_LETTER_QUEUE,
  /** Where readers reach the service, without a slash at its end; null: where they asked. */
  publicOrigin: originIn(env.PUBLIC_ORIGIN ?? ""),
  requireApiKey: env.REQUIRE_API_KEY !== "false",
  /** Requests in flight at one endpoint, all runs together. */
  endpointConcurrencyMax: Number(env.ENDPOINT_CONCURRENCY_MAX),
  /** After how long canaries are judged again, 0: never by itself, and on which dataset. */
  canaryIntervalMs: Number(env.CANARY_INTERVAL_HOURS) * HOUR_MS,
  canaryDataset: env.CANARY_DATASET,
  /** Answers of the reference that judges are asked about again at a re-evaluation; 0: none. */
  driftJudgedSamples: Number(env.DRIFT_JUDGED_SAMPLES),
  /** A lane whose holder is silent for so long is taken from it. */
  leaseMs: Number(env.LEASE_MS),
  /** Longest time a lane works before it looks whether others wait, for which it hands itself on. */
  laneSpanMaxMs: Number(env.LANE_SPAN_MAX_MS),
  /** Least time between two calls of the rebuild hook. */
  rebuildIntervalMs: Number(env.REBUILD_INTERVAL_MS),
  /** Cache lifetime of badges and leaderboards (ms); 0: each reading asks the database. */
  publicReadsKeptMs: Number(env.PUBLIC_READS_KEPT_MS),
  /** Days that raw answers are kept after the end of their run; 0: for ever. */
  rawRetentionDays: Number(env.RAW_RETENTION_DAYS),
  /** How large the database may become. */
  databaseBytes: Number(env.DATABASE_MAX_MB) * 1e6,
  /** Samples a day of keys without a quota of their own; null: no quota. */
  dailySampleQuota: Number(env.DAILY_SAMPLE_QUOTA) || null,
  /** What an account may have; admins have no limit. Null: no limit. */
  ownerLimits: {
    datasets: {
      names: Number(env.OWNER_DATASETS) || null,
      versions: Number(env.OWNER_DATASET_VERSIONS) || null,
      bytes: Number(env.OWNER_DATASET_MB) * 1e6 || null,
    },
    /** Boards of options other than the standard ones. */
    boards: Number(env.OWNER_BOARDS) || null,
    /** Models on one board. */
    boardModels: Number(env.OWNER_BOARD_MODELS) || null,
  },
});

const callRulesOf = (env: Env): CallRules => ({
  allowPrivateEndpoints: env.ALLOW_PRIVATE_ENDPOINTS === "true",
  ownHosts: readOwnHosts(env.OWN_HOSTS ?? ""),
});

/** Null where there is none, or what is no address. */
function originIn(text: string): string | null {
  const { protocol, origin } = URL.parse(text.trim()) ?? { protocol: "", origin: "" };
  return /^https?:$/.test(protocol) ? origin : null;
}
