import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import canonicalize from "canonicalize";
import type { Json } from "./json.ts";
import { wellFormed } from "./text/well-formed.ts";

/**
 * SHA-256 of the canonical JSON (RFC 8785) of `value`, 64 hex digits: the same for the same
 * content, whatever the order of its keys.
 * @example contentHash({ b: 1, a: 2 }) === contentHash({ a: 2, b: 1 }) // true
 */
export function contentHash(value: Json): string {
  return textHash(canonicalJson(value));
}

/**
 * SHA-256 of the UTF-8 bytes of `text`, 64 hex digits. Linear.
 * @example textHash("") // "e3b0c44298fc…"
 */
export function textHash(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

/**
 * Canonical JSON text (RFC 8785). Text that is not well-formed Unicode has no canonical form: its
 * lone surrogates are taken as U+FFFD.
 * @example canonicalJson({ b: 1, a: 2 }) // '{"a":2,"b":1}'
 */
export function canonicalJson(value: Json): string {
  return canonicalize(wellFormed(value)) ?? "null";
}

/**
 * A dataset's row as it is stored and hashed: JSON without white space, its keys in their order. The order is kept
 * because models are shown schemas and samples in it, and answer differently in another.
 * @example rowText(JSON.parse('{ "b": 1.0, "a": 2 }')) // '{"b":1,"a":2}'
 */
export function rowText(row: Json): string {
  return JSON.stringify(wellFormed(row));
}

/**
 * SHA-256 of lines of text as `textHash` gives it of all of them with line feeds between, without
 * holding them all.
 */
export class LinesHash {
  readonly #hash = sha256.create();
  #isFirst = true;

  add(line: string): void {
    this.#hash.update(utf8ToBytes(this.#isFirst ? line : `\n${line}`));
    this.#isFirst = false;
  }

  /** 64 hex digits. */
  digest(): string {
    return bytesToHex(this.#hash.digest());
  }
}
