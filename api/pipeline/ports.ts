import type { Answer } from "#shared/contracts/answer.ts";
import type { ChatRequest } from "#shared/contracts/chat-request.ts";
import type { Dataset } from "#shared/contracts/dataset.ts";
import type { Json } from "#shared/contracts/json.ts";
import type { LeaderboardEntry } from "#shared/contracts/leaderboard.ts";
import type { Endpoint } from "#shared/contracts/submission.ts";
import type { SampleHead, Suite, Summary } from "#shared/contracts/suite.ts";
import type { apiKeys, boards, runs, samples, submissions } from "../db/schema.ts";
import type { FinishMessage, LaneMessage } from "./messages.ts";

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
  slots: number;
  notBefore: number;
}

export type ApiKeyRecord = typeof apiKeys.$inferSelect;

/** API keys, of which only the SHA-256 is kept. */
export interface ApiKeyStore {
  insert(key: ApiKeyRecord): Promise<void>;
  byHash(hash: string): Promise<ApiKeyRecord | null>;
  list(): Promise<ApiKeyRecord[]>;
  /** Null where there is no such key, or it is revoked already. */
  revoke(id: string, now: number): Promise<ApiKeyRecord | null>;
  markUsed(hash: string, now: number): Promise<void>;
}

export interface RunStore {
  insert(submission: NewSubmission, runs: NewRun[]): Promise<void>;
  submission(id: string): Promise<{ submission: NewSubmission; runs: RunRecord[] } | null>;
  get(id: string): Promise<RunRecord | null>;
  /** Marks a queued run as running and takes the lane's lease unless another holds it. */
  takeLease(request: LeaseRequest): Promise<LeaseTaking>;
  commit(commit: Commit): Promise<CommitResult | null>;
  /** Keeps what a lane has learnt of the endpoint with the run. */
  remember(runId: string, memory: EndpointMemory): Promise<void>;
  /** The run's counters made equal to its rows. */
  recount(runId: string): Promise<void>;
  /** Changes of status; false where the run was in no status that allows it. */
  finish(runId: string, metrics: Summary["metrics"], now: number): Promise<boolean>;
  fail(runId: string, reason: string, now: number): Promise<boolean>;
  cancel(runId: string, now: number): Promise<boolean>;
  pause(runId: string, reason: string | null): Promise<boolean>;
  resume(runId: string): Promise<boolean>;
  samples(runId: string, after: number, limit: number): Promise<SampleRecord[]>;
  sample(runId: string, seq: number): Promise<SampleRecord | null>;
  finishedOnBoard(boardId: string): Promise<RunRecord[]>;
  /** Runs and lanes that nothing seems to work on any more. */
  stalled(now: number): Promise<{ lanes: { run: string; lane: number }[]; complete: string[] }>;
  /** All public runs that ended, newest first. */
  published(limit: number): Promise<RunRecord[]>;
}

export interface BoardStore {
  ensure(
    board: Omit<BoardRecord, "entries" | "updatedAt" | "leaseExpiresAt">,
    now: number,
  ): Promise<void>;
  get(id: string): Promise<BoardRecord | null>;
  find(suite: string, datasetName: string, version: string | null): Promise<BoardRecord | null>;
  /** The default boards that list a model, the one with its newest run first. */
  ofModel(slug: string, suite: string | null): Promise<BoardRecord[]>;
  all(): Promise<BoardRecord[]>;
  /** Boards with a run that finished since they were ranked. */
  outdated(): Promise<string[]>;
  /** False when another holds the board's lease. */
  lock(id: string, now: number, expiresAt: number): Promise<boolean>;
  write(id: string, entries: LeaderboardEntry[], now: number): Promise<void>;
}

/** A dataset's samples in order, without their bodies. */
export interface DatasetIndex {
  heads: (SampleHead & { tags: Record<string, string> })[];
}

export interface DatasetStore {
  /** Stores rows in chunks; the same version twice is a no-op. */
  put(
    dataset: Dataset & { owner: string },
    index: DatasetIndex,
    rows: readonly Json[],
  ): Promise<void>;
  /** Newest version of the name, or the one whose version starts with `version`. */
  find(
    suite: string,
    name: string,
    version: string | null,
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
  /** When the answer was in, ms from the run's start. */
  doneMs: number;
  score: { status: SampleRecord["status"]; score: number | null; covered: boolean; detail: Json };
}

/** JSON objects by key. Keys are written once, except the pointer to the newest snapshot. */
export interface ObjectStore {
  put(key: string, value: unknown): Promise<void>;
  get<T>(key: string): Promise<T | null>;
}

export interface Queues {
  lanes(messages: readonly LaneMessage[], delaySeconds?: number): Promise<void>;
  finish(message: FinishMessage): Promise<void>;
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
  markPublished(hash: string, changes: number): Promise<void>;
  markHookCalled(changes: number, at: number): Promise<void>;
}

/** Seals secrets for one run and opens them again. */
export interface Sealer {
  seal(runId: string, secret: string): Promise<string>;
  open(runId: string, sealed: string): Promise<string>;
}

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
  sealer: Sealer;
  apiKeys: ApiKeyStore;
  ask: AskModel;
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
  /** Longest time a lane works before it hands itself on. */
  laneSpanMaxMs: number;
  /** Least time between two calls of the rebuild hook. */
  rebuildIntervalMs: number;
}
