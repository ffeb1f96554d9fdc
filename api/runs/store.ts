import { eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { Estimate } from "#shared/contracts/metric.ts";
import type { Summary } from "#shared/contracts/suite.ts";
import { countAttempt } from "../boards/attempt-store.ts";
import { commitSamples } from "../engine/commit-store.ts";
import { isLaneWaiting, overdueWaits, stalledWork, takeLease } from "../engine/lease-store.ts";
import {
  beginJudging,
  countersOfRows,
  type JudgingStart,
  type RunRetry,
  retryRun,
} from "../engine/phase-store.ts";
import { chargeQuota, isOverQuota, messages } from "../keys/quota-store.ts";
import type { Charge } from "../platform/limit-ports.ts";
import type { NewRun, NewSubmission, RunRecord, SampleRecord } from "../platform/ports.ts";
import { runs, submissions } from "../platform/schema.ts";
import type { EndpointMemory } from "../providers/endpoint-memory.ts";
import { precedents, runReads } from "./read-store.ts";
import { sampleReads } from "./sample-store.ts";
import { runStatus } from "./status-store.ts";
import { runVisibility } from "./visibility-store.ts";

/** D1 takes 100 parameters a statement, and a run has some fifty columns. */
const RUNS_PER_INSERT = 1;

/** Runs, their leases and their sample rows in D1. */
export function runStore(d1: D1Database): RunStore {
  return {
    ...runReads(d1),
    ...sampleReads(d1),
    ...runStatus(d1),
    ...runVisibility(d1),
    ...precedents(d1),
    insert: (submission, newRuns, charge) => insertSubmission(d1, submission, newRuns, charge),
    takeLease: (request) => takeLease(d1, request),
    commit: (commit) => commitSamples(d1, commit),
    retry: (retry) => retryRun(d1, retry),
    beginJudging: (beginning) => beginJudging(d1, beginning),
    overdueWaits: (now, mostMs, since) => overdueWaits(d1, now, mostMs, since),
    stalled: (before) => stalledWork(d1, before),
    isLaneWaiting: (phase, now) => isLaneWaiting(d1, phase, now),

    async remember(runId, { refusedModes, refusedParameters, notes }) {
      if (notes.length === 0) return;
      const lists = [refusedModes, refusedParameters, notes].map((list) =>
        JSON.stringify([...list]),
      );
      await d1
        .prepare(REMEMBER)
        .bind(runId, ...lists)
        .run();
    },

    recount: (runId) => recount(d1, runId),
  };
}

const union = (stored: string, given: string) => `(
  SELECT json_group_array(value) FROM (
    SELECT value FROM json_each(${stored}) UNION SELECT value FROM json_each(${given})))`;

/** In one statement, since lanes learn side by side. */
const REMEMBER = `
  UPDATE runs SET
    refused = json_object('modes', ${union("refused ->> 'modes'", "?2")},
      'parameters', ${union("refused ->> 'parameters'", "?3")}),
    notes = ${union("notes", "?4")}
  WHERE id = ?1`;

async function recount(d1: D1Database, runId: string): Promise<void> {
  await d1
    .prepare(`UPDATE runs SET ${countersOfRows("runs.phase")} WHERE id = ?1`)
    .bind(runId)
    .run();
}

/** A run may be hidden between the moment that it was read and the one that its copy is stored. */
const hideWithParent = (d1: D1Database, runId: string) =>
  drizzle(d1)
    .update(runs)
    .set({ hiddenReason: sql`(SELECT hidden_reason FROM runs p WHERE p.id = runs.parent_id)` })
    .where(eq(runs.id, runId));

/** The submission's row comes first: where its id is taken, nothing is charged again. */
async function insertSubmission(
  d1: D1Database,
  submission: NewSubmission,
  newRuns: NewRun[],
  charge: Charge | null,
): ReturnType<RunStore["insert"]> {
  const db = drizzle(d1);
  const groups = [];
  for (let i = 0; i < newRuns.length; i += RUNS_PER_INSERT) {
    groups.push(db.insert(runs).values(newRuns.slice(i, i + RUNS_PER_INSERT)));
  }
  const copies = newRuns.filter(({ parentId }) => parentId != null);
  const hidings = copies.map(({ id }) => hideWithParent(d1, id));
  const charges = charge === null ? [] : [chargeQuota(d1, charge)];
  const counts = newRuns.flatMap((run) => countAttempt(d1, run) ?? []);
  try {
    const first = db.insert(submissions).values(submission);
    await db.batch([first, ...charges, ...groups, ...hidings, ...counts]);
    return "stored";
  } catch (error) {
    if (isOverQuota(error)) return "over-quota";
    if (messages(error).includes("UNIQUE constraint failed: submissions.id")) return "exists";
    throw error;
  }
}

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
  /** Units to begin with, for the first holder of the lane. */
  claim: number;
}

