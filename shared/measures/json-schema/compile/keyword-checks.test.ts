import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json } from "../../../contracts/json.ts";
import { deepEquals } from "../../matching/deep-equals.ts";
import { valueKey } from "./keyword-checks.ts";

const leaf = fc.constantFrom<Json>(
  null,
  "null",
  true,
  "true",
  0,
  -0,
  1,
  "1",
  "",
  "a,b",
  "{}",
  "[]",
);
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    leaf,
    fc.array(tie("value"), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom("a", "b", 'a":1,"b'), tie("value"), { maxKeys: 2 }),
  ),
}));

test("valueKey() is equal only for equal values", () => {
  fc.assert(
    fc.property(value, value, (a, b) => {
      expect(valueKey(a) === valueKey(b)).toBe(deepEquals(a, b));
    }),
    { numRuns: 2000 },
  );
});

test.each<[Json, Json]>([
  [
    { a: 1, b: 2 },
    { b: 2, a: 1.0 },
  ],
  [0, -0],
])("valueKey(%j) is valueKey(%j)", (a, b) => {
  expect(valueKey(a)).toBe(valueKey(b));
});

test("valueKey() distinguishes a number beyond the range of doubles from null", () => {
  expect(valueKey(JSON.parse("1e400"))).not.toBe(valueKey(null));
});
