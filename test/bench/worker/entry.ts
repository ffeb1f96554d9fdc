import worker from "../../../api/index.ts";
import { copyRun } from "./copy-run.ts";
import { Meter } from "./meter.ts";

/**
 * The service's own Worker over counted bindings. `GET /__usage` says what it has asked of them;
 * `POST /__counting?on=false` stops the counting, which takes time; `POST /__copies?run=ID&first=1&last=99` stores
 * copies of a run.
 */

const meter = new Meter();
let isCounting = true;
const counted = new WeakMap<Env, Env>();

/** The same each time, as the real ones are: adapters last as long as their bindings. */
function bindings(env: Env): Env {
  if (!isCounting) return env;
  const its = counted.get(env) ?? meter.bindings(env);
  counted.set(env, its);
  return its;
}

export default {
  async fetch(request, env, context) {
    const { pathname, searchParams: query } = new URL(request.url);
    if (pathname === "/__usage") return Response.json(meter.usage);
    if (pathname === "/__counting") {
      isCounting = query.get("on") === "true";
      return new Response(null, { status: 204 });
    }
    if (pathname === "/__copies") {
      const [first, last] = ["first", "last"].map((name) => Number(query.get(name)));
      await copyRun(env.DB, query.get("run") ?? "", first ?? 1, last ?? 1);
      return new Response(null, { status: 204 });
    }
    meter.usage.invocations += 1;
    return worker.fetch(request, bindings(env), context);
  },
  queue: (batch, env) => worker.queue(meter.batch(batch), bindings(env)),
  scheduled: (event, env) => worker.scheduled(event, bindings(env)),
} satisfies ExportedHandler<Env>;
