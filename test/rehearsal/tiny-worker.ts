import { type Account, newAccount, type ScriptBinding } from "./cloud/account.ts";
import { type Conditions, nearby, replyOf, UploadedWorkers } from "./cloud/data-plane.ts";

export const HOST = "https://tiny.rehearsal.workers.dev";

interface TinyOptions {
  conditions?: Partial<Conditions>;
  plan?: Account["plan"];
  crons?: string[];
  cpuMs?: number;
  isCached?: boolean;
  data?: string;
}

/**
 * Runs a Worker of a few lines like an uploaded one, with a database DB, a bucket RESULTS, a queue QUEUE that it
 * consumes, itself as the service SELF and a rate limit LIMIT of two requests. `source`: properties of the default export.
 */
export function tinyWorker(source: string, options: TinyOptions = {}): UploadedWorkers {
  const bindings: ScriptBinding[] = [
    { type: "d1", name: "DB", id: "db" },
    { type: "r2_bucket", name: "RESULTS", bucket_name: "tiny" },
    { type: "queue", name: "QUEUE", queue_name: "tiny" },
    { type: "service", name: "SELF", service: "tiny" },
    { type: "ratelimit", name: "LIMIT", namespace_id: "1", simple: { limit: 2, period: 60 } },
  ];
  const account = newAccount({
    plan: options.plan ?? "paid",
    databases: new Map([["db", { uuid: "db", name: "tiny", location: null }]]),
    buckets: new Map([["tiny", null]]),
    queues: new Map([
      [
        "tiny",
        {
          id: "tiny",
          name: "tiny",
          consumer: {
            id: "consumer",
            script: "tiny",
            deadLetterQueue: null,
            settings: { batch_size: 1, max_wait_time_ms: 0, max_retries: 3 },
          },
        },
      ],
    ]),
  });
  account.scripts.set("tiny", {
    name: "tiny",
    tag: "tiny",
    version: "tiny",
    metadata: {
      main_module: "tiny.js",
      bindings,
      compatibility_date: "2026-11-02",
      ...(options.cpuMs === undefined ? {} : { limits: { cpu_ms: options.cpuMs } }),
      ...(options.isCached && { cache_options: { enabled: true } }),
    },
    modules: [
      {
        name: "tiny.js",
        type: "application/javascript+module",
        content: new TextEncoder().encode(`export default {${source}};`),
      },
    ],
    assets: null,
    secrets: new Map(),
    crons: options.crons ?? [],
    isOnSubdomain: true,
    domains: [],
  });
  const workers = new UploadedWorkers(account, { ...nearby, ...options.conditions });
  workers.outside = async () => replyOf(new Response("the world"));
  return workers;
}
