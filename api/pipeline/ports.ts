import type { Answer } from "#shared/contracts/answer.ts";
import type { ChatRequest } from "#shared/contracts/chat-request.ts";
import type { Dataset } from "#shared/contracts/dataset.ts";
import type { Json } from "#shared/contracts/json.ts";
import type { Result } from "#shared/contracts/result.ts";
import type { Endpoint } from "#shared/contracts/submission.ts";
import type { SampleHead, SampleScore, Suite, Summary } from "#shared/contracts/suite.ts";
import type { apiKeys, boards, runs, samples, submissions } from "../db/schema.ts";
import type { DriftStore } from "./drift-ports.ts";
import type { JudgingPort } from "./judging-port.ts";
import type { Charge, IdempotencyStore, RateLimiter, UsageStore } from "./limit-ports.ts";
import type { DeliveryMessage, FinishMessage, LaneMessage } from "./messages.ts";
import type { JudgingStart, RunRetry } from "./phase-start.ts";
import type { ScheduleStore } from "./schedule-ports.ts";
import type { DeliveryStore, PostWebhook, WebhookStore } from "./webhook-ports.ts";

export type RunRecord = typeof runs.$inferSelect;
export type NewRun = typeof runs.$inferInsert;
export type NewSubmission = typeof submissions.$inferInsert;
export type SampleRecord = typeof samples.$inferSelect;
export type BoardRecord = typeof boards.$inferSelect;

/** Who wants which lane, and until when. */
export interface LeaseRequest {
  runId: string;
  lane: number;
  now: number;
  /** Requests that all runs together may have in flight at one endpoint. */
  endpointCap: number;
  expiresAt: number;
  /** Where no slot is free: when to ask again, at the earliest. */
  restUntil: number;
  holder: string;
}

/**
 * What became of a wish for a lane: taken, with the attempt that fences it, the units it holds, the
 * requests it may have in flight and how many holders vanished before; resting, since the endpoint bears no more just now; held by
 * another; or pointless, since the run has ended.
 */
export type LeaseTaking =
  | { kind: "taken"; attempt: number; slots: number; crashes: number; units: number[] }
  | { kind: "resting"; until: number }
  | { kind: "held" | "ended" };

/** What a lane writes at once: finished samples, the units it keeps, how many more it wants. */
export interface Commit {
  runId: string;
  lane: number;
  attempt: number;
  /** Commits of this attempt before: one that comes twice is applied once. */
  commits: number;
  now: number;
  endpointCap: number;
  rows: SampleRecord[];
  keep: readonly number[];
  inFlight: number;
  claim: number;
  /** Times that the endpoint was overloaded since the last commit, and until when it wants peace. */
  overloads: number;
  notBefore: number;
  /** Whether the answers were counted before, and only their judgments are new. */
  areCounted: boolean;
  /** The lane is given up; it rests until `expiresAt`. */
  final: boolean;
  expiresAt: number;
}

/** The run after a commit, with the units it gave; null from `commit` means: the lease was lost. */
export interface CommitResult {
  claimed: number[];
  remaining: number;
  done: number;
  total: number;
  status: RunRecord["status"];
  /** Whether its spending has a limit, which may have come with a resumption. */
  isBounded: boolean;
  slots: number;
  notBefore: number;
}

export type ApiKeyRecord = typeof apiKeys.$inferSelect;

/** API keys, of which only the SHA-256 is kept. */
export interface ApiKeyStore {
  insert(key: ApiKeyRecord): Promise<void>;
  byHash(hash: string): Promise<ApiKeyRecord | null>;
  byId(id: string): Promise<ApiKeyRecord | null>;
  list(): Promise<ApiKeyRecord[]>;
  /** Null where there is no such key, or it is revoked already. */
  revoke(id: string, now: number): Promise<ApiKeyRecord | null>;
  markUsed(hash: string, now: number): Promise<void>;
}

/** Which runs tell something about one to come. */
export type PrecedentQuery =
  | { suite: string; datasetName: string; metered: true }
  | { suite: string; called: true }
  | { modelSlug: string; called: true };

/** A run that came into view or out of it, and the board that it stands on. */
export interface WithdrawnRun {
  id: string;
  boardId: string | null;
  visibility: RunRecord["visibility"];
}

/** What the sweep sets going again. */
export interface StalledWork {
  lanes: { run: string; phase: RunRecord["phase"]; lane: number }[];
  complete: string[];
  miscounted: { id: string; retries: number }[];
}

