import type { JsonObject } from "../../../contracts/json.ts";

const many = (count: number, name: string, value: JsonObject | number): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`${name}${i}`, value]));

/** A schema with a thousand patterns to try for each name: thousands of names are too expensive. */
export const maze: JsonObject = { patternProperties: many(1_000, "p", {}) };

/** An object with this many names, none of which matches a pattern of the maze. */
export const inMaze = (names: number): JsonObject => many(names, "q", 1);
