import { expect, test } from "vitest";
import type { Json } from "../../contracts/json.ts";
import { jsonType } from "./json-type.ts";

test.each<[Json, string]>([
  [null, "null"],
  [true, "boolean"],
  [1.5, "number"],
  ["", "string"],
  [[], "array"],
  [{}, "object"],
])("jsonType(%j) is %s", (value, type) => {
  expect(jsonType(value)).toBe(type);
});
