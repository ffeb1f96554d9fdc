import OpenAI from "openai";
import worker from "../../../api/index.ts";
import { UNCOUNTED } from "../cost/usage.ts";
import { type AskedOfSdk, askAll } from "../support/ask-all.ts";
import { copyRun, listCopies } from "./copy-run.ts";
import { Meter } from "./meter.ts";
import { storeAlone } from "./store-alone.ts";

/**
 * The service's own Worker over counted bindings. `GET /__usage` says what it has asked of them;
 * `POST /__counting?on=false` stops the counting, which takes time; `POST /__copies` stores copies of a run,
 * `POST /__listed` lists some on its board; `GET /__constant?bytes=5` answers with so many bytes; `POST /__asked` is
 * the bare loop of the SDK in this runtime, `POST /__stored` calls storage as often as a run.
 */

const meter = new Meter();
let isCounting = true;
let constant = new Uint8Array();
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
      await copyRun(env.DB, await request.json());
      return new Response(null, { status: 204 });
    }
    if (pathname === "/__listed") {
      await listCopies(env.DB, query.get("run") ?? "", Number(query.get("copies")));
      return new Response(null, { status: 204 });
    }
    if (pathname === "/__constant") {
      const bytes = Number(query.get("bytes"));
      if (constant.byteLength !== bytes) constant = new Uint8Array(bytes);
      return new Response(constant);
    }
    if (pathname === "/__asked") {
      const { baseURL, ...asked } = await request.json<AskedOfSdk & { baseURL: string }>();
      await askAll(new OpenAI({ baseURL, apiKey: "any" }), asked);
      return new Response(null, { status: 204 });
    }
    if (pathname === "/__stored") {
      const count = (name: string) => Number(query.get(name));
      const [d1Calls, puts, gets] = [count("d1Calls"), count("puts"), count("gets")];
      await storeAlone(env, { d1Calls, puts, gets, samples: count("samples") });
      return new Response(null, { status: 204 });
    }
    if (request.headers.has(UNCOUNTED)) return worker.fetch(request, env, context);
    meter.usage.invocations += 1;
    return worker.fetch(request, bindings(env), context);
  },
  queue: (batch, env) => worker.queue(meter.batch(batch), bindings(env)),
  scheduled: (event, env) => worker.scheduled(event, bindings(env)),
} satisfies ExportedHandler<Env>;
