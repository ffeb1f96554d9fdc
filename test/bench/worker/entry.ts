import OpenAI from "openai";
import worker from "../../../api/index.ts";
import { UNCOUNTED, usageOfBoth } from "../cost/usage.ts";
import { type AskedOfSdk, askAll } from "../support/ask-all.ts";
import { copyRun, listCopies } from "./copy-run.ts";
import { Meter } from "./meter.ts";

/**
 * The service's own Worker with counted bindings, and additional routes. `GET /__usage` returns the use of the bindings,
 * with `?of=cron` only by the cron job, with `?of=others` by everything else. `POST /__counting?on=false` stops the
 * counting, which takes time. `POST /__copies` stores copies of a run, `POST /__listed` adds copies to its board.
 * `GET /__constant?bytes=5` answers with 5 bytes. `POST /__asked` runs the bare loop of the SDK in this runtime,
 * `POST /__stored` makes as many storage calls as a run.
 */

const meters = { cron: new Meter(), others: new Meter() };
let isCounting = true;
let constant = new Uint8Array();
const counted = { cron: new WeakMap<Env, Env>(), others: new WeakMap<Env, Env>() };

/** Counted bindings, the same objects each time, because adapters are cached by their bindings. */
function bindings(env: Env, by: keyof typeof meters = "others"): Env {
  if (!isCounting) return env;
  const metered = counted[by].get(env) ?? meters[by].bindings(env);
  counted[by].set(env, metered);
  return metered;
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

/** An answer and a row of about the usual size. */
const ANSWER = "x".repeat(1_500);
const ROW = { id: "sample-1234", status: "scored", score: 0.875, object: "runs/run_0/0.json" };
const AT_ONCE = 12;

/** Number of a run's D1 and R2 calls, and of its samples. */
interface Calls {
  d1Calls: number;
  puts: number;
  gets: number;
  samples: number;
}

/** Makes this number of D1 and R2 calls like twelve lanes, with the samples spread over the calls. */
async function storeAlone(env: Env, { d1Calls, puts, gets, samples }: Calls): Promise<void> {
  await env.DB.prepare("CREATE TABLE IF NOT EXISTS alone (seq, id, status, score, object)").run();
  const perCall = Math.ceil(samples / d1Calls);
  const perObject = Math.ceil(samples / puts);
  const answers = JSON.stringify(new Array<string>(perObject).fill(ANSWER));
  await atOnce(d1Calls, async (i) => {
    const rows = Array.from({ length: perCall }, (_, k) => ({ ...ROW, seq: i * perCall + k }));
    await env.DB.batch([
      env.DB.prepare(INSERT).bind(JSON.stringify(rows)),
      env.DB.prepare("SELECT count(*) FROM alone WHERE seq = ?").bind(i),
    ]);
  });
  await atOnce(puts, async (i) => void (await env.RESULTS.put(`alone/${i}`, answers)));
  await atOnce(
    gets,
    async (i) => void (await (await env.RESULTS.get(`alone/${i % puts}`))?.json()),
  );
  await env.DB.prepare("DROP TABLE alone").run();
}

const INSERT = `INSERT INTO alone SELECT value ->> 'seq', value ->> 'id', value ->> 'status',
  value ->> 'score', value ->> 'object' FROM json_each(?)`;

async function atOnce(count: number, work: (i: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async () => {
    for (let i = next++; i < count; i = next++) await work(i);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}
