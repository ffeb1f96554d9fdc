import type { Suite } from "#shared/contracts/suite.ts";
import type { BoardStore } from "../boards/store.ts";
import type { DatasetStore } from "../datasets/store.ts";
import type { DatasetLimits } from "../datasets/version-store.ts";
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
import type { CallRules } from "../security/own-hosts.ts";
import type { Sealer } from "../security/seal.ts";
import type { Signer } from "../security/signer.ts";
import type { DeliveryStore } from "../webhooks/delivery-store.ts";
import type { WebhookStore } from "../webhooks/store.ts";
import type { IdempotencyStore } from "./idempotency-store.ts";
import type { ObjectStore } from "./object-store.ts";
import type { Queues } from "./queues.ts";
import type { RateLimiter } from "./rate-limiter.ts";

/** Everything outside that routes and pipeline use; only adapters know what is behind it. */
export interface Ports {
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

/** Deployment settings, from vars. */
export interface Settings extends CallRules {
  /** Which code it runs: a commit or a version; null: not said. */
  codeRevision: string | null;
  /** Name of the queue that receives messages after their last try. */
  deadLetterQueue: string;
  /** Where readers reach the service, without a slash at its end; null: where they asked. */
  publicOrigin: string | null;
  requireApiKey: boolean;
  /** Requests in flight at one endpoint, all runs together. */
  endpointConcurrencyMax: number;
  /** After how long canaries are judged again, 0: never by itself, and on which dataset. */
  canaryIntervalMs: number;
  canaryDataset: string;
  /** Answers of the reference that judges are asked about again at a re-evaluation; 0: none. */
  driftJudgedSamples: number;
  /** A lane whose holder is silent for so long is taken from it. */
  leaseMs: number;
  /** Longest time a lane works before it looks whether others wait, for which it hands itself on. */
  laneSpanMaxMs: number;
  /** Least time between two calls of the rebuild hook. */
  rebuildIntervalMs: number;
  /** For how long badges and leaderboards are given again from memory; 0: each reading asks the database. */
  publicReadsKeptMs: number;
  /** Days that raw answers are kept after the end of their run; 0: for ever. */
  rawRetentionDays: number;
  /** Samples a day of keys without a quota of their own; null: no quota. */
  dailySampleQuota: number | null;
  /** What an account may have; admins have no limit. Null: no limit. */
  ownerLimits: OwnerLimits;
}

/** The most of each that an account may have; null: no limit. */
interface OwnerLimits {
  datasets: DatasetLimits;
  /** Boards of options other than the standard ones. */
  boards: number | null;
  /** Models on one board. */
  boardModels: number | null;
}
