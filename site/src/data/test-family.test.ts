import { expect, it } from "vitest";
import { testFamily } from "./test-family.ts";

it.each([
  [4005, "corrected for 4,005 comparisons by Holm"],
  [1, "uncorrected, since there is but one comparison"],
])("testFamily(%d) says how many tests there were", (tests, text) => {
  expect(testFamily(tests)).toBe(text);
});
