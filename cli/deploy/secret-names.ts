/** Secrets that a deployment creates from 32 random bytes if missing. */
export const createdSecrets = ["SECRETS_KEY", "OPERATOR_SECRET"] as const;

/** The private key that signs results: created if missing, and never shown. */
export const SIGNING_SECRET = "SIGNING_KEY";

/** Keys of the judge providers that need no other setting; other names are `JUDGE_KEY_<PROVIDER>`. */
export const judgeSecrets = [
  "JUDGE_KEY_OPENAI",
  "JUDGE_KEY_ANTHROPIC",
  "JUDGE_KEY_GOOGLE",
] as const;

/** Id and secret of an OAuth app at GitHub, with which people sign in. */
export const gitHubSecrets = ["GITHUB_CLIENT_ID", "GITHUB_CLIENT_SECRET"] as const;

/** Secrets that are only set if the environment has them. */
const others: readonly string[] = [
  ...gitHubSecrets,
  "OPENID_CLIENT_ID",
  "OPENID_CLIENT_SECRET",
  "SECRETS_KEY_PREVIOUS",
  "SITE_REBUILD_HOOK",
  "SITE_REBUILD_TOKEN",
  "ALERT_WEBHOOK_SECRET",
];

/** Secrets of a deployment in an environment. */
export const secretNames = (env: Readonly<Record<string, string | undefined>>): string[] =>
  Object.keys(env).filter(
    (name) =>
      /^JUDGE_KEY_[A-Z0-9_]+$/.test(name) ||
      others.includes(name) ||
      name === SIGNING_SECRET ||
      (createdSecrets as readonly string[]).includes(name),
  );

/** An environment without a deployment's secrets, for processes that do not need them. */
export function withoutSecrets(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const secrets = new Set(secretNames(env));
  return Object.fromEntries(Object.entries(env).filter(([name]) => !secrets.has(name)));
}
