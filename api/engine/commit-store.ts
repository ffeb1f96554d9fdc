import { settleQuota } from "../keys/quota-store.ts";
import {
  addSpend,
  BEYOND_ESTIMATE,
  PAUSE_AT_QUOTA,
  type paidSpend,
} from "../operator/spend-store.ts";
import { INSERT_SAMPLES, sampleValues } from "../runs/sample-store.ts";
import {
  type RunRecord,
  type SampleRecord,
  type SampleTable,
  sampleTables,
} from "../runs/schema.ts";
import { slotGrant, unitRange } from "./lease-store.ts";

/**
 * How many unclaimed units a lane requests: one in `oneIn`, at least `least` and at most `most`. If no more units
 * remain than `lastRound` and than the endpoint can take requests, and other lanes work on the run: `atOnce`. SQL computes
 * the number, because a lane knows what remains only as of its last commit.
 */
export interface Claim {
  oneIn: number;
  least: number;
  most: number;
  lastRound: number;
  atOnce: number;
}

/** One write of a lane: finished samples, the units that it keeps, and how many it claims. */
export interface Commit {
  runId: string;
  sampleTable: SampleTable;
  lane: number;
  attempt: number;
  /** Number of earlier commits of this attempt, so that a repeated commit is applied once. */
  commits: number;
  now: number;
  endpointCap: number;
  rows: SampleRecord[];
  /** Approximate bytes of their answers. */
  bytes?: number;
  /** Paid calls of judges for these samples. */
  spend?: ReturnType<typeof paidSpend>;
  /** Units in flight come first: if the holder dies, one of them is the cause. */
  keep: readonly number[];
  /** Whether the holder's first unit is finished, so that it did not cause the earlier crashes. */
  isCleared: boolean;
  inFlight: number;
  /** Null: claim nothing. */
  claim: Claim | null;
  /** Samples that got an answer since the last commit, whether or not they are in `rows`. */
  answered: number;
  /** How often the endpoint was overloaded since the last commit, and until when it asked for no calls. */
  overloads: number;
  notBefore: number;
  /** True if the answers were counted earlier, and only their judgments are new. */
  areCounted: boolean;
  /** Releases the lane, which may be taken again from `expiresAt`. */
  final: boolean;
  expiresAt: number;
}

/** The run after a commit, with the claimed units. `commit` returns null if the lease was lost. */
export interface CommitResult {
  claimed: number[];
  remaining: number;
  done: number;
  /** Samples of the run that have an answer. */
  answered: number;
  total: number;
  status: RunRecord["status"];
  /** Whether the run has a cost limit, or is limited by its account's quota of judge costs. */
  isBounded: boolean;
  slots: number;
  notBefore: number;
  /** Whether no other lane of the run is active or about to start. */
  isAlone: boolean;
}

/** Minimum time between changes of the slot limit, so that each can take effect. */
const LIMIT_STEP_MS = 1_000;

/**
 * Parameters of every statement: ?1 run, ?2 lane, ?3 now, ?4 cap of the endpoint, ?5 attempt, ?6 number of earlier
 * commits, ?7 parameter of the single statement.
 */
const HOLDS = `EXISTS (SELECT 1 FROM leases
  WHERE run_id = ?1 AND lane = ?2 AND attempt = ?5 AND commits = ?6)`;

/** A row is written once, except if its judgment comes later: then it is replaced. */
const INSERT_ROWS = (table: string) => `
  ${INSERT_SAMPLES(table, "?7")} WHERE ${HOLDS}
  ON CONFLICT (run_id, seq) DO UPDATE SET status = excluded.status, covered = excluded.covered,
    score = excluded.score, error_class = excluded.error_class, object = excluded.object,
    failed_judgments = excluded.failed_judgments
  WHERE ${table}.status = 'answered' AND excluded.status <> 'answered'`;

const insertRows = sampleTables.map(INSERT_ROWS);

/** Adds a number of this statement, but only if all rows were written. */
const added = (name: string) =>
  `CASE WHEN changes() = ?7 ->> 'rows' THEN ?7 ->> '${name}' ELSE 0 END`;

const wanted = (name: keyof Claim) => `(?7 ->> '$.claim.${name}')`;

const ALONE = `NOT EXISTS (SELECT 1 FROM leases
  WHERE run_id = ?1 AND lane <> ?2 AND slots > 0 AND expires_at > ?3)`;

