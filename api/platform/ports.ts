import type { Answer } from "#shared/contracts/answer.ts";
import type { ChatRequest } from "#shared/contracts/chat-request.ts";
import type { Json } from "#shared/contracts/json.ts";
import type { Result } from "#shared/contracts/result.ts";
import type { Attempts } from "#shared/contracts/submissions/attempts.ts";
import type { Endpoint } from "#shared/contracts/submissions/submission.ts";
import type { SampleScore, Suite } from "#shared/contracts/suite.ts";
import type { BoardIdentity } from "../boards/board-identity.ts";
import type { DatasetLimits, DatasetStore } from "../datasets/store.ts";
import type { DriftStore } from "../drift/store.ts";
import type { EndpointMemory } from "../providers/endpoint-memory.ts";
import type { JudgeClient } from "../providers/judges.ts";
import type { RepublicationStore } from "../publication/republication-store.ts";
import type { PublicationStore } from "../publication/store.ts";
import type { RunStore } from "../runs/store.ts";
import type { ScheduleStore } from "../schedules/store.ts";
import type { CallRules } from "../security/own-hosts.ts";
import type { Signer } from "../security/signer.ts";
import type { DeliveryStore, PostWebhook, WebhookStore } from "../webhooks/webhook-ports.ts";
import type { IdempotencyStore, RateLimiter, UsageStore } from "./limit-ports.ts";
import type { DeliveryMessage, FinishMessage, LaneMessage } from "./messages.ts";
import type { apiKeys, boards, runs, samples, submissions } from "./schema.ts";

export type RunRecord = typeof runs.$inferSelect;
export type NewRun = typeof runs.$inferInsert;
export type NewSubmission = typeof submissions.$inferInsert;
export type SampleRecord = typeof samples.$inferSelect;
export type BoardRecord = typeof boards.$inferSelect;

export type ApiKeyRecord = typeof apiKeys.$inferSelect;

/** The last entry of a page of a list with the newest first. */
export type ListPlace = readonly [at: number, id: string];

/** Which part of a list to give; null: from its beginning. */
export interface ListPage {
  after: ListPlace | null;
  limit: number;
}

/** API keys, of which only the SHA-256 is kept. */
export interface ApiKeyStore {
  insert(key: ApiKeyRecord): Promise<void>;
  byHash(hash: string): Promise<ApiKeyRecord | null>;
  byId(id: string): Promise<ApiKeyRecord | null>;
  /** Newest first. */
  list(page: ListPage): Promise<ApiKeyRecord[]>;
  /** All accounts that were ever given a key. */
  owners(): Promise<string[]>;
  /** Null where there is no such key, or it is revoked already. */
  revoke(id: string, now: number): Promise<ApiKeyRecord | null>;
  markUsed(hash: string, now: number): Promise<void>;
}

/** Removes what nobody may read any more, in steps that each take a moment. */
export interface CleanupStore {
  /** Deleted runs that no lane works on and no rescoring reads, the longest deleted first. */
  deletedRuns(now: number, limit: number): Promise<string[]>;
  /** After this no lane can write to the run. */
  dropLeases(runId: string): Promise<void>;
  /** Removes at most `limit` rows and says how many. */
  dropSamples(runId: string, limit: number): Promise<number>;
  /** Removes the run's row, and its submission's with the last of its runs. */
  dropRun(runId: string): Promise<void>;
  /** Runs that ended before and still have raw answers, oldest first. */
  withAnswersSince(endedBefore: number, limit: number): Promise<string[]>;
  markAnswersRemoved(runId: string, now: number): Promise<void>;
  /** Removes leases that nobody has held since, of runs that are not live. */
  pruneLeases(expiredBefore: number, limit: number): Promise<void>;
}