/** Which of a run's samples to list, and how. */
export interface SampleQuery {
  /** By place, or by score with the lowest first and those without one last; ties by place. */
  order: "seq" | "score";
  /** Place of the sample before the page; null: the first page. */
  after: number | null;
  limit: number;
  status: SampleRecord["status"] | null;
  covered: boolean | null;
}

/** Neighbouring places in a run, both ends included. */
export interface SeqRange {
  from: number;
  to: number;
}

export interface RunStore {
  /**
   * Stores a submission with its runs and takes their samples from the quota, all or nothing.
   * `exists`: the id is taken, by the same request that came before.
   */
  insert(
    submission: NewSubmission,
    runs: NewRun[],
    charge: Charge | null,
  ): Promise<"stored" | "exists" | "over-quota">;
  submission(id: string): Promise<{ submission: NewSubmission; runs: RunRecord[] } | null>;
  get(id: string): Promise<RunRecord | null>;
  /** Marks a queued run as running and takes the lane's lease unless another holds it. */
  takeLease(request: LeaseRequest): Promise<LeaseTaking>;
  commit(commit: Commit): Promise<CommitResult | null>;
  /** Keeps what a lane has learnt of the endpoint with the run. */
  remember(runId: string, memory: EndpointMemory): Promise<void>;
  /** Has the answers of a run judged, all of which are in; false where that began already. */
  beginJudging(beginning: JudgingStart): Promise<boolean>;
  /** The run's counters made equal to its rows. */
  recount(runId: string): Promise<void>;
  /** Changes of status; false where the run was in no status that allows it. */
  /** False, too, where the run has been retried since it was read. */
  finish(
    run: Pick<RunRecord, "id" | "retries">,
    metrics: Summary["metrics"],
    now: number,
  ): Promise<boolean>;
  /** With `retries`, false where the run has been retried since it had so many. */
  fail(runId: string, reason: string, now: number, retries?: number): Promise<boolean>;
  cancel(runId: string, now: number): Promise<boolean>;
  /** False, too, where no sample is missing any more. */
  pause(runId: string, reason: string | null): Promise<boolean>;
  resume(runId: string, limit: { maxCostUsd: number | null }): Promise<boolean>;
  /** Opens an ended run again; `changed`: it has changed since, or its answers are being read. */
  retry(retry: RunRetry): Promise<"retried" | "changed" | "over-quota">;
  /**
   * Hides a run with those that scored its answers anew, or shows them again for null: gives all of
   * them, none where it is gone.
   */
  hide(runId: string, reason: string | null): Promise<WithdrawnRun[]>;
  /** Ends a run and marks it as deleted; false where it is so already. */
  remove(runId: string, now: number): Promise<boolean>;
  samples(runId: string, after: number, limit: number): Promise<SampleRecord[]>;
  /** A few samples by their places, ascending. */
  samplesAt(runId: string, seqs: readonly number[]): Promise<SampleRecord[]>;
  /** A page of samples in some order; unless by place and without a filter it reads all of the run's rows. */
  sampleList(runId: string, query: SampleQuery): Promise<SampleRecord[]>;
  /** Where a run has samples with an answer, ascending. */
  coveredRanges(runId: string): Promise<SeqRange[]>;
  /** Where samples have all of their judgments, or need none, ascending. */
  judgedRanges(runId: string): Promise<SeqRange[]>;
  /** When a run's last answer was in, ms from its start; null where nothing was asked. */
  lastDoneMs(runId: string): Promise<number | null>;
  sample(runId: string, seq: number): Promise<SampleRecord | null>;
  finishedOnBoard(boardId: string): Promise<RunRecord[]>;
  /** The newest finished run of a kind that is public or the owner's. */
  precedent(query: PrecedentQuery, owner: string): Promise<RunRecord | null>;
  /** Mean over the requests of a run's first samples; null where none was timed. */
  meanLatencyMs(runId: string): Promise<number | null>;
  /**
   * Lanes that nothing has worked on since `before`, complete runs, and runs that hold nothing to do
   * though their counters say that samples are missing: a few of these.
   */
  stalled(before: number): Promise<StalledWork>;
  /** All public runs that ended, newest first. */
  published(limit: number): Promise<RunRecord[]>;
  /** Finished runs of a suite's canaries under some judges, newest first. */
  canaries(suite: string, scoringVersion: string): Promise<RunRecord[]>;
  /** Submissions with variants of a sweep that have not ended. */
  openSweeps(): Promise<string[]>;
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
  ensure(
    board: Omit<
      BoardRecord,
      "entries" | "comparedSamples" | "tests" | "updatedAt" | "leaseExpiresAt"
    >,
    now: number,
  ): Promise<void>;
  get(id: string): Promise<BoardRecord | null>;
  find(suite: string, datasetName: string, version: string | null): Promise<BoardRecord | null>;
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
  /** Boards with a run that ended, or came into view or out of it, since they were ranked. */
  outdated(): Promise<string[]>;
  /** False when another holds the board's lease. */
  lock(id: string, now: number, expiresAt: number): Promise<boolean>;
  /** Gives back a lease that ends at `expiresAt`, unless another holds it by now. */
  unlock(id: string, expiresAt: number): Promise<void>;
  write(
    id: string,
    ranked: Pick<BoardRecord, "entries" | "comparedSamples" | "tests">,
    now: number,
  ): Promise<void>;
}

