import worker from "../../../api/index.ts";
import { calm, type FaultNote, NOTE } from "../fault-settings.ts";
import { Connections, failingBindings, limitFetch, within } from "./connections.ts";
import { control } from "./control.ts";
import { deliverBadly } from "./deliveries.ts";
import { Hazard } from "./hazard.ts";

/** Bindings of the faulty Worker: the complete service with failing bindings, messages and connections. */

interface FaultyEnv extends Env {
  FAULTS?: string;
}

/** Written to the log, which survives a kill of the Worker. */
function note(fault: string, count = 1): void {
  if (count > 0) console.log(NOTE + JSON.stringify({ fault, count } satisfies FaultNote));
}

const hazard = new Hazard(note);
let isReady = false;

limitFetch();

/** The time is part of the seed, so that a restarted Worker does not get the same faults again. */
function prepare(env: FaultyEnv): void {
  if (!isReady) hazard.change(JSON.parse(env.FAULTS ?? JSON.stringify(calm)), Date.now());
  isReady = true;
}

/** Runs an invocation with failing bindings and its own connections. */
async function against<T>(
  invocation: "fetch" | "queue" | "scheduled",
  env: FaultyEnv,
  run: (env: FaultyEnv) => Promise<T>,
): Promise<T> {
  prepare(env);
  const connections = new Connections();
  try {
    return await within(connections, () => run(failingBindings(env, hazard, connections)));
  } finally {
    note(`${invocation}: connections`, connections.opened);
    note(`${invocation}: seventh connection held`, connections.held);
  }
}

export default {
  async fetch(request, env, context) {
    prepare(env);
    const controlled = await control(request, env, hazard);
    if (controlled !== null) return controlled;
    return against("fetch", env, async (failing) => worker.fetch(request, failing, context));
  },

  async queue(batch, env) {
    prepare(env);
    await deliverBadly(batch, hazard, (one) =>
      against("queue", env, (failing) => worker.queue(one, failing)),
    );
  },

  async scheduled(event, env) {
    note("cron");
    await against("scheduled", env, (failing) => worker.scheduled(event, failing));
  },
} satisfies ExportedHandler<FaultyEnv>;
