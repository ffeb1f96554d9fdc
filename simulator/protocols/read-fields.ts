import { isJsonObject, type Json, type JsonObject } from "../../shared/contracts/json.ts";

/** The fields of an object; none of anything else. */
export const fieldsOf = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});

/** The objects of a list; none of anything else. */
export const listOf = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

/** A function as Chat Completions offers it. */
export const functionTool = ({ name, description, parameters }: JsonObject): JsonObject => ({
  type: "function",
  function: {
    name: name ?? null,
    ...(description !== undefined && { description }),
    ...(parameters !== undefined && { parameters }),
  },
});
