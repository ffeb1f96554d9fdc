import { Stream } from "openai/streaming";
import type { StreamParts } from "#shared/protocols/protocol.ts";
import { stallWatch } from "./guarded-fetch.ts";

/** The stream ended before the answer did, or has an event that is not JSON. */
export class BrokenStreamError extends Error {}

/** A streamed answer, as it would have been without a stream. */
export interface Collected {
  body: unknown;
  /** When the first part of the answer arrived (text or a tool call, not a thought); null: none did. */
  firstPartAt: number | null;
  /** When the first part of any kind arrived. */
  firstTokenAt: number | null;
}

/**
 * Reads a stream to its end. Throws `BrokenStreamError`, and what the SDK throws, such as an
 * `APIError` for an event with an error.
 */
export async function readStream(
  response: Response,
  parts: StreamParts,
  signal: AbortSignal,
  now: () => number,
): Promise<Collected> {
  let firstPartAt: number | null = null;
  let firstTokenAt: number | null = null;
  const controller = new AbortController();
  const watch = stallWatch(response);
  try {
    for await (const chunk of Stream.fromSSEResponse<unknown>(response, controller)) {
      const part = parts.add(chunk);
      if (part === null) continue;
      firstTokenAt ??= now();
      if (part === "thought") continue;
      firstPartAt ??= now();
      watch?.begin();
    }
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new BrokenStreamError("an event of the stream is not JSON");
    throw error;
  } finally {
    watch?.end();
  }
  // The SDK takes an aborted stream for an ended one.
  signal.throwIfAborted();
  const body = parts.body();
  if (body === null) throw new BrokenStreamError("the stream ended before the answer did");
  return { body, firstPartAt, firstTokenAt };
}
