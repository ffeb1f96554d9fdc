import { BodyTooLargeError, MAX_RESPONSE_BYTES } from "../guarded-fetch.ts";

/** Cost of a chunk, and of an entry of a list, in characters: an endless stream of empty ones ends, too. */
const ENTRY = 16;

/** The size of all parts of a stream so far. */
export class StreamSize {
  #size = 0;

  /** Counts a chunk or entry with this text. Throws `BodyTooLargeError`. */
  grow(text: unknown = ""): void {
    const length = typeof text === "string" ? text.length : (JSON.stringify(text)?.length ?? 0);
    this.#size += ENTRY + length;
    if (this.#size > MAX_RESPONSE_BYTES) throw new BodyTooLargeError();
  }
}
