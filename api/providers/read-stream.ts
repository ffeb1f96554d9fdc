import { createParser, type EventSourceMessage } from "eventsource-parser";
import { APIError } from "openai";
import { isJsonObject } from "#shared/contracts/json.ts";
import type { StreamParts } from "#shared/protocols/protocol.ts";
import { MOST_CHARACTERS, TooLargeError } from "#shared/protocols/reply-errors.ts";
import { guardOf } from "./guarded-fetch.ts";

/** The stream ended before the answer did, or has an event that is not JSON. */
export class BrokenStreamError extends Error {}

/** A streamed answer in the form of an answer without a stream. */
export interface Collected {
  body: unknown;
  /** When the first part of the answer arrived (text or a tool call, not a thought); null if none did. */
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
  const guard = guardOf(response);
  const add = (chunk: unknown) => {
    guard?.begin();
    const part = parts.add(chunk);
    if (part === null) return;
    firstTokenAt ??= now();
    if (part === "thought") return;
    firstPartAt ??= now();
    guard?.answerBegins();
  };
  try {
    await readChunks(response, guard, add);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof SyntaxError)
      throw new BrokenStreamError("an event of the stream is not JSON");
    throw error;
  }
  signal.throwIfAborted();
  const body = parts.body();
  if (body === null) throw new BrokenStreamError("the stream ended before the answer did");
  return { body, firstPartAt, firstTokenAt };
}

/** Passes on the data of a stream's events until the handler reports the end. Throws `TooLargeError`. */
async function readChunks(
  { body, headers }: Response,
  guard: ReturnType<typeof guardOf>,
  add: (chunk: unknown) => void,
): Promise<void> {
  const events = eventReader();
  const decoder = new TextDecoder();
  const isDoneAfter = (text: string): boolean => {
    for (const { event, data } of events(text)) {
      if (data === "[DONE]") return true;
      const chunk: unknown = JSON.parse(data);
      const error = isJsonObject(chunk) ? chunk["error"] : null;
      if (event === "error" || error) {
        throw new APIError(undefined, (error || chunk) as object, undefined, headers);
      }
      add(chunk);
    }
    return false;
  };
  if (body !== null) {
    for await (const bytes of guard?.chunks(body) ?? body)
      if (isDoneAfter(decoder.decode(bytes, { stream: true }))) return;
  }
  // Some servers omit the blank line after the last event.
  isDoneAfter(`${decoder.decode()}\n\n`);
}

/** Takes text and returns the completed events that have data; heartbeats of some gateways have none. */
function eventReader(): (text: string) => EventSourceMessage[] {
  const events: EventSourceMessage[] = [];
  const parser = createParser({
    onEvent: (event) => {
      const data = event.data.trim();
      if (data !== "") events.push({ ...event, data });
    },
    onError: ({ type, field, value = "" }) => {
      if (type === "max-buffer-size-exceeded") throw new TooLargeError("an event is too large");
      // llama.cpp reports errors in a separate field.
      if (field === "error") events.push({ event: field, data: value });
    },
    maxBufferSize: MOST_CHARACTERS,
  });
  return (text) => {
    parser.feed(text);
    return events.splice(0);
  };
}
