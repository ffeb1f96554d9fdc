import { expect, test } from "vitest";
import type { Json } from "../../contracts/json.ts";
import { invalidReason } from "./schema-reasons.ts";

test.each<[string, Json, Json, string]>([
  ["type", "string", 5, "is number, not string"],
  ["type", ["string", "null"], [], "is array, not string or null"],
  ["required", ["a", "b"], { a: 1 }, '"b" is missing'],
  ["enum", ["a"], "b", '"b" is not one of ["a"]'],
  ["const", 1, 2, "2 is not 1"],
  ["maxLength", 1, "😀😀", "has 2 characters, the limit is 1"],
  ["minItems", 2, [1], "has 1 elements, the limit is 2"],
  ["maxProperties", 0, { a: 1 }, "has 1 properties, the limit is 0"],
  ["uniqueItems", true, [1, 1], "an element occurs twice"],
  ["minimum", 5, 3, "3 does not meet 5"],
])("whyRefused(%j, %j, %j) is %j", (keyword, asked, value, reason) => {
  expect(invalidReason(keyword, asked, value)).toBe(reason);
});

test("invalidReason() shortens what it quotes", () => {
  expect(invalidReason("const", "x".repeat(999), "y".repeat(999)).length).toBeLessThan(200);
});
