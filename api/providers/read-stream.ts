import { createParser, type EventSourceMessage } from "eventsource-parser";
import { APIError } from "openai";
import { isJsonObject } from "#shared/contracts/json.ts";
import type { StreamParts } from "#shared/protocols/protocol.ts";
import { MOST_CHARACTERS, TooLargeError } from "#shared/protocols/reply-errors.ts";
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

/** Reads a stream to its end. Throws `BrokenStreamError`, and an `APIError` for an event with an error. */
export async function readStream(
  response: Response,
  parts: StreamParts,
  signal: AbortSignal,
  now: () => number,
): Promise<Collected> {
  let firstPartAt: number | null = null;
  let firstTokenAt: number | null = null;
  const watch = stallWatch(response);
  try {
    for await (const chunk of chunksOf(response)) {
      watch?.begin();
      const part = parts.add(chunk);
      if (part === null) continue;
      firstTokenAt ??= now();
      if (part === "thought") continue;
      firstPartAt ??= now();
      watch?.answerBegins();
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof SyntaxError)
      throw new BrokenStreamError("an event of the stream is not JSON");
    throw error;
  } finally {
    watch?.end();
  }
  signal.throwIfAborted();
  const body = parts.body();
  if (body === null) throw new BrokenStreamError("the stream ended before the answer did");
  return { body, firstPartAt, firstTokenAt };
}

/** The data of a stream's events, until one says that it is done. Throws `TooLargeError`. */
async function* chunksOf({ body, headers }: Response): AsyncGenerator<unknown> {
  for await (const { event, data } of eventsOf(body)) {
    if (data === "[DONE]") return;
    const chunk: unknown = JSON.parse(data);
    const error = isJsonObject(chunk) ? chunk["error"] : null;
    if (event === "error" || error) {
      throw new APIError(undefined, (error || chunk) as object, undefined, headers);
    }
    yield chunk;
  }
}

/** The events that have data: heartbeats of some gateways have none. */
async function* eventsOf(body: Response["body"]): AsyncGenerator<EventSourceMessage> {
  const events: EventSourceMessage[] = [];
  const parser = createParser({
    onEvent: (event) => events.push({ ...event, data: event.data.trim() }),
    onError: ({ type, field, value = "" }) => {
      if (type === "max-buffer-size-exceeded") throw new TooLargeError("an event is too large");
      // llama.cpp has errors in a field of their own.
      if (field === "error") events.push({ event: field, data: value });
    },
    maxBufferSize: MOST_CHARACTERS,
  });
  for await (const text of textsOf(body)) {
    parser.feed(text);
    yield* events.splice(0).filter(({ data }) => data !== "");
  }
}

/** Some servers leave out the blank line after the last event. */
async function* textsOf(body: Response["body"]): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const bytes of body ?? []) yield decoder.decode(bytes, { stream: true });
  yield `${decoder.decode()}\n\n`;
}
