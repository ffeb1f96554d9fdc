/** Secrets: set with `wrangler secret put`, so not in wrangler.toml. */
interface Env {
  /** Master secret that seals endpoint keys. */
  SECRETS_KEY?: string;
  /** Deploy hook that rebuilds the site. */
  SITE_REBUILD_HOOK?: string;
}
