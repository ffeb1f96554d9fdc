import { and, eq, getTableColumns, gte, lt, or, type SQL, sql } from "drizzle-orm";
import type { DrizzleD1Database } from "drizzle-orm/d1";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { RunStatus } from "#shared/contracts/run.ts";

/** Converts a drizzle query for a batch with plain SQL statements. */
export function prepared(d1: D1Database, query: { toSQL(): { sql: string; params: unknown[] } }) {
  const { sql: statement, params } = query.toSQL();
  return d1.prepare(statement).bind(...params);
}

/**
 * Inserts a row if fewer than `most` rows of its table, or of another one, are counted in the same statement. A
 * separate count would let concurrent requests exceed the limit together.
 */
export function insertBelow<Table extends SQLiteTable>(
  db: DrizzleD1Database,
  table: Table,
  row: Table["$inferSelect"],
  { counted, of = table, most }: { counted: SQL | undefined; of?: SQLiteTable; most: number },
) {
  const values = Object.entries(getTableColumns(table)).map(([name, column]) =>
    sql.param((row as Record<string, unknown>)[name], column),
  );
  const list = sql.join(values, sql`, `);
  const chosen = sql`SELECT ${list} WHERE ${db.$count(of, counted)} < ${most}`;
  return db.insert(table).select(chosen).onConflictDoNothing();
}

/**
 * Condition for a column with one of the values. They are one JSON parameter, because D1 limits the number of
 * parameters.
 */
export const isOneOf = (column: SQLiteColumn, values: readonly string[]): SQL =>
  sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`;

/** The last entry of a page, in newest-first order. */
export type ListPlace = readonly [at: number, id: string];

/** A part of a list; `after` null: from its start. */
export interface ListPage {
  after: ListPlace | null;
  limit: number;
}

/** Condition for entries after a position in newest-first order (equal times: by id); all entries if null. */
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
 * Versions (hex) that begin with `prefix`; all for null. A range, because D1 limits LIKE patterns to 50 bytes; "g"
 * follows every hex digit.
 */
export function versionPrefix(column: SQLiteColumn, prefix: string | null): SQL | undefined {
  return prefix === null ? undefined : and(gte(column, prefix), lt(column, `${prefix}g`));
}

/** Statuses of runs that can still continue. */
export const liveStatuses = ["queued", "running", "paused"] as const satisfies RunStatus[];

/** The same as an SQL list. */
export const LIVE = `(${liveStatuses.map((status) => `'${status}'`).join(", ")})`;

/** SQL condition: a rescoring that reads the run's answers is live (also if paused). */
export const hasLiveChild = (runId: string): string =>
  `EXISTS (SELECT 1 FROM runs child WHERE child.parent_id = ${runId} AND child.status IN ${LIVE})`;