/** A dataset's samples in order, without their bodies. */
export interface DatasetIndex {
  heads: (SampleHead & { tags: Record<string, string> })[];
}

/** Who looks for something; `anyOwner`: as if it were everybody's. */
export interface Reader {
  owner: string;
  anyOwner: boolean;
}

export interface DatasetStore {
  /** Stores rows in chunks; the same version twice is a no-op. */
  put(
    dataset: Dataset & { owner: string },
    index: DatasetIndex,
    rows: Iterable<Json>,
  ): Promise<void>;
  /**
   * Newest version of the name, or the one whose version starts with `version`; with a reader, of
   * those that it may use. Names can be guessed, so an unlisted version is there for its owner,
   * admins, and whoever knows all of its version.
   */
  find(
    suite: string,
    name: string,
    version: string | null,
    reader?: Reader,
  ): Promise<(Dataset & { owner: string }) | null>;
  list(suite: string | null): Promise<Dataset[]>;
  index(suite: string, version: string): Promise<DatasetIndex>;
  /** The row at a position, checked on upload. */
  row(suite: string, version: string, position: number): Promise<Json>;
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

/** JSON objects by key. Keys are written once, except the pointer to the newest snapshot. */
export interface ObjectStore {
  put(key: string, value: unknown): Promise<void>;
  get<T>(key: string): Promise<T | null>;
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

/** What one lane has learnt of its endpoint: shared by its requests, kept with the run. */
export interface EndpointMemory {
  /** Answers 429 and 503 since the last commit. */
  overloads: number;
  refusedModes: Set<string>;
  refusedParameters: Set<string>;
  notes: string[];
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

export interface PublicationStore {
  markChanged(): Promise<void>;
  state(): Promise<{
    changes: number;
    published: number;
    hooked: number;
    hookCalledAt: number;
    hash: string | null;
  }>;
  /** Nothing, where later changes are published already. */
  markPublished(hash: string, changes: number): Promise<void>;
  markHookCalled(changes: number, at: number): Promise<void>;
}

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

/** Everything outside that routes and pipeline use; only adapters know what stands behind it. */
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
  apiKeys: ApiKeyStore;
  usage: UsageStore;
  idempotency: IdempotencyStore;
  limiter: RateLimiter;
  ask: AskModel;
  judging: JudgingPort;
  drifts: DriftStore;
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
export interface Settings {
  requireApiKey: boolean;
  allowPrivateEndpoints: boolean;
  /** Requests in flight at one endpoint, all runs together. */
  endpointConcurrencyMax: number;
  /** After how long canaries are judged again, 0: never by itself, and on which dataset. */
  canaryIntervalMs: number;
  canaryDataset: string;
  /** Answers of the reference that judges are asked about anew at a re-evaluation; 0: none. */
  driftJudgedSamples: number;
  /** A lane whose holder is silent for so long is taken from it. */
  leaseMs: number;
  /** Longest time a lane works before it hands itself on. */
  laneSpanMaxMs: number;
  /** Least time between two calls of the rebuild hook. */
  rebuildIntervalMs: number;
  /** Days that raw answers are kept after the end of their run; 0: for ever. */
  rawRetentionDays: number;
  /** Samples a day of keys without a quota of their own; null: no quota. */
  dailySampleQuota: number | null;
}
