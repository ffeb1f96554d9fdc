import {
  isJsonObject,
  type Json,
  type JsonObject,
  parsedJson,
} from "../../shared/contracts/json.ts";
import type { ApiError, SentError } from "../api-error.ts";
import type { FinishedCompletion, ResponseFacts } from "../chat-response.ts";

/** An interface of model providers: how its requests are read, and how an answer is written in it. */
export interface Dialect {
  /** The request as one of Chat Completions. `path`: its address. */
  toChat(body: unknown, path: string): unknown;
  /** The body of a reply without streaming. */
  reply(completion: FinishedCompletion, facts: ResponseFacts): string;
  /** The server-sent events of a streamed answer, in order. */
  stream(completion: FinishedCompletion, facts: ResponseFacts): string[];
  /** An error in this interface's format. */
  error(error: ApiError): SentError;
}

/** The fields of an object; none of anything else. */
export const fieldsOf = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});

/** The objects of a list; none of anything else. */
export const listOf = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

/** Arguments of a call as an object; those that are no JSON can't be one: they are one text. */
export const argumentsOf = (given: string): Json =>
  (parsedJson(given) as Json | undefined) ?? given;

/** A function as Chat Completions offers it. */
export const functionTool = ({ name, description, parameters }: JsonObject): JsonObject => ({
  type: "function",
  function: {
    name: name ?? null,
    ...(description !== undefined && { description }),
    ...(parameters !== undefined && { parameters }),
  },
});
