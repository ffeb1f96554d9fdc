import { _SHA256, sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import canonicalize from "canonicalize";
import type { Json } from "./json.ts";
import { wellFormed } from "./text/well-formed.ts";

/**
 * SHA-256 of the canonical JSON (RFC 8785) of `value`, 64 hex digits. Independent of the order of keys.
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
 * Canonical JSON text (RFC 8785). Lone surrogates have no canonical form and become U+FFFD.
 * @example canonicalJson({ b: 1, a: 2 }) // '{"a":2,"b":1}'
 */
export function canonicalJson(value: Json): string {
  return canonicalize(wellFormed(value)) ?? "null";
}

/**
 * A dataset row as it is stored and hashed: JSON without white space, keys in their original order. Models are shown
 * schemas and samples in this order, and another order changes their answers.
 * @example rowText(JSON.parse('{ "b": 1.0, "a": 2 }')) // '{"b":1,"a":2}'
 */
export function rowText(row: Json): string {
  return JSON.stringify(wellFormed(row));
}

/** Streaming form of `textHash` over lines joined by line feeds. */
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

/** State of a `LineDigest` as plain JSON: the words of the hash and the bytes of an unfinished block. */
export interface LineDigestState {
  words: number[];
  rest: string;
  length: number;
}

/** SHA-256 whose state can be saved and restored. */
class ResumableHash extends _SHA256 {
  state(): LineDigestState {
    const rest = bytesToHex(this.buffer.subarray(0, this.pos));
    return { words: this.get(), rest, length: this.length };
  }

  resume({ words, rest, length }: LineDigestState): this {
    this.set(...(words as ReturnType<typeof this.get>));
    const bytes = hexToBytes(rest);
    this.buffer.set(bytes);
    this.pos = bytes.length;
    this.length = length;
    return this;
  }
}

/**
 * SHA-256 of the concatenated SHA-256 of each line, in order. Lines are not kept. `state` returns what is needed to
 * continue later, of bounded size.
 * @example
 * const digest = new LineDigest();
 * digest.add("a");
 * digest.digest(); // "bf5d3affb73e…"
 */
export class LineDigest {
  readonly #hash: ResumableHash;

  /** `state`: from `state()` of another digest; missing: start without lines. */
  constructor(state?: LineDigestState) {
    this.#hash = new ResumableHash();
    if (state !== undefined) this.#hash.resume(state);
  }

  add(line: string): void {
    this.#hash.update(sha256(utf8ToBytes(line)));
  }

  state(): LineDigestState {
    return this.#hash.state();
  }

  /** 64 hex digits; no line can be added afterwards. */
  digest(): string {
    return bytesToHex(this.#hash.digest());
  }
}
