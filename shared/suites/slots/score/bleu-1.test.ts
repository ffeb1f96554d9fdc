import { expect, test } from "vitest";
import { bleu1, sharedTokens } from "./bleu-1.ts";

test.each([
  [[], [], 0],
  [["a"], [], 0],
  [["a", "a", "b"], ["a", "c"], 1],
  [["a"], ["a", "a", "a"], 1],
  [["a", "b"], ["b", "a"], 2],
  [["constructor"], ["constructor", "toString"], 1],
])("sharedTokens(%j, %j) is %d, either way", (a, b, shared) => {
  expect(sharedTokens(a, b)).toBe(shared);
  expect(sharedTokens(b, a)).toBe(shared);
});

test.each([
  [0, 0, 0, 0],
  [2, 0, 0, 0],
  [0, 2, 0, 0],
  [1, 1, 1, 1],
  [1, 2, 1, 0.5],
  [2, 1, 1, Math.exp(-1)],
  [4, 2, 1, 0.5 * Math.exp(-1)],
])(
  "bleu1() of %d expected, %d predicted, %d shared is %d",
  (expected, predicted, shared, value) => {
    expect(bleu1({ expected, predicted, shared })).toBeCloseTo(value, 12);
  },
);
