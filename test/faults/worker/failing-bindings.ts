import type { Connections } from "./connections.ts";
import type { Hazard } from "./hazard.ts";

/** The bindings of a Worker whose calls fail now and then and need connections. */
export function failingBindings(env: Env, hazard: Hazard, connections: Connections): Env {
  const queue = (real: Queue) => failingQueue(real, hazard, connections);
  return {
    ...env,
    DB: failingD1(env.DB, hazard),
    RESULTS: failingR2(env.RESULTS, hazard, connections),
    EVALUATE: queue(env.EVALUATE),
    JUDGE: queue(env.JUDGE),
    FINISH: queue(env.FINISH),
    WEBHOOKS: queue(env.WEBHOOKS),
  };
}

/** The statements behind wrapped ones: a batch takes these alone. */
const realOf = new WeakMap<D1PreparedStatement, D1PreparedStatement>();

function failingD1(d1: D1Database, hazard: Hazard): D1Database {
  const batch = (statements: D1PreparedStatement[]) =>
    hazard.around("D1", () => d1.batch(statements.map((one) => realOf.get(one) ?? one)));
  const prepare = (sql: string) => failingStatement(d1.prepare(sql), hazard);
  return overlaid(d1, { prepare, batch });
}

function failingStatement(real: D1PreparedStatement, hazard: Hazard): D1PreparedStatement {
  type Call = (...args: unknown[]) => Promise<unknown>;
  const failing = (name: "run" | "all" | "first" | "raw") => [
    name,
    (...args: unknown[]) =>
      hazard.around("D1", () => (real[name] as unknown as Call).apply(real, args)),
  ];
  const bind = (...values: unknown[]) => failingStatement(real.bind(...values), hazard);
  const calls = Object.fromEntries((["run", "all", "first", "raw"] as const).map(failing));
  const wrapped = overlaid(real, { bind, ...calls });
  realOf.set(wrapped, real);
  return wrapped;
}

function failingR2(bucket: R2Bucket, hazard: Hazard, connections: Connections): R2Bucket {
  type Call = (...args: unknown[]) => Promise<unknown>;
  const failing = (name: "put" | "get" | "delete" | "list" | "head") => [
    name,
    (...args: unknown[]) =>
      connections.hold(() =>
        hazard.around("R2", async () => {
          if (name === "put") await hazard.stall();
          return (bucket[name] as unknown as Call).apply(bucket, args);
        }),
      ),
  ];
  const names = ["put", "get", "delete", "list", "head"] as const;
  return overlaid(bucket, Object.fromEntries(names.map(failing)));
}

function failingQueue(queue: Queue, hazard: Hazard, connections: Connections): Queue {
  const around = <T>(call: () => Promise<T>) =>
    connections.hold(() => hazard.around("Queues", call));
  const send: Queue["send"] = (...args) => around(() => queue.send(...args));
  const sendBatch: Queue["sendBatch"] = (...args) => around(() => queue.sendBatch(...args));
  return overlaid(queue, { send, sendBatch });
}

/** An object with some of its methods replaced; the others are called on the object itself. */
function overlaid<T extends object>(real: T, replaced: Record<string, unknown>): T {
  return new Proxy(real, {
    get(target, name) {
      if (typeof name === "string" && name in replaced) return replaced[name];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
