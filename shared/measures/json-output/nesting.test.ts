import { expect, test } from "vitest";
import { isTooDeep, maxDepth, mayBeTooDeep } from "./nesting.ts";

const nested = (depth: number) => JSON.parse("[".repeat(depth) + "]".repeat(depth));

test.each([
  [1, false],
  [maxDepth, false],
  [maxDepth + 1, true],
  [100_000, true],
])("isTooDeep() of %d levels is %s", (depth, tooDeep) => {
  expect(isTooDeep(nested(depth))).toBe(tooDeep);
  expect(mayBeTooDeep("[".repeat(depth))).toBe(tooDeep);
});

test("mayBeTooDeep() counts brackets of both kinds, also in strings", () => {
  const brackets = (count: number) => '{"a": ['.repeat(count);
  expect(mayBeTooDeep(brackets(maxDepth / 2))).toBe(false);
  expect(mayBeTooDeep(`${brackets(maxDepth / 2)}"["`)).toBe(true);
});