export interface BoardStore {
  ensure(board: BoardIdentity, now: number): Promise<void>;
  get(id: string): Promise<BoardRecord | null>;
  find(
    suite: string,
    datasetName: string,
    version: string | null,
    /** The metric that ranks it: of several boards the one by it comes first, or is the only one. */
    headline?: { id: string; isNeeded: boolean },
  ): Promise<BoardRecord | null>;
  /**
   * Default boards that list a model, of a suite and a dataset where these are named, the one with its newest run
   * first; that one alone is found at once.
   */
  ofModel(
    slug: string,
    of: { suite: string | null; dataset: string | null },
    limit: number,
  ): Promise<BoardRecord[]>;
  all(): Promise<BoardRecord[]>;
  /** Boards that an account led to by options other than the standard ones. */
  countMadeBy(owner: string): Promise<number>;
  /** Slugs of an account's models that were ever tried in a board's configuration: so many at the most. */
  triedModels(boardId: string, owner: string, limit: number): Promise<string[]>;
  /** All runs of each model in the board's configuration, by slug, as of now. */
  attempts(id: string): Promise<ReadonlyMap<string, Attempts>>;
  /** Boards with a run that counts or is listed there, that ended, or came into view or out of it, since they were ranked. */
  outdated(): Promise<string[]>;
  /** False when another holds the board's lease. */
  lock(id: string, now: number, expiresAt: number): Promise<boolean>;
  /** Gives back a lease that ends at `expiresAt`, unless another holds it by now. */
  unlock(id: string, expiresAt: number): Promise<void>;
  write(id: string, ranked: RankedBoard, now: number): Promise<void>;
  /** The page that lists a model, of those after the first; null: none of them does. */
  placeOf(id: string, slug: string): Promise<number | null>;
}

/** What a ranking makes of a board. */
export interface RankedBoard
  extends Pick<BoardRecord, "entries" | "pages" | "comparedSamples" | "tests"> {
  /** The models on each of the pages after the first. */
  places: readonly (readonly string[])[];
  /** Keys of pages that it names no more, to be deleted at `deleteAt`. */
  retired: readonly string[];
  deleteAt: number;
}

/** One sample's answer and scoring, as kept in R2. */
export interface StoredSample {
  seq: number;
  id: string;
  answer: Answer;
  /** When the answer was in, ms of the run's time; null where this service did not ask for it. */
  doneMs: number | null;
  score: SampleScore<Json>;
}

/** JSON objects by key. */
export interface ObjectStore {
  /** For keys that belong to one run or writer: the last write counts. */
  put(key: string, value: unknown): Promise<void>;
  /**
   * For keys that contain a hash: writes JSON text once. False where an object is there already, which stays as
   * it is, whoever wrote it.
   */
  putOnce(key: string, text: string): Promise<boolean>;
  /** Changes an object that several may change at once; no change of another is lost. */
  update<T>(key: string, change: (kept: T | null) => T): Promise<void>;
  get<T>(key: string): Promise<T | null>;
  /** The same as JSON text. */
  getText(key: string): Promise<string | null>;
  /** Some of the keys that begin with `prefix`, at most 1,000; none when there are none left. */
  keys(prefix: string): Promise<string[]>;
  /** Removes up to 1,000 objects. */
  remove(keys: readonly string[]): Promise<void>;
}

export interface Queues {
  lanes(messages: readonly LaneMessage[], delaySeconds?: number): Promise<void>;
  finish(message: FinishMessage): Promise<void>;
  deliveries(messages: readonly DeliveryMessage[], delaySeconds?: number): Promise<void>;
}

export type EndpointTarget = Endpoint;

/** How long and how often a request is tried. */
export interface AskLimits {
  timeoutMs: number;
  maxRetries: number;
  /** Whether the endpoint may have a request come back later, outside of the lane. */
  mayPostpone: boolean;
}

/** An answer, or the time until which the endpoint wants no call (more than a lane waits). */
export type Reply = { kind: "answer"; answer: Answer } | { kind: "postponed"; until: number };

/** One request to the model, stepping down modes and refused parameters; never throws. */
export type AskModel = (
  target: EndpointTarget,
  request: ChatRequest,
  limits: AskLimits,
  memory: EndpointMemory,
) => Promise<Reply>;

/** Seals secrets for one run or webhook, by its id, and opens them again. */
export interface Sealer {
  seal(id: string, secret: string): Promise<string>;
  open(id: string, sealed: string): Promise<Result<string, SealProblem>>;
}

/** Why a sealed secret does not open: its key is gone, or it was changed or is another's. */
export type SealProblem = { kind: "unknown-key"; keyId: string } | { kind: "damaged" };

/** The suites this deployment knows. */
interface SuiteRegistry {
  all: readonly Suite[];
  byId: (id: string) => Suite | undefined;
}

/** Everything outside that routes and pipeline use; only adapters know what is behind it. */
export interface Ports {
  suites: SuiteRegistry;
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
