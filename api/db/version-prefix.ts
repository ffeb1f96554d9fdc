import { and, gte, lt, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

/**
 * Versions (hex) that begin with `prefix`; all of them for null. A range, since D1 takes no LIKE
 * pattern of more than 50 bytes; "g" follows every hex digit.
 */
export function versionPrefix(column: SQLiteColumn, prefix: string | null): SQL | undefined {
  return prefix === null ? undefined : and(gte(column, prefix), lt(column, `${prefix}g`));
}
