import { and, asc, eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { PublicKey } from "#shared/contracts/boards/result-statement.ts";
import type { Leased } from "#shared/contracts/submissions/runner.ts";
import { LIVE } from "../platform/sql.ts";
import { type RunnerRecord, runners } from "./schema.ts";

export type RunnerId = Pick<RunnerRecord, "owner" | "name">;

/** A request as a lane stores it; `text` is null if it is an object in R2. */
export interface NewRequest {
  id: string;
  text: string | null;
}

/** A request and its run; `text` is null if it is an object in R2. */
export interface StoredRequest extends NewRequest {
  runId: string;
}

/**
 * What a lane finds out about a request. `lost`: runners leased it too often without a reply. `gone`: it was deleted.
 */
export type Found =
  | { id: string; kind: "lost" }
  | { id: string; kind: "waiting" }
  | { id: string; kind: "gone" }
  | { id: string; kind: "replied"; lease: string; text: string | null };

/** After this many leases without a reply the request fails: it may be what crashes the runners. */
const LEASES_MAX = 5;
/** Resolution of "last seen": at most one row write in this time. */
const SEEN_RESOLUTION_MS = 10_000;

/** Maximum runners of an account, and machines that share one runner's name. */
export const RUNNERS_MAX = 100;
export const KEYS_MAX = 20;

const ITS = `owner = ?1 AND runner = ?2`;

/** Checks the limits in the insert, because concurrent requests would exceed them together after a separate count. */
const REGISTER = `
  INSERT INTO runners (owner, name, keys, created_at) SELECT ?1, ?2, json_array(json(?3)), ?4
  WHERE EXISTS (SELECT 1 FROM runners WHERE owner = ?1 AND name = ?2)
    OR (SELECT count(*) FROM runners WHERE owner = ?1) < ${RUNNERS_MAX}
  ON CONFLICT DO UPDATE SET keys = json_insert(keys, '$[#]', json(?3))
  WHERE json_array_length(keys) < ${KEYS_MAX} AND NOT EXISTS (SELECT 1 FROM json_each(keys) WHERE value ->> 'kid' = json(?3) ->> 'kid')`;

const SEEN = `
  UPDATE runners SET last_seen_at = ?3
  WHERE owner = ?1 AND name = ?2 AND coalesce(last_seen_at, 0) <= ?3 - ${SEEN_RESOLUTION_MS}`;

/** Runs that wait for a runner. Further parameter: ?3 now. */
const WAITING = `
  SELECT id FROM runs WHERE status IN ('queued', 'running') AND not_before > ?3 AND owner = ?1
    AND endpoint ->> 'runner' = ?2`;

const WAKE = [
  `UPDATE leases SET expires_at = ?3 WHERE slots = 0 AND expires_at > ?3 AND run_id IN (${WAITING})`,
  `UPDATE runs SET not_before = ?3 WHERE id IN (${WAITING})`,
];

/**
 * Repeated with the same token after a lost reply, it leases no more. Further parameters: ?3 token, ?4 count, ?5 now,
 * ?6 until.
 */
const LEASE = `
  UPDATE runner_requests SET lease = ?3, leases = leases + 1, lease_until = ?6
  WHERE ${ITS} AND id IN (
    SELECT id FROM runner_requests
    WHERE ${ITS} AND replied_at IS NULL AND lease_until <= ?5 AND leases < ${LEASES_MAX}
      AND EXISTS (SELECT 1 FROM runs WHERE id = run_id AND status = 'running')
    ORDER BY created_at, id
    LIMIT max(0, ?4 - (SELECT count(*) FROM runner_requests WHERE ${ITS} AND lease = ?3)))`;

const LEASED = `
  SELECT id, run_id AS runId, request AS text FROM runner_requests
  WHERE ${ITS} AND lease = ?3 AND replied_at IS NULL ORDER BY created_at, id`;

/** Further: ?3 held requests, ?4 now, ?5 until. A lease is renewed once half of it is over, because writes cost money. */
const RENEW = `
  UPDATE runner_requests SET lease_until = ?5
  WHERE ${ITS} AND (id, lease) IN (SELECT value ->> 'id', value ->> 'lease' FROM json_each(?3))
    AND replied_at IS NULL AND lease_until < (?4 + ?5) / 2`;

const HELD = `
  SELECT id FROM runner_requests
  WHERE ${ITS} AND (id, lease) IN (SELECT value ->> 'id', value ->> 'lease' FROM json_each(?3))
    AND EXISTS (SELECT 1 FROM runs WHERE id = run_id AND status IN ${LIVE})`;

/** Further: ?3 id, ?4 lease, ?5 reply, ?6 now. */
const REPLY = `
  UPDATE runner_requests SET reply = ?5, replied_at = ?6
  WHERE ${ITS} AND id = ?3 AND lease = ?4 AND replied_at IS NULL`;

/** changes() counts the rows that the previous statement wrote. */
const SIGNED = `
  UPDATE runs SET runner_keys = json_insert(coalesce(runner_keys, '[]'), '$[#]', ?2)
  WHERE changes() > 0 AND id = ?1
    AND NOT EXISTS (SELECT 1 FROM json_each(coalesce(runner_keys, '[]')) WHERE value = ?2)`;

const ONE = `
  SELECT run_id AS runId, lease, replied_at AS repliedAt FROM runner_requests WHERE ${ITS} AND id = ?3`;

/** Further: ?3 run, ?4 requests, ?5 now. */
const ASK = `
  INSERT INTO runner_requests (owner, runner, id, run_id, request, created_at)
  SELECT ?1, ?2, value ->> 'id', ?3, value ->> 'text', ?5 FROM json_each(?4) WHERE true
  ON CONFLICT DO NOTHING`;

/** Returns at least one row, for the runner. Further: ?3 ids, ?4 now. */
const LOOK = `
  SELECT n.last_seen_at AS lastSeenAt, q.id, q.lease, q.reply AS text, CASE
    WHEN q.replied_at IS NOT NULL THEN 'replied'
    WHEN q.leases >= ${LEASES_MAX} AND q.lease_until <= ?4 THEN 'lost'
    ELSE 'waiting' END AS kind
  FROM (SELECT 1) LEFT JOIN runners n ON n.owner = ?1 AND n.name = ?2
  LEFT JOIN runner_requests q ON q.owner = ?1 AND q.runner = ?2 AND q.id IN (SELECT value FROM json_each(?3))`;

const FORGET = `
  DELETE FROM runner_requests WHERE ${ITS} AND id IN (SELECT value FROM json_each(?3))`;

const LEFT = `
  SELECT owner, runner AS name, id, run_id AS runId, lease FROM runner_requests
  WHERE NOT EXISTS (SELECT 1 FROM runs WHERE id = run_id AND status IN ${LIVE}) LIMIT ?1`;

export type RunnerStore = ReturnType<typeof runnerStore>;

export function runnerStore(d1: D1Database) {
  const db = drizzle(d1);
  const of = ({ owner, name }: RunnerId) => and(eq(runners.owner, owner), eq(runners.name, name));
  const prepare = (sql: string, { owner, name }: RunnerId, ...values: (string | number | null)[]) =>
    d1.prepare(sql).bind(owner, name, ...values);
  return {
    get: async (runner: RunnerId): Promise<RunnerRecord | null> =>
      (await db.select().from(runners).where(of(runner)))[0] ?? null,

    list: (owner: string): Promise<RunnerRecord[]> =>
      db.select().from(runners).where(eq(runners.owner, owner)).orderBy(asc(runners.name)),

    /** Creates a runner with its first key, or adds a key that it does not have. */
    async register(runner: RunnerId, key: PublicKey, now: number): Promise<void> {
      await prepare(REGISTER, runner, JSON.stringify(key), now).run();
    },

    /** Deletes a runner; runs that need it wait for another one with its name. */
    async remove(runner: RunnerId): Promise<void> {
      await db.delete(runners).where(of(runner));
    },

    /** Records that a runner polled; `isBack`: it had been away, so runs that wait for it continue. */
    async seen(runner: RunnerId, now: number, isBack: boolean): Promise<void> {
      const waking = isBack ? WAKE : [];
      await d1.batch([SEEN, ...waking].map((sql) => prepare(sql, runner, now)));
    },

    /** Leases waiting requests, oldest first; `token` names the lease. */
    async lease(
      runner: RunnerId,
      { token, take, now, until }: { token: string; take: number; now: number; until: number },
    ): Promise<StoredRequest[]> {
      const [, leased] = await d1.batch<StoredRequest>([
        prepare(LEASE, runner, token, take, now, until),
        prepare(LEASED, runner, token),
      ]);
      return leased?.results ?? [];
    },

    /** Renews leases, and returns the ids of the requests that are still wanted. */
    async renew(
      runner: RunnerId,
      holding: readonly Leased[],
      { now, until }: { now: number; until: number },
    ): Promise<string[]> {
      const held = JSON.stringify(holding);
      const [, wanted] = await d1.batch<{ id: string }>([
        prepare(RENEW, runner, held, now, until),
        prepare(HELD, runner, held),
      ]);
      return (wanted?.results ?? []).map(({ id }) => id);
    },

    /** A request's run and latest lease; null if nobody waits for it. */
    request: (runner: RunnerId, id: string) =>
      prepare(ONE, runner, id).first<{
        runId: string;
        lease: string | null;
        repliedAt: number | null;
      }>(),

    /** Stores the reply of a lease, and the key that signed it with the run. False if the lease is not the latest. */
    async reply(
      runner: RunnerId,
      { id, lease, runId }: Leased & { runId: string },
      { text, keyId, now }: { text: string | null; keyId: string; now: number },
    ): Promise<boolean> {
      const [, , after] = await d1.batch<{ lease: string | null; repliedAt: number | null }>([
        prepare(REPLY, runner, id, lease, text, now),
        d1.prepare(SIGNED).bind(runId, keyId),
        prepare(ONE, runner, id),
      ]);
      const row = after?.results[0];
      return row?.lease === lease && row.repliedAt !== null;
    },

    /** Stores new requests of a run, deletes others, and returns the state of waiting ones. */
    async look(
      runner: RunnerId,
      { runId, fresh, forgotten, ids, now }: Looked,
    ): Promise<{ lastSeenAt: number | null; found: Found[] }> {
      const asks = fresh.length === 0 ? [] : [ASK];
      const forgets = forgotten.length === 0 ? [] : [FORGET];
      const results = await d1.batch<LookRow>([
        ...forgets.map((sql) => prepare(sql, runner, JSON.stringify(forgotten))),
        ...asks.map((sql) => prepare(sql, runner, runId, JSON.stringify(fresh), now)),
        prepare(LOOK, runner, JSON.stringify(ids), now),
      ]);
      const rows = results.at(-1)?.results ?? [];
      const known = new Map(rows.map((row) => [row.id, row]));
      const found = ids.map((id): Found => {
        const { kind = "gone", lease = "", text = null } = known.get(id) ?? {};
        return kind === "replied" ? { id, kind, lease, text } : { id, kind };
      });
      return { lastSeenAt: rows[0]?.lastSeenAt ?? null, found };
    },

    async forget(runner: RunnerId, ids: readonly string[]): Promise<void> {
      await prepare(FORGET, runner, JSON.stringify(ids)).run();
    },

    /** Requests of runs that have ended or no longer exist. */
    left: async (limit: number): Promise<LeftRequest[]> =>
      (await d1.prepare(LEFT).bind(limit).all<LeftRequest>()).results,
  };
}

interface LeftRequest extends RunnerId {
  id: string;
  runId: string;
  lease: string | null;
}

/** The combined result of one poll of a lane. */
interface Looked {
  runId: string;
  fresh: readonly NewRequest[];
  forgotten: readonly string[];
  ids: readonly string[];
  now: number;
}

interface LookRow {
  lastSeenAt: number | null;
  id: string | null;
  lease: string;
  text: string | null;
  kind: "replied" | "lost" | "waiting";
}
