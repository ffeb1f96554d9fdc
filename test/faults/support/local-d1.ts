import type { DatabaseSync, SQLInputValue } from "node:sqlite";

/** The part of a D1 statement that the service's stores use. */
interface Statement {
  bind(...values: unknown[]): Statement;
  all(): Promise<{ results: unknown[]; success: true; meta: object }>;
  run(): ReturnType<Statement["all"]>;
  raw(): Promise<unknown[]>;
  first(): Promise<unknown>;
}

/** Number of statements and of returned rows. */
export interface D1Calls {
  count: number;
  rows: number;
}

/** A D1 binding over the database of a stopped service, for the service's own stores. */
export function localD1(database: DatabaseSync, calls: D1Calls = { count: 0, rows: 0 }) {
  return {
    prepare: (sql: string) => statement(database, sql, [], calls),
    async batch(statements: readonly Statement[]) {
      const results: unknown[] = [];
      for (const one of statements) results.push(await one.all());
      return results;
    },
  };
}

function statement(
  database: DatabaseSync,
  sql: string,
  values: readonly unknown[],
  calls: D1Calls,
): Statement {
  const bound = values.map((value) => (typeof value === "boolean" ? Number(value) : value) ?? null);
  const params = bound as SQLInputValue[];
  const counted = <Row>(rows: Row[]): Row[] => {
    calls.count += 1;
    calls.rows += rows.length;
    return rows;
  };
  const all = async () => {
    const results = counted(database.prepare(sql).all(...params));
    return { results, success: true as const, meta: {} };
  };
  return {
    bind: (...bindings) => statement(database, sql, bindings, calls),
    all,
    run: all,
    async raw() {
      const prepared = database.prepare(sql);
      prepared.setReturnArrays(true);
      return counted(prepared.all(...params));
    },
    first: async () => counted(database.prepare(sql).all(...params))[0] ?? null,
  };
}
