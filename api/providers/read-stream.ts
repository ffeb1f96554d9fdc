import { Stream } from "openai/streaming";
import { BodyTooLargeError, MAX_RESPONSE_BYTES } from "./guarded-fetch.ts";

type Fields = Record<string, unknown>;

/** The stream ended before the answer did, or has an event that is not JSON. */
export class BrokenStreamError extends Error {}

/** A streamed chat completion, as it would have been without a stream. */
export interface Collected {
  body: Fields;
  /** When the first part of the answer arrived (text or a tool call, not a thought); null: none did. */
  firstPartAt: number | null;
}

/**
 * Reads a stream of chat completion chunks to its end. Throws `BrokenStreamError`, and what the SDK throws, such as an
 * `APIError` for an event with an error.
 */
export async function readStream(
  response: Response,
  signal: AbortSignal,
  now: () => number,
): Promise<Collected> {
  const parts = new CompletionParts();
  let firstPartAt: number | null = null;
  const controller = new AbortController();
  try {
    for await (const chunk of Stream.fromSSEResponse<unknown>(response, controller)) {
      if (parts.add(chunk)) firstPartAt ??= now();
    }
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new BrokenStreamError("an event of the stream is not JSON");
    throw error;
  }
  // The SDK takes an aborted stream for an ended one.
  signal.throwIfAborted();
  const body = parts.completion();
  if (body === null) throw new BrokenStreamError("the stream ended before the answer did");
  return { body, firstPartAt };
}

/** Cost of a chunk, and of an entry of a list, in characters: an endless stream of empty ones ends, too. */
const ENTRY = 16;
/** Fields of the completion, apart from its choice. The last value counts. */
const wholeFields = ["model", "usage", "source", "confidence"];

/** Joins the chunks of the first choice. Servers differ in their fields: texts are joined, lists appended. */
class CompletionParts {
  readonly #whole: Fields = {};
  readonly #message = new Map<string, unknown>();
  readonly #calls = new Map<unknown, Fields>();
  readonly #logprobs: unknown[] = [];
  #finishReason: unknown = null;
  #size = 0;

  /** Adds a chunk; true if it has a part of the answer. Throws `BodyTooLargeError`. */
  add(chunk: unknown): boolean {
    this.#grow(ENTRY);
    if (!isFields(chunk)) return false;
    for (const name of wholeFields) this.#whole[name] = chunk[name] ?? this.#whole[name];
    const choice = fieldsIn(chunk["choices"]).find(({ index = 0 }) => index === 0);
    if (choice === undefined) return false;
    this.#finishReason = choice["finish_reason"] ?? this.#finishReason;
    const { logprobs, delta } = choice;
    for (const { logprob } of fieldsIn(isFields(logprobs) ? logprobs["content"] : [])) {
      this.#grow(ENTRY);
      this.#logprobs.push({ logprob });
    }
    const { role: _, tool_calls: calls, ...texts } = isFields(delta) ? delta : {};
    for (const [name, value] of Object.entries(texts)) this.#append(name, value);
    for (const call of fieldsIn(calls)) this.#call(call);
    return [calls, texts["content"], texts["refusal"]].some(isPart);
  }

  /** The body of the completion; null if no chunk says why it ended. */
  completion(): Fields | null {
    if (this.#finishReason === null) return null;
    const calls = [...this.#calls.values()];
    // Every stream begins with an empty text, also if a refusal or calls follow.
    const isElsewhere = calls.length > 0 || this.#message.has("refusal");
    if (isElsewhere && this.#message.get("content") === "") this.#message.delete("content");
    const message = {
      ...Object.fromEntries(this.#message),
      ...(calls.length > 0 && { tool_calls: calls }),
    };
    const logprobs = this.#logprobs.length > 0 ? { content: this.#logprobs } : null;
    const choice = { index: 0, message, logprobs, finish_reason: this.#finishReason };
    return { ...this.#whole, choices: [choice] };
  }

  #append(name: string, value: unknown): void {
    if (typeof value !== "string" && !Array.isArray(value)) return;
    this.#grow(Array.isArray(value) ? JSON.stringify(value).length : value.length);
    const before = this.#message.get(name) ?? "";
    if (typeof before === "string" && typeof value === "string") {
      this.#message.set(name, before + value);
      return;
    }
    const parts = asParts(before);
    for (const part of asParts(value)) parts.push(part);
    this.#message.set(name, parts);
  }

  /** The first chunk of a call has its name, all have parts of its arguments. */
  #call(part: Fields): void {
    const key = part["index"] ?? part["id"] ?? this.#calls.size - 1;
    const given = isFields(part["function"]) ? part["function"] : {};
    const call = this.#calls.get(key) ?? { function: { name: "", arguments: "" } };
    const its = call["function"] as Fields;
    this.#grow(ENTRY + JSON.stringify(given).length);
    its["name"] = its["name"] || (given["name"] ?? "");
    const { arguments: more = "" } = given;
    const isText = typeof more === "string" && typeof its["arguments"] === "string";
    its["arguments"] = isText ? `${its["arguments"]}${more}` : (more ?? its["arguments"]);
    this.#calls.set(key, call);
  }

  #grow(by: number): void {
    this.#size += by;
    if (this.#size > MAX_RESPONSE_BYTES) throw new BodyTooLargeError();
  }
}

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const fieldsIn = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);

const isPart = (value: unknown): boolean =>
  (typeof value === "string" || Array.isArray(value)) && value.length > 0;

/** Parts of a content: a text is one. */
const asParts = (value: unknown): unknown[] => {
  if (Array.isArray(value)) return value;
  return value === "" ? [] : [{ type: "text", text: value }];
};
