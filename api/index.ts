import { v7 as uuid } from "uuid";
import { suiteById, suites } from "#shared/suites/registry.ts";
import { createApp } from "./app.ts";
import { consume } from "./consumers.ts";
import { apiKeyStore } from "./db/api-key-store.ts";
import { boardStore } from "./db/board-store.ts";
import { publicationStore } from "./db/publication-store.ts";
import { runStore } from "./db/run-store.ts";
import { modelClient } from "./endpoints/ask-model.ts";
import type { Ports } from "./pipeline/ports.ts";
import { sweep } from "./pipeline/sweep.ts";
import { queuePort } from "./queue-port.ts";
import { rebuildHook } from "./rebuild-hook.ts";
import type { AppContext } from "./routes/api-app.ts";
import { accountOf } from "./security/account.ts";
import { sealer } from "./security/seal.ts";
import { sitePages } from "./site-pages.ts";
import { steady } from "./steady.ts";
import { datasetStore } from "./storage/dataset-store.ts";
import { objectStore } from "./storage/object-store.ts";

const now = () => Date.now();
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** The adapters of this deployment's bindings, each call tried again after a fault that may pass. */
export const portsOf = (env: Env): Ports => steady(adaptersOf(env), Math.random);

/** The adapters as they are. */
export function adaptersOf(env: Env): Ports {
  const objects = objectStore(env.RESULTS);
  return {
    suites: { all: suites, byId: suiteById },
    runs: runStore(env.DB),
    boards: boardStore(env.DB),
    datasets: datasetStore(env.DB, objects),
    objects,
    queues: queuePort(env.EVALUATE, env.FINISH),
    publications: publicationStore(env.DB),
    apiKeys: apiKeyStore(env.DB),
    sealer: sealer(env.SECRETS_KEY ?? ""),
    ask: modelClient({ now, sleep, random: Math.random }),
    callRebuildHook: rebuildHook(env.SITE_REBUILD_HOOK ?? ""),
    now,
    sleep,
    newId: (prefix) => `${prefix}_${uuid().replaceAll("-", "")}`,
    randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
    settings: {
      requireApiKey: env.REQUIRE_API_KEY !== "false",
      allowPrivateEndpoints: env.ALLOW_PRIVATE_ENDPOINTS === "true",
      endpointConcurrencyMax: Number(env.ENDPOINT_CONCURRENCY_MAX),
      laneSpanMaxMs: Number(env.LANE_SPAN_MAX_MS),
      rebuildIntervalMs: Number(env.REBUILD_INTERVAL_MS),
    },
  };
}

const envOf = (c: AppContext) => c.env as unknown as Env;

const app = createApp({
  ports: (c) => portsOf(envOf(c)),
  account: (c, token) =>
    accountOf(token, envOf(c).OPERATOR_SECRET ?? "", c.var.ports.apiKeys, now()),
  site: (c) => sitePages(envOf(c).SITE)(c.req.raw),
});

export default {
  fetch: app.fetch,
  queue: (batch, env) => consume(portsOf(env), batch),
  scheduled: (_event, env) => sweep(portsOf(env)),
} satisfies ExportedHandler<Env>;
