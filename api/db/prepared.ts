/** A query of drizzle's for a batch that also has statements in SQL. */
export function prepared(d1: D1Database, query: { toSQL(): { sql: string; params: unknown[] } }) {
  const { sql: statement, params } = query.toSQL();
  return d1.prepare(statement).bind(...params);
}
