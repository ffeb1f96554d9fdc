import { gzipSync } from "node:zlib";
import type { Script, ScriptMetadata } from "../account.ts";

/**
 * Limits of an account. Source: developers.cloudflare.com, workers/platform/limits, d1/platform/limits,
 * workers/static-assets/headers (2026-11).
 */
export const MOST = {
  free: { crons: 5, databases: 10, assets: 20_000, variables: 64 },
  paid: { crons: 250, databases: 50_000, assets: 100_000, variables: 128 },
  headerRules: 100,
};
/**
 * Daily limits of the Free plan; messages and cron triggers count as requests. Source:
 * developers.cloudflare.com, workers/platform/limits, d1/platform/pricing, queues/platform/pricing (2026-11).
 */
export const DAILY = {
  requests: 100_000,
  d1RowsRead: 5_000_000,
  d1RowsWritten: 100_000,
  queueOperations: 10_000,
};
export const ASSET_MAX_BYTES = 25 * 1024 * 1024;
/** Compressed size. The current page says 64 MiB; pages before 2026-07 have these limits. */
export const WORKER_MAX_BYTES = { free: 3_000_000, paid: 10_000_000 };
/** Location hints of D1 and R2. Source: developers.cloudflare.com, data locations of both (2026-11). */
export const LOCATIONS = new Set(["wnam", "enam", "weur", "eeur", "apac", "oc"]);
/** Maximum size of a secret or variable. */
export const SECRET_MAX_BYTES = 5 * 1024;

/** Compressed size of a Worker's code without source maps, bytes. */
export const workerBytes = ({ modules }: Pick<Script, "modules">): number =>
  modules
    .filter(({ type }) => !type.includes("source-map"))
    .reduce((sum, { content }) => sum + gzipSync(content).length, 0);

/** Number of variables and secrets among a Worker's bindings. */
export const variablesOf = ({ bindings = [] }: ScriptMetadata): number =>
  bindings.filter(({ type }) => ["plain_text", "json", "secret_text"].includes(type)).length;

/** Number of rules in a Worker's _headers. A rule starts with a path at the beginning of a line. */
export const headerRules = ({ assets }: ScriptMetadata): number =>
  String(assets?.config?.["_headers"] ?? "").match(/^[^\s#].*$/gm)?.length ?? 0;
