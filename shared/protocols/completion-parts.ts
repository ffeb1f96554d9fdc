import type { JsonObject } from "../contracts/json.ts";
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

/** Fields of the completion, apart from its choice. The last value counts. */
const wholeFields = ["model", "usage", "source", "confidence"];

/** Joins the chunks of the first choice. Servers differ in their fields: texts are joined, lists appended. */
export class CompletionParts implements StreamParts {
  readonly #size = new StreamSize();
  readonly #whole: Fields = {};
  readonly #message = new Map<string, unknown>();
  readonly #calls: Call[] = [];
  readonly #logprobs: unknown[] = [];
  #finishReason: unknown = null;

  add(chunk: unknown): PartKind {
    this.#size.grow();
    if (!isFields(chunk)) return null;
    for (const name of wholeFields) this.#whole[name] = chunk[name] ?? this.#whole[name];
    const choice = fieldsIn(chunk["choices"]).find(({ index = 0 }) => index === 0);
    if (choice === undefined) return null;
    throwErrorOf(choice);
    this.#finishReason = choice["finish_reason"] ?? this.#finishReason;
    const { logprobs, delta } = choice;
    for (const { logprob } of fieldsIn(isFields(logprobs) ? logprobs["content"] : [])) {
      this.#size.grow();
      this.#logprobs.push({ logprob });
    }
    const given = isFields(delta) ? delta : {};
    for (const name of textFields) this.#append(name, given[name]);
    for (const call of fieldsIn(given["tool_calls"])) this.#call(call);
    return kindOf(given);
  }

  /** Null if no chunk says why it ended, unless it was cut. */
  body(isCut = false): Fields | null {
    if (this.#finishReason === null && !isCut) return null;
    const calls = this.#calls.map((call) => ({ function: call.function }));
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

  /** The first chunk of a call has its name, all have parts of its arguments. */
  #call(part: Fields): void {
    this.#size.grow(part);
    const { function: its } = this.#callOf(part);
    const given = isFields(part["function"]) ? part["function"] : {};
    its["name"] = its["name"] || (given["name"] ?? "");
    const { arguments: more = "" } = given;
    const isText = typeof more === "string" && typeof its["arguments"] === "string";
    its["arguments"] = isText ? `${its["arguments"]}${more}` : (more ?? its["arguments"]);
  }

  /** Some servers give every call the place 0, with an id of its own. */
  #callOf({ index, id }: Fields): Call {
    const own = typeof id === "string" && id !== "" ? id : null;
    const key = index ?? own;
    const known = this.#calls.findLast((one) => key === null || one.key === key);
    if (known && (own === null || known.id === null || known.id === own)) return known;
    const call = { key, id: own, function: { name: "", arguments: "" } };
    this.#calls.push(call);
    return call;
  }
}

interface Call {
  key: unknown;
  id: string | null;
  function: Fields;
}

/** OpenRouter reports an error as the end of an answer. Throws a `ReportedError`. */
export function throwErrorOf({ error, finish_reason: finish }: Fields): void {
  if (isFields(error)) throw new ReportedError(error as JsonObject);
  if (finish === "error") throw new ReportedError({ message: "the provider stopped: error" });
}

function kindOf(delta: Fields): PartKind {
  const { tool_calls: calls, content, refusal } = delta;
  const isThought =
    Array.isArray(content) && fieldsIn(content).every(({ type }) => type === "thinking");
  if ([calls, isThought ? null : content, refusal].some(isPart)) return "answer";
  return textFields.some((name) => isPart(delta[name])) ? "thought" : null;
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
