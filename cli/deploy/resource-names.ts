/** The prefix that names in `wrangler.toml` have. */
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
    /** By the name that `wrangler.toml` gives a queue. */
    queues: new Map(queues.map((queue) => [queue, own(queue)])),
  };
}
