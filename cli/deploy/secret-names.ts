/** Secrets that are made where none is there, of 32 random bytes. */
export const madeSecrets = ["SECRETS_KEY", "OPERATOR_SECRET"] as const;

/** The private key that signs results: made where none is there, and shown to nobody. */
export const SIGNING_SECRET = "SIGNING_KEY";

/** Of the judges' providers that need no other setting; any other is `JUDGE_KEY_<PROVIDER>`. */
export const judgeSecrets = [
  "JUDGE_KEY_OPENAI",
  "JUDGE_KEY_ANTHROPIC",
  "JUDGE_KEY_GOOGLE",
] as const;

const others: readonly string[] = [
  "SECRETS_KEY_PREVIOUS",
  "SITE_REBUILD_HOOK",
  "SITE_REBUILD_TOKEN",
];

/** Secrets of a deployment that an environment holds. */
export const secretNames = (env: Readonly<Record<string, string | undefined>>): string[] =>
  Object.keys(env).filter(
    (name) =>
      /^JUDGE_KEY_[A-Z0-9_]+$/.test(name) ||
      others.includes(name) ||
      name === SIGNING_SECRET ||
      (madeSecrets as readonly string[]).includes(name),
  );
