/** Secrets: set with `wrangler secret put`, so not in wrangler.toml. */
interface Env {
  /** Master secret that seals endpoint keys. */
  SECRETS_KEY?: string;
  /** Master secrets it has replaced, newest first, separated by commas: they only open. */
  SECRETS_KEY_PREVIOUS?: string;
  /** Bearer token of the operator, who makes the first API keys with it. */
  OPERATOR_SECRET?: string;
  /** Deploy hook that rebuilds the site. */
  SITE_REBUILD_HOOK?: string;
}
