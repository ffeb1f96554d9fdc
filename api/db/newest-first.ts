import { and, eq, lt, or, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { ListPlace } from "../pipeline/ports.ts";

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
