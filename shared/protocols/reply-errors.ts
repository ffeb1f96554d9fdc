import type { Answer } from "../contracts/answer.ts";
import type { JsonObject } from "../contracts/json.ts";

/** A reply that reports a failure, whatever its status. */
export class ReportedError extends Error {
  /** The provider's error: `message`, and some of `code`, `type`, `param` and others. */
  readonly details: JsonObject;
  /** The part of the answer that was received before the failure. */
  readonly received: Answer | null;
  constructor(details: JsonObject, received: Answer | null = null) {
    super(typeof details["message"] === "string" ? details["message"] : "the reply is an error");
    this.details = details;
    this.received = received;
  }
}

/** An interface can't express a request; handled as if the endpoint had refused it. */
export class UnwritableError extends Error {}

/** A reply that is larger than any answer. */
export class TooLargeError extends Error {}

/** Maximum length of a reply, characters: an answer of 2,048 tokens has about 10 kB, with log probabilities 1 MB. */
export const MOST_CHARACTERS = 4 * 1024 * 1024;

/** Characters counted for each chunk and list entry, so that an endless stream of empty chunks ends, too. */
const ENTRY = 16;

/** The size of all parts of a stream so far. */
export class StreamSize {
  #size = 0;

  /** Counts a chunk or entry with this text. Throws `TooLargeError`. */
  grow(text: unknown = ""): void {
    this.#size += ENTRY + (typeof text === "string" ? text.length : charactersOf(text));
    if (this.#size > MOST_CHARACTERS) {
      throw new TooLargeError(`the response is larger than ${MOST_CHARACTERS} characters`);
    }
  }
}

function charactersOf(part: unknown): number {
  try {
    return JSON.stringify(part)?.length ?? 0;
  } catch {
    // The nesting exceeds the stack.
    throw new TooLargeError("the response is nested too deep");
  }
}
