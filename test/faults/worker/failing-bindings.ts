import { interceptedBindings } from "../../support/worker/intercepted-bindings.ts";
import type { Connections } from "./connections.ts";
import type { Hazard } from "./hazard.ts";

/** The bindings of a Worker whose calls fail now and then and, but for those of D1, need connections. */
export function failingBindings(env: Env, hazard: Hazard, connections: Connections): Env {
  return interceptedBindings(env, ({ part, method }, proceed) => {
    const hindered = () =>
      hazard.around(part, async () => {
        if (method === "put") await hazard.stall();
        return proceed();
      });
    return part === "D1" ? hindered() : connections.hold(hindered);
  });
}
