import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { Endpoint } from "../contracts/submissions/submission.ts";

/** Available in every runtime. */
declare const atob: (text: string) => string;
declare const btoa: (text: string) => string;

/**
 * Shorter secrets are not redacted: endpoints without a key are given "any" or "none", and replacing such words would
 * change answers. Real keys are longer.
 */
const MIN_LENGTH = 8;

/** Deeper parts of a value are cut off, because stored values are processed recursively. */
const MAX_DEPTH = 100;

/** Headers with public values, which answers may contain. */
const openHeaders =
  /^(http-referer|referer|origin|x-title|accept-language|openai-beta|anthropic-(version|beta)|x-region)$/i;

export type Redact = (text: string) => string;

/**
 * Secrets sent to an endpoint: its key, header values except of known public headers, credentials after an
 * authentication scheme, and user name and password of Basic authentication.
 */
export function secretsOf({ apiKey, headers }: Pick<Endpoint, "apiKey" | "headers">): string[] {
  const values = Object.entries(headers ?? {})
    .filter(([name]) => !openHeaders.test(name))
    .map(([, value]) => value);
  const withoutScheme = values.map((value) => value.replace(/^(bearer|basic|token)\s+/i, ""));
  const basic = values.flatMap((value) => credentialsOf(/^basic\s+(\S+)$/i.exec(value)?.[1]));
  return [...new Set([apiKey ?? "", ...values, ...withoutScheme, ...basic])];
}

/**
 * `user:password`, and only the password.
 * Source: RFC 7617.
 */
function credentialsOf(base64: string | undefined): string[] {
  if (base64 === undefined) return [];
  try {
    const decoded = atob(base64);
    return [decoded, decoded.slice(decoded.indexOf(":") + 1)];
  } catch {
    return [];
  }
}

/**
 * Replaces secrets in text by "[redacted]": literally, in other letter case if they look like keys, as spelled in JSON,
 * URLs, HTML, hex and base64, and parts of long keys. It protects against endpoints that echo their input. An endpoint
 * that wants to publish its own key can always encode it differently. Linear in the text.
 */
export function redactor(secrets: readonly string[]): Redact {
  const guarded = [...new Set(secrets.filter((secret) => secret.length >= MIN_LENGTH))];
  if (guarded.length === 0) return (text) => text;
  const longestFirst = guarded.flatMap(spellingsOf).sort((a, b) => b.length - a.length);
  const pattern = new RegExp([...new Set(longestFirst)].join("|"), "g");
  const pieces = pieceFinder(guarded.filter(isKeyLike));
  return (text) => {
    if (text.length < MIN_LENGTH) return text;
    const plain = text.replace(pattern, REDACTED);
    return pieces(withoutEscaped(plain, pattern));
  };
}

const REDACTED = "[redacted]";

/** Whether to search for a secret in other letter case and in parts: other header values may be common words. */
const isKeyLike = (secret: string): boolean =>
  secret.length >= 16 && /^\S+$/.test(secret) && /\d/.test(secret) && /[a-z]/i.test(secret);

/** A JSON value with all strings, names and numbers redacted. */
export function redactDeep(value: unknown, redact: Redact, depth = 0): unknown {
  if (typeof value === "string") return redact(value);
  if (typeof value === "number") return redact(`${value}`) === `${value}` ? value : REDACTED;
  if (typeof value !== "object" || value === null) return value;
  if (depth === MAX_DEPTH) return "[nested too deeply]";
  if (Array.isArray(value)) return value.map((item) => redactDeep(item, redact, depth + 1));
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([name, inner]) => [redact(name), redactDeep(inner, redact, depth + 1)]),
  );
}

/** Patterns for the unescaped spellings of a secret. */
function spellingsOf(secret: string): string[] {
  const inBase64 = [0, 1, 2].map((offset) => base64Core(secret, offset));
  const hex = bytesToHex(utf8ToBytes(secret));
  const exact = [
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    ...inBase64,
    ...inBase64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_")),
  ].map(escaped);
  const plain = escaped(secret);
  return [isKeyLike(secret) ? inAnyCase(plain) : plain, inAnyCase(hex), ...exact];
}

