/**
 * Why what this machine asked has no answer. `status`: as an endpoint would report it, so that the service repeats what
 * may pass: 500 and above, 408, 429. 424 is final.
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

/** Characters of what a program or an HTTP interface wrote, in a message. */
const MOST_QUOTED = 200;

/** The beginning of a text in quotes. */
export function quoted(text: string): string {
  const flat = text.trim();
  return JSON.stringify(flat.length > MOST_QUOTED ? `${flat.slice(0, MOST_QUOTED)}…` : flat);
}

/** Shortest value that counts as a secret: shorter ones occur in any text. */
const LEAST_SECRET = 8;

/** Values of an environment whose names say that they are secret. */
export const secretsIn = (env: NodeJS.ProcessEnv): string[] =>
  Object.entries(env).flatMap(([name, value = ""]) =>
    /key|token|secret|password/i.test(name) && value.length >= LEAST_SECRET ? [value] : [],
  );

/** A text without secrets. */
export const withoutSecrets = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((rest, secret) => rest.replaceAll(secret, "…"), text);
