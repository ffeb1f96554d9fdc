import type { DatabaseSync, SQLInputValue } from "node:sqlite";

/** A statement as far as the service's stores use one. */
interface Statement {
  bind(...values: unknown[]): Statement;
  all(): Promise<{ results: unknown[]; success: true; meta: object }>;
  run(): ReturnType<Statement["all"]>;
  raw(): Promise<unknown[]>;
  first(): Promise<unknown>;
}

/** The database of a stopped service as a D1 binding, for the service's own queries. */
export function localD1(database: DatabaseSync) {
  return {
    prepare: (sql: string) => statement(database, sql, []),
    async batch(statements: readonly Statement[]) {
      const results: unknown[] = [];
      for (const one of statements) results.push(await one.all());
      return results;
    },
  };
}

function statement(database: DatabaseSync, sql: string, values: readonly unknown[]): Statement {
  const bound = values.map((value) => (typeof value === "boolean" ? Number(value) : value) ?? null);
  const params = bound as SQLInputValue[];
  const all = async () => {
    const results = database.prepare(sql).all(...params);
    return { results, success: true as const, meta: {} };
  };
  return {
    bind: (...given) => statement(database, sql, given),
    all,
    run: all,
    async raw() {
      const prepared = database.prepare(sql);
      prepared.setReturnArrays(true);
      return prepared.all(...params);
    },
    first: async () => database.prepare(sql).get(...params) ?? null,
  };
}
