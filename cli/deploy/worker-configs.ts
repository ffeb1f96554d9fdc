import { createHash } from "node:crypto";
import { type DataLocation, locations } from "./deploy-options.ts";

/** The contents of a wrangler configuration file. */
export type WranglerConfig = Record<string, unknown> & {
  d1_databases?: readonly Record<string, unknown>[];
  r2_buckets?: readonly Record<string, unknown>[];
  /** Files that replace packages, relative to the configuration file. */
  alias?: Readonly<Record<string, string>>;
  ratelimits?: readonly Record<string, unknown>[];
  services?: readonly Record<string, unknown>[];
  queues?: {
    producers?: readonly Record<string, unknown>[];
    consumers?: readonly Record<string, unknown>[];
  };
};

/** Settings of a deployment that replace those of `wrangler.toml`. */
export interface ConfigSettings {
  names: ResourceNames;
  databaseId: string;
  /** Null if wrangler knows the account. */
  account: string | null;
  plan: "paid" | "free";
  domain: string | null;
  location: DataLocation;
  /** Commit or version of the code. */
  revision: string;
  /** Path from the folder of the generated files to the project's folder, with a slash at the end. */
  root: string;
}

/**
 * The configuration of a deployment's Worker: `wrangler.toml` with the deployment's names and ids, so that the
 * committed file does not change. For a free account, without CPU limits, which it refuses.
 */
export function apiConfig(committed: WranglerConfig, settings: ConfigSettings): WranglerConfig {
  const { names, databaseId, account, plan, domain, location, root, revision } = settings;
  const { region } = locations[location];
  const { env: _, limits, ...rest } = committed;
  const vars = committed["vars"] as Record<string, unknown>;
  const queueOf = (queue: unknown) => names.queues.get(String(queue)) ?? String(queue);
  return {
    ...rest,
    name: names.worker,
    main: `${root}${String(committed["main"])}`,
    ...(committed.alias && { alias: relocated(committed.alias, root) }),
    ...accountOf(account),
    ...(region !== null && { placement: { region } }),
    vars: {
      ...vars,
      CODE_REVISION: revision,
      PLAN: plan,
      ...(plan === "free" && { DATABASE_MAX_MB: "500" }),
      // A response that is cached for one host is served at all hosts.
      ...(domain !== null && !vars["PUBLIC_ORIGIN"] && { PUBLIC_ORIGIN: `https://${domain}` }),
      OWN_HOSTS: ownHosts(String(vars["OWN_HOSTS"] ?? ""), settings),
      DEAD_LETTER_QUEUE: queueOf(vars["DEAD_LETTER_QUEUE"]),
    },
    ratelimits: (committed.ratelimits ?? []).map((one) => ({
      ...one,
      namespace_id: namespaceOf(names.worker, Number(one["namespace_id"])),
    })),
    ...(plan === "paid" && limits !== undefined ? { limits } : {}),
    ...(domain === null ? {} : { routes: [{ pattern: domain, custom_domain: true }] }),
    d1_databases: (committed.d1_databases ?? []).map((one) => ({
      ...one,
      database_name: names.database,
      database_id: databaseId,
      migrations_dir: `${root}${String(one["migrations_dir"])}`,
    })),
    r2_buckets: (committed.r2_buckets ?? []).map((one) => ({ ...one, bucket_name: names.bucket })),
    services: (committed.services ?? []).map((one) => ({ ...one, service: names.site })),
    queues: {
      producers: (committed.queues?.producers ?? []).map((one) => ({
        ...one,
        queue: queueOf(one["queue"]),
      })),
      consumers: (committed.queues?.consumers ?? []).map((one) => ({
        ...one,
        queue: queueOf(one["queue"]),
        ...(one["dead_letter_queue"] === undefined
          ? {}
          : { dead_letter_queue: queueOf(one["dead_letter_queue"]) }),
      })),
    },
  };
}

/** Converts paths relative to `wrangler.toml` to paths from the generated files. */
const relocated = (paths: Readonly<Record<string, string>>, prefix: string) =>
  Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, `${prefix}${path}`]));

const accountOf = (account: string | null) => (account === null ? {} : { account_id: account });

/** Hosts: the operator's hosts, the domain, and the Worker's name on any workers.dev subdomain. */
const ownHosts = (given: string, { names, domain }: ConfigSettings): string =>
  [given, domain ?? "", `${names.worker}.*.workers.dev`].filter((host) => host !== "").join(",");

/** Rate limit namespaces belong to the account: deployments with the same namespace would share limits. */
const namespaceOf = (worker: string, committed: number): string => {
  const hash = createHash("sha256").update(worker).digest().readUIntBE(0, 2);
  return String(hash * 10_000 + committed);
};

/** The configuration of the site's Worker; readers reach it only through the API's Worker. */
export function siteConfig(
  committed: WranglerConfig,
  { names, account }: ConfigSettings,
): WranglerConfig {
  return {
    ...committed,
    name: names.site,
    ...accountOf(account),
    workers_dev: false,
    preview_urls: false,
    assets: { ...(committed["assets"] as object), directory: "site" },
  };
}

/** The queues that a configuration names, each once. */
export const queuesOf = ({ queues }: WranglerConfig): string[] => [
  ...new Set(
    [...(queues?.producers ?? []), ...(queues?.consumers ?? [])].map((one) => String(one["queue"])),
  ),
];

/** The prefix of names in `wrangler.toml`. */
const COMMITTED = "assay";

/** Names of a deployment at Cloudflare. */
export type ResourceNames = ReturnType<typeof resourceNames>;

/** Names of a deployment's parts: several deployments can share an account. */
export function resourceNames(name: string, siteName: string, queues: readonly string[]) {
  const own = (committed: string) => `${name}${committed.slice(COMMITTED.length)}`;
  return {
    worker: name,
    site: siteName,
    database: name,
    bucket: `${name}-results`,
    /** The queue's name from its name in `wrangler.toml`. */
    queues: new Map(queues.map((queue) => [queue, own(queue)])),
  };
}
