import OpenAI from "openai";
import worker from "../../../api/index.ts";
import { UNCOUNTED, usageOfBoth } from "../cost/usage.ts";
import { type AskedOfSdk, askAll } from "../support/ask-all.ts";
import { copyRun, listCopies } from "./copy-run.ts";
import { Meter } from "./meter.ts";
import { storeAlone } from "./store-alone.ts";

/**
 * The service's own Worker over counted bindings. `GET /__usage` says what it has asked of them, `?of=cron` what the
 * cron job has, and `?of=others` what all but that has;
 * `POST /__counting?on=false` stops the counting, which takes time; `POST /__copies` stores copies of a run,
 * `POST /__listed` lists some on its board; `GET /__constant?bytes=5` answers with so many bytes; `POST /__asked` is
 * the bare loop of the SDK in this runtime, `POST /__stored` calls storage as often as a run.
 */

const meters = { cron: new Meter(), others: new Meter() };
let isCounting = true;
let constant = new Uint8Array();
const counted = { cron: new WeakMap<Env, Env>(), others: new WeakMap<Env, Env>() };

/** The same each time, as the real ones are: adapters last as long as their bindings. */
function bindings(env: Env, by: keyof typeof meters = "others"): Env {
  if (!isCounting) return env;
  const its = counted[by].get(env) ?? meters[by].bindings(env);
  counted[by].set(env, its);
  return its;
}

function usageOf(by: string | null) {
  const { cron, others } = meters;
  if (by === null) return usageOfBoth(cron.usage, others.usage);
  return by === "cron" ? cron.usage : others.usage;
}

export default {
  async fetch(request, env, context) {
    const { pathname, searchParams: query } = new URL(request.url);
    if (pathname === "/__usage") return Response.json(usageOf(query.get("of")));
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
    meters.others.usage.invocations += 1;
    return worker.fetch(request, bindings(env), context);
  },
  queue: (batch, env) => worker.queue(meters.others.batch(batch), bindings(env)),
  scheduled: (event, env) => worker.scheduled(event, bindings(env, "cron")),
} satisfies ExportedHandler<Env>;
