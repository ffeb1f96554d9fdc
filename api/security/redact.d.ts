import type { Endpoint } from "#shared/contracts/submissions/submission.ts";
export type Redact = (text: string) => string;
/**
 * Secrets sent to an endpoint: its key, header values except those of known public headers, what follows an
 * authentication scheme, and user name and password of Basic authentication.
 */
export declare function secretsOf({ apiKey, headers }: Pick<Endpoint, "apiKey" | "headers">): string[];
/**
 * Replaces secrets in text by "[redacted]": literally, in other letter case if they look like keys, as spelled in JSON,
 * URLs, HTML, hex and base64, and parts of long keys. It protects against endpoints that echo their input. An endpoint
 * that wants to publish its own key can always encode it differently. Linear in the text.
 */
export declare function redactor(secrets: readonly string[]): Redact;
/** A JSON value with all strings, names and numbers redacted. */
export declare function redactDeep(value: unknown, redact: Redact, depth?: number): unknown;