/** Number of units that a commit assigns to its lane, computed from what remains when it is applied. */
const GIVEN = `CASE WHEN status <> 'running' THEN 0 ELSE
  max(0, min(units - cursor, CASE
    WHEN units - cursor <= min(slot_limit, ${wanted("lastRound")}) AND NOT ${ALONE} THEN ${wanted("atOnce")}
    ELSE max(${wanted("least")}, min(${wanted("most")},
      (units - cursor + ${wanted("oneIn")} - 1) / ${wanted("oneIn")})) END)) END`;

/**
 * changes() counts the rows that the previous statement wrote. The slot limit halves when the endpoint is overloaded,
 * and otherwise grows by a twentieth of the requested concurrency (additive increase, multiplicative decrease).
 */
const COUNT = `
  UPDATE runs SET
    done = done + changes(),
    failed = failed + ${added("failed")},
    input_tokens = input_tokens + ${added("inputTokens")},
    output_tokens = output_tokens + ${added("outputTokens")},
    unmetered = unmetered + ${added("unmetered")},
    failed_judgments = failed_judgments + ${added("failedJudgments")},
    stored_bytes = coalesce(stored_bytes, 0) + ${added("bytes")},
    given = ${GIVEN},
    cursor = cursor + ${GIVEN},
    slot_limit = CASE
      WHEN ?3 - slot_limit_changed_at < ${LIMIT_STEP_MS} THEN slot_limit
      WHEN ?7 ->> 'overloads' > 0 THEN max(1, slot_limit / 2)
      WHEN ?7 ->> 'answered' > 0 THEN min(concurrency, slot_limit + max(1, concurrency / 20))
      ELSE slot_limit END,
    slot_limit_changed_at = CASE
      WHEN ?3 - slot_limit_changed_at < ${LIMIT_STEP_MS} THEN slot_limit_changed_at
      WHEN ?7 ->> 'overloads' > 0 OR (?7 ->> 'answered' > 0 AND slot_limit < concurrency) THEN ?3
      ELSE slot_limit_changed_at END,
    not_before = max(not_before, ?7 ->> 'notBefore'),
    blocked_since = CASE
      WHEN ?7 ->> 'answered' > 0 THEN NULL
      WHEN ?7 ->> 'notBefore' > 0 THEN coalesce(blocked_since, ?3)
      ELSE blocked_since END
  WHERE id = ?1 AND ${HOLDS}`;

/** A cancelled or failed run returned the quota of unanswered samples; answers that arrive later are charged now. */
const CHARGE_LATE = settleQuota(`status IN ('cancelled', 'failed') AND ${HOLDS}`);

const ADD_SPEND = addSpend("?7", HOLDS);

/** Only when it changes something: `slots` is indexed, and each entry of an index is billed as a row. */
const GRANT = (most: number) => `
  UPDATE leases SET slots = granted FROM (SELECT
    CASE WHEN ?7 ->> 'final' THEN 0 ELSE max(?7 ->> 'inFlight', ${slotGrant(most)}) END AS granted)
  WHERE run_id = ?1 AND lane = ?2 AND attempt = ?5 AND commits = ?6 AND slots <> granted`;

const KEEP = `
  UPDATE leases SET commits = commits + 1,
    crashes = CASE WHEN ?7 ->> 'isCleared' THEN 0 ELSE crashes END,
    pending = ?7 ->> 'keep', expires_at = ?7 ->> 'expiresAt',
    claim_to = (SELECT cursor FROM runs WHERE id = ?1),
    claim_from = (SELECT cursor - given FROM runs WHERE id = ?1)
  WHERE run_id = ?1 AND lane = ?2 AND attempt = ?5 AND commits = ?6`;

const PAUSE_AT_COST = `
  UPDATE runs SET status = 'paused', status_reason = CASE WHEN unmetered > 0
    THEN 'the endpoint gives no token counts, so that maxCostUsd can''t be kept'
    ELSE 'maxCostUsd is reached' END
  WHERE id = ?1 AND status = 'running' AND phase = 'answering' AND done < total
    AND max_cost_usd IS NOT NULL
    AND (unmetered > 0 OR max_cost_usd <= (input_tokens * (prices ->> 'inputPerMillion')
      + output_tokens * max(prices ->> 'outputPerMillion',
        coalesce(prices ->> 'reasoningPerMillion', 0))) / 1e6)`;

