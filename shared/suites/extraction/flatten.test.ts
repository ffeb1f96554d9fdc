import { expect, test } from "vitest";
import type { Json } from "../../contracts/json.ts";
import { fieldTree } from "./flatten.ts";

test.each<[Json, number | undefined]>([
  [null, undefined],
  ["a", 1],
  [{}, 1],
  [[], 1],
  [{ a: null }, 1],
  [[1, null], 1],
  [[null, {}], 1],
  [[[1, 2], [3]], 2],
  [[{ a: 1, b: 2 }, 5, null], 3],
  [{ a: { b: { c: null, d: 1 } }, e: [] }, 2],
])("fieldTree(%j) holds %s fields", (value, fields) => {
  expect(fieldTree(value)?.fields).toBe(fields);
});
