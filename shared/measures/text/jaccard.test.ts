import { expect, test } from "vitest";
import { jaccard } from "./jaccard.ts";

test.each([
  [[], [], 0],
  [["a"], [], 0],
  [["a", "b"], ["b", "c"], 1 / 3],
  [["a", "b"], ["b", "a"], 1],
])("jaccard(%j, %j) is %d", (a: string[], b: string[], value) => {
  expect(jaccard(new Set(a), new Set(b))).toBeCloseTo(value, 12);
});