const AFTER = (most: number) => `
  SELECT cursor, units, done, failed, total, status, not_before, l.attempt, l.commits,
    max_cost_usd IS NOT NULL OR ${BEYOND_ESTIMATE} AS is_bounded, l.claim_from, l.claim_to,
    ${slotGrant(most)} AS slots, ${ALONE} AS is_alone
  FROM runs JOIN leases l ON l.run_id = runs.id AND l.lane = ?2 WHERE runs.id = ?1`;

interface AfterRow {
  cursor: number;
  units: number;
  done: number;
  failed: number;
  total: number;
  status: CommitResult["status"];
  not_before: number;
  attempt: number;
  commits: number;
  is_bounded: number;
  claim_from: number;
  claim_to: number;
  slots: number;
  is_alone: number;
}

export function runCommits(d1: D1Database, laneRequests: number) {
  const [grant, after] = [GRANT(laneRequests), AFTER(laneRequests)];
  return {
    /**
     * One transaction: rows, counters, limits, the next claim and the lease. Null if another holder has taken the
     * lease, in which case nothing is written. After a lost reply the same commit may be sent again: it returns the
     * same result and changes nothing.
     */
    async commit(commit: Commit): Promise<CommitResult | null> {
      const { runId, lane, now, endpointCap, attempt, commits } = commit;
      const holder = [runId, lane, now, endpointCap, attempt, commits] as const;
      const charges = commit.rows.length === 0 ? [] : CHARGE_LATE;
      const results = await d1.batch<AfterRow>([
        d1
          .prepare(insertRows[commit.sampleTable]!)
          .bind(...holder, JSON.stringify(commit.rows.map(sampleValues))),
        d1.prepare(COUNT).bind(...holder, JSON.stringify(sums(commit))),
        ...charges.map((statement) => d1.prepare(statement).bind(...holder)),
        ...spendStatements(d1, commit, holder),
        d1.prepare(grant).bind(...holder, JSON.stringify(kept(commit))),
        d1.prepare(KEEP).bind(...holder, JSON.stringify(kept(commit))),
        d1.prepare(PAUSE_AT_COST).bind(runId),
        d1.prepare(after).bind(runId, lane, now, endpointCap),
      ]);
      const run = results.at(-1)?.results[0];
      if (run?.attempt !== attempt || run.commits !== commits + 1) return null;
      return {
        claimed: unitRange(run.claim_from, run.claim_to, run.units),
        remaining: Math.max(0, run.units - run.cursor),
        done: run.done,
        answered: run.done - run.failed,
        total: run.total,
        status: run.status,
        isBounded: run.is_bounded === 1,
        slots: run.slots,
        notBefore: run.not_before,
        isAlone: run.is_alone === 1,
      };
    },
  };
}

/** Books the calls together with their rows, so that they count however the run ends. */
function spendStatements(d1: D1Database, { spend }: Commit, holder: readonly unknown[]) {
  if (!spend) return [];
  const [takeOff, add, count] = ADD_SPEND as [string, string, string];
  return [
    d1.prepare(takeOff).bind(...holder),
    d1.prepare(add).bind(...holder, JSON.stringify(spend)),
    d1.prepare(count).bind(...holder),
    d1.prepare(PAUSE_AT_QUOTA).bind(holder[0]),
  ];
}

function sums({ rows, bytes = 0, areCounted, claim, answered, overloads, notBefore }: Commit) {
  // Answers in the judging phase were counted when they arrived.
  const fresh = areCounted ? [] : rows;
  const sum = (of: (row: SampleRecord) => number | null) =>
    fresh.reduce((total, row) => total + (of(row) ?? 0), 0);
  return {
    rows: rows.length,
    bytes,
    failed: sum((row) => Number(!row.covered)),
    inputTokens: sum((row) => row.inputTokens),
    outputTokens: sum((row) => row.outputTokens),
    unmetered: sum((row) => Number(row.covered && isUnmetered(row))),
    failedJudgments: rows.reduce((total, row) => total + row.failedJudgments, 0),
    claim: claim ?? NO_CLAIM,
    answered,
    overloads,
    notBefore,
  };
}

const NO_CLAIM: Claim = { oneIn: 1, least: 0, most: 0, lastRound: 0, atOnce: 0 };

const isUnmetered = ({ inputTokens, outputTokens }: SampleRecord): boolean =>
  inputTokens === null || outputTokens === null;

const kept = ({ isCleared, keep, inFlight, final, expiresAt }: Commit) => ({
  isCleared: isCleared ? 1 : 0,
  keep: JSON.stringify(keep),
  inFlight,
  expiresAt,
  final: final ? 1 : 0,
});
