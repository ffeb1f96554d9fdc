import { env } from "cloudflare:workers";
import { platformOf } from "../../../api/index.ts";
import { interceptedBindings } from "../../support/worker/intercepted-bindings.ts";

/** Stores over a database whose queries are counted: each statement of a batch is one. */
export function countedQueries() {
  const count = { queries: 0 };
  const counted = interceptedBindings(env, ({ statements }, proceed) => {
    count.queries += statements.length;
    return proceed();
  });
  const { suites: _, ask: __, queues: ___, ...stores } = platformOf(counted as never);
  return { count, stores };
}
