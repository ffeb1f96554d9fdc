/**
 * Why a local target has no answer. `status`: an endpoint's status for this failure, so that the service retries
 * temporary ones: 500 and above, 408, 429. 424 is final.
 */
export class TargetFailure extends Error {
  readonly status: number;
  readonly retryAfter: string | null;

  constructor(status: number, message: string, retryAfter: string | null = null) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** Maximum length of quoted output in a message. */
const MOST_QUOTED = 200;

/** The beginning of a text, in quotes. */
export function quoted(text: string): string {
  const flat = text.trim();
  return JSON.stringify(flat.length > MOST_QUOTED ? `${flat.slice(0, MOST_QUOTED)}…` : flat);
}

/** Minimum length of a secret; shorter values occur in any text. */
const LEAST_SECRET = 8;

/** Values of environment variables with names of secrets. */
export const secretsIn = (env: NodeJS.ProcessEnv): string[] =>
  Object.entries(env).flatMap(([name, value = ""]) =>
    /key|token|secret|password/i.test(name) && value.length >= LEAST_SECRET ? [value] : [],
  );

/** Replaces secrets in a text. */
export const withoutSecrets = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((rest, secret) => rest.replaceAll(secret, "…"), text);