/**
 * The outcome of a wish for a lane: taken, with the attempt that fences it, the units it holds, the
 * requests it may have in flight and how many holders vanished before; resting, since the endpoint can take no more just now; held by
 * another; or pointless, since the run has ended.
 */
export type LeaseTaking =
  | { kind: "taken"; attempt: number; slots: number; crashes: number; units: number[] }
  | { kind: "resting"; until: number }
  | { kind: "held" | "ended" };

/**
 * How many units a lane wants of those that no lane has claimed. The store works it out, since a lane knows their number
 * as of its last commit only: one in `oneIn`, at least `least` and at most `most`; `atOnce` where no more are left
 * than `lastRound` and than requests that the endpoint can take.
 */
export interface Claim {
  oneIn: number;
  least: number;
  most: number;
  lastRound: number;
  atOnce: number;
}

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
  /** Null: none are wanted. */
  claim: Claim | null;
  /** Samples with an answer that were finished since the last commit, be they among `rows` or yet to come. */
  answered: number;
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

/** Which runs tell something about one to come. */
export type PrecedentQuery =
  | { suite: string; datasetName: string; metered: true }
  | { suite: string; called: true }
  | { modelSlug: string; called: true };

/** A run that came into view or out of it, and the board that it is on. */
export interface WithdrawnRun {
  id: string;
  boardId: string | null;
  visibility: RunRecord["visibility"];
}

/** What ranks a run on a board: ten thousand of them fit into memory. */
export interface BoardCandidate {
  run: string;
  model: { slug: string };
  headline: Estimate;
  promptDeclared: boolean;
}

/** What the cron job restarts. */
export interface StalledWork {
  lanes: { run: string; phase: RunRecord["phase"]; lane: number }[];
  complete: string[];
  miscounted: { id: string; retries: number }[];
}

/** A run whose endpoint, or a judge's, has asked for later calls for too long. */
export interface WaitedOut {
  id: string;
  phase: RunRecord["phase"];
  retries: number;
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
    summed: Pick<Summary, "metrics"> &
      Pick<RunRecord, "codeRevision"> &
      Required<Pick<RunRecord["model"], "served">>,
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
   * Hides a run with those that scored its answers again, or shows them again for null: gives all of
   * them, none where it is gone.
   */
  hide(runId: string, reason: string | null, now: number): Promise<WithdrawnRun[]>;
  /**
   * Ends a run and marks it as deleted, with those that the service made of its answers: gives all of them,
   * none where it is so already.
   */
  remove(runId: string, now: number): Promise<WithdrawnRun[]>;
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
  /** Several runs, in any order; those that are not there are left out. */
  some(ids: readonly string[]): Promise<RunRecord[]>;
  /** The newest finished run of each model that is listed on a board. */
  newestOnBoard(boardId: string): Promise<BoardCandidate[]>;
  /** Listed runs that finished after a time. */
  finishedOnBoard(boardId: string, after: number): Promise<RunRecord[]>;
  /** Those of the runs that anybody may read. */
  inView(runIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** The newest finished run of a kind that is public or the owner's. */
  precedent(query: PrecedentQuery, owner: string): Promise<RunRecord | null>;
  /** Mean over the requests of a run's first samples; null where none was timed. */
  meanLatencyMs(runId: string): Promise<number | null>;
  /**
   * Lanes that nothing has worked on since `before`, complete runs, and runs that hold nothing to do
   * though their counters say that samples are missing: a few of these.
   */
  stalled(before: number): Promise<StalledWork>;
  /**
   * Ends waits of more than `mostMs` from `now`, which rows of earlier versions may have, and gives the runs that
   * have waited since `since` or longer without an answer in between: a hundred at most.
   */
  overdueWaits(now: number, mostMs: number, since: number): Promise<WaitedOut[]>;
  /** Whether a lane of some run that is in `phase` has work and nobody who does it. */
  isLaneWaiting(phase: RunRecord["phase"], now: number): Promise<boolean>;
  /** Finished runs of a suite's canaries under some judges, newest first. */
  canaries(suite: string, scoringVersion: string): Promise<RunRecord[]>;
  /** Public variants of a submission's sweep that can be read, newest first; null while some have not ended. */
  endedSweep(submissionId: string): Promise<Pick<RunRecord, "id" | "finishedAt">[] | null>;
}