/** The part of a text's base64 that depends only on `secret`, if it starts at byte `offset` (modulo three). */
function base64Core(secret: string, offset: number): string {
  const bytes = utf8ToBytes(secret);
  const whole = btoa("\0".repeat(offset) + String.fromCharCode(...bytes));
  const end = Math.floor(((offset + bytes.length) * 8) / 6);
  return whole.slice(Math.ceil((offset * 8) / 6), end);
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");

const inAnyCase = (pattern: string) =>
  pattern.replace(/[a-z]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);

/** Escapes of one ASCII character in JSON, JavaScript, URLs and HTML, also nested. */
const escapes =
  /\\{1,8}(?:u\{0{0,4}([0-9a-f]{2})\}|u00([0-9a-f]{2})|x([0-9a-f]{2})|(["'/]))|%(?:25){0,4}([0-9a-f]{2})|&#x0{0,6}([0-9a-f]{2});?|&#0{0,6}([0-9]{2,3});?|&(amp|quot|apos|lt|gt);/gi;

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  quot: '"',
  apos: "'",
  lt: "<",
  gt: ">",
};

/** Maximum nesting of escapes, as of JSON in a URL in HTML. */
const MOST_LEVELS = 3;

/** Replaces matches in the unescaped text; text without a match stays as written. */
function withoutEscaped(text: string, pattern: RegExp): string {
  const places: Places[] = [];
  let decoded = text;
  for (let level = 0; level < MOST_LEVELS; level++) {
    if (!/[\\%&]/.test(decoded)) return text;
    const read = unescaped(decoded);
    if (read === null) return text;
    places.push(read.places);
    decoded = read.text;
    const found = [...decoded.matchAll(pattern)];
    if (found.length === 0) continue;
    const ranges = found.map(({ index, 0: { length } }): [number, number] => {
      const back = (at: number) => places.reduceRight((inner, its) => its.before(inner), at);
      return [back(index), back(index + length)];
    });
    return withoutEscaped(withoutRanges(text, ranges), pattern);
  }
  return text;
}

/** Maps positions of a decoded text to the original. */
interface Places {
  before(at: number): number;
}

/** Null if there is no escape. */
function unescaped(text: string): { text: string; places: Places } | null {
  /** Position of each decoded character, and range of its escape. */
  const found: { at: number; from: number; to: number }[] = [];
  const parts: string[] = [];
  let [last, length] = [0, 0];
  for (const match of text.matchAll(escapes)) {
    const [whole, ofBraces, ofFour, ofTwo, itself, ofUrl, ofHexEntity, ofEntity, named] = match;
    const hex = ofBraces ?? ofFour ?? ofTwo ?? ofUrl ?? ofHexEntity;
    const code = hex === undefined ? Number(ofEntity) : Number.parseInt(hex, 16);
    const char = itself ?? entities[named?.toLowerCase() ?? ""] ?? String.fromCharCode(code);
    parts.push(text.slice(last, match.index), char);
    length += match.index - last;
    last = match.index + whole.length;
    found.push({ at: length, from: match.index, to: last });
    length += 1;
  }
  if (found.length === 0) return null;
  parts.push(text.slice(last));
  const before = (at: number): number => {
    let [low, high] = [0, found.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (found[middle]!.at < at) low = middle + 1;
      else high = middle;
    }
    const previous = found[low - 1];
    return previous === undefined ? at : previous.to + (at - previous.at - 1);
  };
  return { text: parts.join(""), places: { before } };
}

/** Text with each range replaced; ranges are sorted and disjoint. */
function withoutRanges(text: string, ranges: readonly (readonly [number, number])[]): string {
  const parts: string[] = [];
  let last = 0;
  for (const [from, to] of ranges) {
    parts.push(text.slice(last, from), REDACTED);
    last = to;
  }
  return parts.join("") + text.slice(last);
}

/** Minimum length of redacted parts of keys: longer than the public prefixes of keys. */
const PIECE = 16;
/** Every part of length `PIECE` contains a window of this length at a multiple of it. */
const WINDOW = PIECE / 2;

/** Windows of keys, each with its first place. */
type Windows = Map<string, { secret: string; at: number }>;

/** Replaces parts of keys, as from endpoints that truncate a key or split it into fields. */
function pieceFinder(secrets: readonly string[]): Redact {
  const windows: Windows = new Map();
  for (const secret of secrets.filter(({ length }) => length > PIECE)) {
    for (let at = 0; at + WINDOW <= secret.length; at++) {
      const window = secret.slice(at, at + WINDOW);
      if (!windows.has(window)) windows.set(window, { secret, at });
    }
  }
  if (windows.size === 0) return (text) => text;
  return (text) => withoutRanges(text, piecesIn(text, windows));
}

/** Ranges of the parts of keys in a text. */
function piecesIn(text: string, windows: Windows): [number, number][] {
  const ranges: [number, number][] = [];
  for (let i = 0; i + WINDOW <= text.length; i += WINDOW) {
    const found = windows.get(text.slice(i, i + WINDOW));
    if (found === undefined || i < (ranges.at(-1)?.[1] ?? 0)) continue;
    const { secret, at } = found;
    let [before, after] = [0, WINDOW];
    while (at > before && i > before && text[i - before - 1] === secret[at - before - 1])
      before += 1;
    while (at + after < secret.length && text[i + after] === secret[at + after]) after += 1;
    if (before + after >= PIECE) ranges.push([i - before, i + after]);
  }
  return ranges;
}
