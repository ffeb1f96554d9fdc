import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** Of SHA-256. */
const DIGEST_BYTES = 32;

/**
 * SHA-256 of the SHA-256 of each of so many lines of text, in their order, whatever the order in which they come:
 * 32 bytes a line are held. A line that did not come counts as 32 zero bytes.
 * @example
 * const digests = new LineDigests(1);
 * digests.set(0, "a");
 * digests.digest(); // "bf5d3affb73e…"
 */
export class LineDigests {
  readonly #digests: Uint8Array;

  constructor(count: number) {
    this.#digests = new Uint8Array(count * DIGEST_BYTES);
  }

  /** `at`: the line's place, from 0; throws RangeError beyond the count. */
  set(at: number, line: string): void {
    this.#digests.set(sha256(utf8ToBytes(line)), at * DIGEST_BYTES);
  }

  /** 64 hex digits. */
  digest(): string {
    return bytesToHex(sha256(this.#digests));
  }
}

/**
 * The same digest of lines that come in their order, however many: none is held, and no count has to be trusted.
 * @example
 * const digest = new OrderedLineDigest();
 * digest.add("a");
 * digest.digest(); // "bf5d3affb73e…"
 */
export class OrderedLineDigest {
  readonly #hash = sha256.create();

  add(line: string): void {
    this.#hash.update(sha256(utf8ToBytes(line)));
  }

  /** 64 hex digits; no line can be added afterwards. */
  digest(): string {
    return bytesToHex(this.#hash.digest());
  }
}
