import type { JsonObject } from "../contracts/json.ts";
import { InlineThoughts } from "./inline-thoughts.ts";
import type { PartKind, StreamParts } from "./protocol.ts";
import { ReportedError, StreamSize } from "./reply-errors.ts";

type Fields = Record<string, unknown>;

/** Fields of a message whose parts are joined. */
const textFields = [
  "content",
  "refusal",
  "reasoning_content",
  "reasoning",
  "reasoning_details",
  "thinking",
  "thinking_blocks",
] as const;

/** Fields of the completion other than its choice; the last value wins. Azure's filter sends an empty model name. */
const wholeFields = ["model", "usage", "source", "confidence"];

/** Joins the chunks of the first choice. Servers differ in their fields: texts are joined, lists appended. */
export class CompletionParts implements StreamParts {
  readonly #size = new StreamSize();
  readonly #whole: Fields = {};
  readonly #message = new Map<string, unknown>();
  readonly #calls: Call[] = [];
  readonly #logprobs: unknown[] = [];
  readonly #inline = new InlineThoughts();
  #finishReason: unknown = null;

  add(chunk: unknown): PartKind {
    this.#size.grow();
    if (!isFields(chunk)) return null;
    if (chunk["object"] === "error") throw new ReportedError(chunk as JsonObject);
    const groq = isFields(chunk["x_groq"]) ? chunk["x_groq"] : {};
    for (const name of wholeFields) {
      const value = chunk[name] ?? (name === "usage" ? groq["usage"] : null);
      if (value != null && value !== "") this.#whole[name] = value;
    }
    if (typeof groq["error"] === "string") throw new ReportedError({ message: groq["error"] });
    const choice = fieldsIn(chunk["choices"]).find(({ index = 0 }) => index === 0);
    if (choice === undefined) return null;
    const kind = this.#choice(choice);
    const error = errorIn(choice);
    if (error) throw new ReportedError(error);
    // Some servers send an empty reason until the last chunk.
    this.#finishReason = choice["finish_reason"] || this.#finishReason;
    return kind;
  }

  #choice(choice: Fields): PartKind {
    const { logprobs, delta } = choice;
    for (const { logprob } of fieldsIn(isFields(logprobs) ? logprobs["content"] : [])) {
      this.#size.grow();
      this.#logprobs.push({ logprob });
    }
    const given = isFields(delta) ? delta : {};
    for (const name of textFields) this.#append(name, given[name]);
    for (const call of fieldsIn(given["tool_calls"])) this.#call(call);
    const { function_call: single } = given;
    if (isFields(single)) this.#call({ index: "function_call", function: single });
    return this.#kindOf(given);
  }

  /** Null if no chunk has a finish reason, unless the stream was cut off. */
  body(isCut = false): Fields | null {
    if (this.#finishReason === null && !isCut) return null;
    const calls = this.#calls.map((call) => ({ function: call.function }));
    // Every stream begins with an empty text, even if a refusal or calls follow.
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
    this.#size.grow(value);
    const before = this.#message.get(name) ?? "";
    if (typeof before === "string" && typeof value === "string") {
      this.#message.set(name, before + value);
      return;
    }
    const parts = asParts(before);
    for (const part of asParts(value)) parts.push(part);
    this.#message.set(name, parts);
  }

  #kindOf(delta: Fields): PartKind {
    const { tool_calls: calls, function_call: single, content, refusal } = delta;
    if (isPart(calls) || isPart(refusal) || isFields(single)) return "answer";
    if (typeof content === "string" && content !== "") return this.#inline.kindOf(content);
    const isThought = (part: unknown) => isFields(part) && part["type"] === "thinking";
    if (Array.isArray(content) && !content.every(isThought)) return "answer";
    return textFields.some((name) => isPart(delta[name])) ? "thought" : null;
  }

  /** The first chunk of a call has its name; all chunks have parts of its arguments. */
  #call(part: Fields): void {
    this.#size.grow(part);
    const given = isFields(part["function"]) ? part["function"] : {};
    const call = this.#callOf(part, given);
    const { function: its } = call;
    its["name"] = its["name"] || (given["name"] ?? "");
    const more = given["arguments"] ?? "";
    const isText = typeof more === "string" && typeof its["arguments"] === "string";
    its["arguments"] = isText ? `${its["arguments"]}${more}` : more || its["arguments"];
    call.last = isText ? (more.trimEnd().at(-1) ?? call.last) : "}";
  }

  /** Some servers send index 0 or no index for every call; a new call then begins with a new id or a name. */
  #callOf({ index, id }: Fields, given: Fields): Call {
    const own = typeof id === "string" && id !== "" ? id : null;
    const key = index ?? own;
    const known = this.#calls.findLast((one) => key === null || one.key === key);
    const isOther = own === null && known !== undefined && beginsAnother(known, given);
    if (known && !isOther && (own === null || known.id === null || known.id === own)) return known;
    const call = { key, id: own, function: { name: "", arguments: "" }, last: "" };
    this.#calls.push(call);
    return call;
  }
}

interface Call {
  key: unknown;
  id: string | null;
  function: Fields;
  /** Last character of the arguments. */
  last: string;
}

/**
 * Whether a part without an id begins a new call: its name differs, or the known call's arguments are complete and the
 * part begins an object. Some servers repeat the name with each piece of the arguments.
 */
function beginsAnother({ function: its, last }: Call, { name, arguments: more }: Fields): boolean {
  if (typeof name !== "string" || name === "" || !its["name"]) return false;
  const isBegin = typeof more === "string" ? more.trimStart().startsWith("{") : isFields(more);
  return name !== its["name"] || (last === "}" && isBegin);
}

/** Finish reasons of OpenRouter, SGLang and DeepSeek for an answer that the server did not complete. */
const failures: readonly unknown[] = ["error", "abort", "insufficient_system_resource"];

/** The error with which a choice ends; null: none. */
export function errorIn({ error, finish_reason: finish }: Fields): JsonObject | null {
  if (isFields(error)) return error as JsonObject;
  return failures.includes(finish) ? { message: `the provider stopped: ${finish}` } : null;
}

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const fieldsIn = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);

const isPart = (value: unknown): boolean =>
  (typeof value === "string" || Array.isArray(value)) && value.length > 0;

/** The parts of a content; a text is one part. */
const asParts = (value: unknown): unknown[] => {
  if (Array.isArray(value)) return value;
  return value === "" ? [] : [{ type: "text", text: value }];
};
