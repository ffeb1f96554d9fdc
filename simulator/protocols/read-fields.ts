import {
  isJsonObject,
  type Json,
  type JsonObject,
  parsedJson,
} from "../../shared/contracts/json.ts";

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
