import { expect, test } from "vitest";
import { isTooDeep, maxDepth } from "./nesting.ts";

const nested = (depth: number) => JSON.parse("[".repeat(depth) + "]".repeat(depth));

test.each([
  [1, false],
  [maxDepth, false],
  [maxDepth + 1, true],
  [100_000, true],
])("isTooDeep() of %d levels is %s", (depth, tooDeep) => {
  expect(isTooDeep(nested(depth))).toBe(tooDeep);
});
