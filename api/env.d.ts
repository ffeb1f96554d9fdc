/** Secrets: set with `wrangler secret put`, so not in wrangler.toml. */
interface Env {
  /** Master secret that seals endpoint keys. */
  SECRETS_KEY?: string;
  /** Master secrets it has replaced, newest first, separated by commas: they only open. */
  SECRETS_KEY_PREVIOUS?: string;
  /** Private Ed25519 key that signs results, PKCS#8 in base64. */
  SIGNING_KEY?: string;
  /** Bearer token of the operator, who makes the first API keys with it. */
  OPERATOR_SECRET?: string;
  /** What rebuilds the site: a deploy hook, or a repository's dispatches at GitHub. */
  SITE_REBUILD_HOOK?: string;
  /** Token for the dispatches. */
  SITE_REBUILD_TOKEN?: string;
}
