import { env } from "cloudflare:workers";
import { platformOf } from "../../../api/index.ts";
import { interceptedBindings } from "../../support/worker/intercepted-bindings.ts";

/** Stores over a database that counts queries; each statement of a batch counts. */
export function countedQueries() {
  const count = { queries: 0 };
  const counted = interceptedBindings(env, ({ statements }, proceed) => {
    count.queries += statements.length;
    return proceed();
  });
  const { suites: _, ask: __, queues: ___, ...stores } = platformOf(counted as never);
  return { count, stores };
}

/** D1 that counts the rows read by statements, which are billed. */
export function countedRows(d1: D1Database) {
  const count = { rows: 0, queries: 0 };
  const add = (results: readonly D1Result[]) => {
    count.queries += results.length;
    for (const { meta } of results) count.rows += meta.rows_read;
  };
  const watch = (statement: D1PreparedStatement): D1PreparedStatement =>
    new Proxy(statement, {
      get(target, name: keyof D1PreparedStatement) {
        const call = Reflect.get(target, name) as unknown;
        if (typeof call !== "function") return call;
        return (...args: unknown[]) => {
          if (name === "bind") return watch(target.bind(...args));
          // Only `all` reports the rows read; reads can be repeated.
          return target.all().then((result) => {
            add([result]);
            return name === "all" ? result : call.apply(target, args);
          });
        };
      },
    });
  const counted = new Proxy(d1, {
    get(target, name) {
      if (name === "prepare") return (sql: string) => watch(target.prepare(sql));
      if (name !== "batch") return Reflect.get(target, name);
      return async (statements: D1PreparedStatement[]) => {
        const results = await target.batch(statements);
        add(results);
        return results;
      };
    },
  });
  return { count, d1: counted };
}
