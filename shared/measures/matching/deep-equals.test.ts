import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json } from "../../contracts/json.ts";
import { deepEquals } from "./deep-equals.ts";

test.each<[Json, Json, boolean]>([
  [{ a: 1, b: [2] }, { b: [2], a: 1 }, true],
  [{ a: 1 }, { a: 1, b: null }, false],
  [{ toString: 1 }, {}, false],
  [[1, 2], [2, 1], false],
  [[], {}, false],
  [null, {}, false],
  [1, 1.0, true],
])("deepEquals(%j, %j) is %s", (a, b, equal) => {
  expect(deepEquals(a, b)).toBe(equal);
});

test("deepEquals() is true for a copy", () => {
  fc.assert(
    fc.property(fc.json(), (text) =>
      deepEquals(JSON.parse(text) as Json, JSON.parse(text) as Json),
    ),
  );
});
