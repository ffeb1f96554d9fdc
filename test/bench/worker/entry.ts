import worker from "../../../api/index.ts";
import { Meter } from "./meter.ts";

/** The service's own Worker over counted bindings; `GET /__usage` says what it has asked of them. */

const meter = new Meter();

export default {
  async fetch(request, env, context) {
    if (new URL(request.url).pathname === "/__usage") return Response.json(meter.usage);
    meter.usage.invocations += 1;
    return worker.fetch(request, meter.bindings(env), context);
  },
  queue: (batch, env) => worker.queue(meter.batch(batch), meter.bindings(env)),
  scheduled: (event, env) => worker.scheduled(event, meter.bindings(env)),
} satisfies ExportedHandler<Env>;
