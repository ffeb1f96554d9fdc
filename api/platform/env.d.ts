/** Secrets, set with `wrangler secret put`, and what only some services have: neither is in wrangler.toml. */
interface Env {
  /** Master secret that encrypts endpoint keys. */
  SECRETS_KEY?: string;
  /** Earlier master secrets, newest first, separated by commas: they only decrypt. */
  SECRETS_KEY_PREVIOUS?: string;
  /** Private Ed25519 key that signs results, PKCS#8 in base64. */
  SIGNING_KEY?: string;
  /** Bearer token of the operator, who creates the first API keys with it. */
  OPERATOR_SECRET?: string;
  /** Id and secret of an OAuth app at GitHub, with which people sign in. */
  GITHUB_CLIENT_ID?: string;
  GITHUB_CLIENT_SECRET?: string;
  /** The same at the OpenID provider of OPENID_ISSUER. */
  OPENID_CLIENT_ID?: string;
  OPENID_CLIENT_SECRET?: string;
  /** URL that rebuilds the site: a deploy hook, or a GitHub repository's dispatches. */
  SITE_REBUILD_HOOK?: string;
  /** GitHub token for the dispatches. */
  SITE_REBUILD_TOKEN?: string;
  /** Signs alerts: `whsec_` and 24 to 64 bytes in base64. */
  ALERT_WEBHOOK_SECRET?: string;
  /** Stored answers that runs reuse; only where the command line runs the service. */
  ANSWERS?: Fetcher;
  /** The network, for requests to endpoints; only there, too: `cli/local/runtime.ts` says why. */
  ENDPOINTS?: Fetcher;
  /** Requests in flight of a lane; only there, too. */
  LANE_REQUESTS?: string;
  /** D1 queries of an invocation, and its requests to other hosts; missing: as the plan allows. */
  INVOCATION_CALLS?: string;
}
