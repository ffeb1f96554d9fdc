import {
  isJsonObject,
  type Json,
  type JsonObject,
  parsedJson,
} from "../../shared/contracts/json.ts";
import type { ApiError, SentError } from "../api-error.ts";
import type { FinishedCompletion, ResponseFacts } from "../chat-response.ts";

/** An interface of model providers: it parses requests and formats answers. */
export interface Dialect {
  /** Converts a request to one of Chat Completions. */
  toChat(body: unknown, path: string): unknown;
  /** The body of a reply without streaming. */
  reply(completion: FinishedCompletion, facts: ResponseFacts): string;
  /** The server-sent events of a streamed answer, in order. */
  stream(completion: FinishedCompletion, facts: ResponseFacts): string[];
  /** An error in this interface's format. */
  error(error: ApiError): SentError;
}

/** The fields of an object; empty for other values. */
export const fieldsOf = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});

/** The objects in a list; empty for other values. */
export const listOf = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

/** Arguments of a call as JSON, or as text if they are not JSON. */
export const argumentsOf = (given: string): Json =>
  (parsedJson(given) as Json | undefined) ?? given;

/** A function in the format of Chat Completions. */
export const functionTool = ({ name, description, parameters }: JsonObject): JsonObject => ({
  type: "function",
  function: {
    name: name ?? null,
    ...(description !== undefined && { description }),
    ...(parameters !== undefined && { parameters }),
  },
});
