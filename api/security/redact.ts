import type { Endpoint } from "#shared/contracts/submission.ts";

/**
 * Shorter secrets are left as they are: endpoints that want no key are given "any" or "none", and
 * blotting those out would change what models say. A key that guards anything is longer.
 */
const MIN_LENGTH = 8;

/** Deeper parts of a value are cut off: what is stored has to be written and read by recursion. */
const MAX_DEPTH = 100;

/** Headers whose values are no secret, so that an answer may hold them. */
const openHeaders =
  /^(http-referer|referer|origin|x-title|accept-language|openai-beta|anthropic-(version|beta)|x-region)$/i;

export type Redact = (text: string) => string;

/** What an endpoint was told and nobody else may read: its key, and headers but for a known few. */
export function secretsOf({ apiKey, headers }: Pick<Endpoint, "apiKey" | "headers">): string[] {
  const values = Object.entries(headers ?? {})
    .filter(([name]) => !openHeaders.test(name))
    .map(([, value]) => value);
  const withoutScheme = values.map((value) => value.replace(/^(bearer|basic|token)\s+/i, ""));
  return [...new Set([apiKey ?? "", ...values, ...withoutScheme])];
}

/**
 * Replaces secrets in text by "[redacted]": as they are, and as JSON, URLs and base64 spell them.
 * It guards against endpoints that repeat what they were sent. One that means to publish its own
 * key can always spell it another way.
 */
export function redactor(secrets: readonly string[]): Redact {
  const spellings = secrets.filter((secret) => secret.length >= MIN_LENGTH).flatMap(spellingsOf);
  if (spellings.length === 0) return (text) => text;
  const longestFirst = [...new Set(spellings)].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(longestFirst.map(escaped).join("|"), "g");
  return (text) => text.replace(pattern, "[redacted]");
}

/** A JSON value with every string in it redacted, names and numbers as well. */
export function redactDeep(value: unknown, redact: Redact, depth = 0): unknown {
  if (typeof value === "string") return redact(value);
  if (typeof value === "number") return redact(`${value}`) === `${value}` ? value : "[redacted]";
  if (typeof value !== "object" || value === null) return value;
  if (depth === MAX_DEPTH) return "[nested too deeply]";
  if (Array.isArray(value)) return value.map((item) => redactDeep(item, redact, depth + 1));
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([name, inner]) => [redact(name), redactDeep(inner, redact, depth + 1)]),
  );
}

function spellingsOf(secret: string): string[] {
  const inBase64 = [0, 1, 2].map((offset) => base64Core(secret, offset));
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    ...inBase64,
    ...inBase64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_")),
  ];
}

/** The part of a text's base64 that only `secret` decides when it begins at byte `offset` of three. */
function base64Core(secret: string, offset: number): string {
  const bytes = new TextEncoder().encode(secret);
  const whole = btoa("\0".repeat(offset) + String.fromCharCode(...bytes));
  const end = Math.floor(((offset + bytes.length) * 8) / 6);
  return whole.slice(Math.ceil((offset * 8) / 6), end);
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
