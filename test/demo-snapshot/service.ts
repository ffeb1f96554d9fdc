import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createApp } from "../../api/app.ts";
import { registerDataset } from "../../api/datasets/register-dataset.ts";
import { adaptersOf } from "../../api/index.ts";
import { localAccount } from "../../api/keys/account.ts";
import type { Platform } from "../../api/platform/platform.ts";
import { publish } from "../../api/publication/publish.ts";
import { root } from "../../cli/local/root.ts";
import { suites } from "../../shared/suites/registry.ts";
import { type D1Calls, localD1 } from "../faults/support/local-d1.ts";
import { judgeSettings } from "./judge-settings.ts";
import { memoryBucket } from "./memory-bucket.ts";

/** The service in this process, with its own stores over a database and objects in memory. */
export interface Service {
  platform: Platform;
  database: DatabaseSync;
  /** R2 objects by key, as JSON. */
  objects: Map<string, string>;
  /** Number of D1 statements, and of returned rows. */
  calls: D1Calls;
  /** The API's answer to GET, as JSON. */
  read(path: string): Promise<unknown>;
  readText(path: string): Promise<string>;
  /** The API's answer to any request. */
  answer(request: Request): Response | Promise<Response>;
  /** Sets the clock to a fixed time, Unix ms. */
  at(ms: number): void;
}

/** The dataset of the demo's runs. */
export const stockName = "stock";

/** Owner of the demo's datasets and runs. */
export const operator = { owner: "assay", anyOwner: true, quota: null };

/** Opens a service with the stock datasets and without runs. It sends no requests. */
export async function openService(
  objectsOf: (database: DatabaseSync) => Map<string, string> = () => new Map(),
): Promise<Service> {
  const database = new DatabaseSync(":memory:");
  const migrations = join(root, "migrations");
  for (const name of readdirSync(migrations)
    .filter((file) => file.endsWith(".sql"))
    .sort()) {
    database.exec(readFileSync(join(migrations, name), "utf8"));
  }
  const objects = objectsOf(database);
  const calls = { count: 0, rows: 0 };
  let now = 0;
  const env = bindings(localD1(database, calls), objects);
  const platform: Platform = { ...adaptersOf(env as never), now: () => now };
  const app = createApp({
    platform: () => platform,
    account: async () => localAccount,
    site: async () => new Response(null, { status: 404 }),
  });
  const service: Service = {
    platform,
    database,
    objects,
    calls,
    at: (ms) => {
      now = ms;
    },
    answer: (request) => app.fetch(request),
    read: async (path) => JSON.parse(await service.readText(path)) as unknown,
    async readText(path) {
      const response = await app.request(path);
      const text = await response.text();
      if (response.status === 200) return text;
      throw new Error(`GET ${path} answers ${response.status}: ${text}`);
    },
  };
  service.at(Date.UTC(2026, 7, 31));
  await loadStock(service);
  return service;
}

/** Publishes in several passes, without the messages that continue a publication in the service. */
export async function publishAll(platform: Platform): Promise<void> {
  for (;;) {
    await publish(platform);
    const { changes, published } = await platform.publications.state();
    if (published === changes) return;
  }
}

async function loadStock({ platform }: Service): Promise<void> {
  for (const suite of suites) {
    const file = readFileSync(join(root, "shared", "suites", suite.id, "stock.jsonl"));
    const registered = await registerDataset(platform, {
      suite,
      name: stockName,
      visibility: "public",
      owner: operator.owner,
      anyOwner: true,
      allowPartial: false,
      file,
    });
    if (!registered.ok) throw new Error(`the stock dataset of ${suite.id} can't be registered`);
  }
}

/** The bindings of a deployment. Messages are dropped, because the caller runs every step itself. */
function bindings(d1: ReturnType<typeof localD1>, objects: Map<string, string>) {
  const queue = { send: async () => {}, sendBatch: async () => {} };
  const limit = { limit: async () => ({ success: true }) };
  return {
    DB: d1,
    RESULTS: memoryBucket(objects),
    EVALUATE: queue,
    JUDGE: queue,
    FINISH: queue,
    WEBHOOKS: queue,
    LIMIT_READS: limit,
    LIMIT_WRITES: limit,
    LIMIT_PUBLIC_READS: limit,
    LIMIT_COMPARISONS: limit,
    LIMIT_COSTLY_READS: limit,
    LIMIT_FAILED_KEYS: limit,
    LIMIT_TESTS: limit,
    REQUIRE_API_KEY: "false",
    ALLOW_PRIVATE_ENDPOINTS: "true",
    RAW_RETENTION_DAYS: "0",
    ENDPOINT_CONCURRENCY_MAX: "200",
    LANES_MAX: "48",
    LEASE_MS: "30000",
    DAILY_SAMPLE_QUOTA: "0",
    REBUILD_INTERVAL_MS: "0",
    JUDGES: judgeSettings,
  };
}
