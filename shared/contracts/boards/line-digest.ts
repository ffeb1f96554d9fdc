import { _SHA256, sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";

/** What a digest knows of its lines so far, as plain JSON: words of the hash, bytes of an unfinished block. */
export interface LineDigestState {
  words: number[];
  rest: string;
  length: number;
}

/** SHA-256 that can be written down and continued. */
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
 * SHA-256 of the SHA-256 of each line of text, in their order, however many: none is held. `state` gives what is needed
 * to continue after the lines so far, of bounded size.
 * @example
 * const digest = new LineDigest();
 * digest.add("a");
 * digest.digest(); // "bf5d3affb73e…"
 */
export class LineDigest {
  readonly #hash: ResumableHash;

  /** `state`: what another one gave as its state; left out: no lines yet. */
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
