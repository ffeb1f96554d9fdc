import { and, eq, gte, lt, or, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { RunStatus } from "#shared/contracts/run.ts";

/** A query of drizzle's for a batch that also has statements in SQL. */
export function prepared(d1: D1Database, query: { toSQL(): { sql: string; params: unknown[] } }) {
  const { sql: statement, params } = query.toSQL();
  return d1.prepare(statement).bind(...params);
}

/** The last entry of a page of a list with the newest first. */
export type ListPlace = readonly [at: number, id: string];

/** Which part of a list to give; null: from its beginning. */
export interface ListPage {
  after: ListPlace | null;
  limit: number;
}

/** What follows a place of a list with the newest first, entries of one time by their ids; all for null. */
export function olderThan(
  time: SQLiteColumn,
  id: SQLiteColumn,
  place: ListPlace | null,
): SQL | undefined {
  if (place === null) return undefined;
  const [at, last] = place;
  return or(lt(time, at), and(eq(time, at), lt(id, last)));
}

/**
 * Versions (hex) that begin with `prefix`; all of them for null. A range, since D1 takes no LIKE
 * pattern of more than 50 bytes; "g" follows every hex digit.
 */
export function versionPrefix(column: SQLiteColumn, prefix: string | null): SQL | undefined {
  return prefix === null ? undefined : and(gte(column, prefix), lt(column, `${prefix}g`));
}

/** Statuses from which a run can still continue: what reads for it or writes to it has to wait. */
export const liveStatuses = ["queued", "running", "paused"] as const satisfies RunStatus[];

/** The same as a list in SQL. */
export const LIVE = `(${liveStatuses.map((status) => `'${status}'`).join(", ")})`;

/** Whether a rescoring reads the answers of a run, as a condition in SQL; paused, it will continue. */
export const hasLiveChild = (runId: string): string =>
  `EXISTS (SELECT 1 FROM runs child WHERE child.parent_id = ${runId} AND child.status IN ${LIVE})`;
