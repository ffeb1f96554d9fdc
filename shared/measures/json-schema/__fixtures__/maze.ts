import type { JsonObject } from "../../../contracts/json.ts";

const many = (count: number, name: string, value: JsonObject | number): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`${name}${i}`, value]));

/** A schema that tries each name against a thousand patterns: thousands of names are too costly. */
export const maze: JsonObject = { patternProperties: many(1_000, "p", {}) };

/** An object of so many names, none of which fits a pattern of the maze. */
export const inMaze = (names: number): JsonObject => many(names, "q", 1);
