import { createPublicKey, verify } from "node:crypto";
import type { PublicKey, SignedStatement } from "#shared/contracts/boards/result-statement.ts";
import { canonicalJson } from "#shared/contracts/content-hash.ts";
import { pointerOf } from "#shared/contracts/field-errors.ts";
import { isJsonObject, type Json, parsedJson } from "#shared/contracts/json.ts";
import { type Check, type Difference, differs, passed, unchecked } from "./check.ts";

/** Public keys and their source. */
export interface TrustedKeys {
  keys: readonly PublicKey[];
  source: string;
}

/**
 * Whether one of the keys signed the statement. `document` must be unparsed, because the signature includes parts that
 * this version does not know.
 */
export function checkSignature(
  document: Pick<SignedStatement, "signature" | "note"> & { statement: unknown },
  { keys, source }: TrustedKeys,
): Check {
  const { signature, statement, note } = document;
  if (signature === null && keys.length > 0) {
    return differs("signature", `there is none, although ${source} has keys: it was removed`);
  }
  if (signature === null) {
    return unchecked("signature", note ?? "there is none: the deployment does not sign results");
  }
  const parts = signature.split(".");
  const header = parsedJson(decoded(parts[0])) as { alg?: unknown; kid?: unknown } | undefined;
  if (parts.length !== 3 || header?.alg !== "EdDSA" || typeof header.kid !== "string") {
    return differs("signature", "it is not a JWS of an Ed25519 key");
  }
  const key = keys.find(({ kid }) => kid === header.kid);
  if (key === undefined) {
    return differs("signature", `it is by the key ${header.kid}, which is not a key of ${source}`);
  }
  if (!isSignedBy(key, parts as [string, string, string])) {
    return differs("signature", `the key ${key.kid} of ${source} did not sign this`);
  }
  const payload = decoded(parts[1]);
  if (payload !== canonicalJson(statement as Json)) {
    const differences = deepDifferences(parsedJson(payload), statement);
    return differs("signature", "the signed payload is not the statement", differences);
  }
  return passed("signature", `by the key ${key.kid} of ${source}`);
}

const decoded = (part = ""): string => Buffer.from(part, "base64url").toString();

function isSignedBy(key: PublicKey, [header, payload, signature]: [string, string, string]) {
  try {
    const { kty, crv, x } = key;
    const publicKey = createPublicKey({ key: { kty, crv, x }, format: "jwk" });
    const signed = Buffer.from(`${header}.${payload}`);
    return verify(null, signed, publicKey, Buffer.from(signature, "base64url"));
  } catch {
    return false;
  }
}

/**
 * The differences of two JSON values by JSON pointer; `null` for a missing member.
 * @example deepDifferences({ a: [1] }, { a: [2] }) // [{ what: "/a/0", signed: 1, found: 2 }]
 */
function deepDifferences(
  signed: unknown,
  found: unknown,
  path: readonly string[] = [],
): Difference[] {
  if (areBoth(isJsonObject, signed, found) || areBoth(Array.isArray, signed, found)) {
    const [a, b] = [signed, found] as Record<string, unknown>[];
    const names = new Set([...Object.keys(a!), ...Object.keys(b!)]);
    return [...names].flatMap((name) => deepDifferences(a![name], b![name], [...path, name]));
  }
  if (Object.is(signed, found)) return [];
  return [{ what: pointerOf(path), signed: signed ?? null, found: found ?? null }];
}

const areBoth = (is: (value: unknown) => boolean, a: unknown, b: unknown): boolean =>
  is(a) && is(b);
