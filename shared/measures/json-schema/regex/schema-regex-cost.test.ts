import { expect, test } from "vitest";
import { searchCost } from "./schema-regex-cost.ts";
import { parseRegex } from "./schema-regex-parse.ts";

test.each([
  ["^abc$", 0, 0.1],
  ["abc", 1, 1],
  ["^a*$", 1, 1],
  ["a*$", 2, 2],
  ["^.*a.*b$", 2, 2],
  ["^(?=.*a)(?=.*b)c", 1, 1],
  ["(.*a){3}", 4, 4],
  ["^(\\d{1,3}\\.){3}\\d{1,3}$", 0, 0.1],
])("searchCost() of %j grows with the length to the power %d to %d", (source, least, most) => {
  const cost = (length: number) => searchCost(parseRegex(source, true)!, length);
  const power = Math.log10(cost(10_000) / cost(1_000));
  expect(power).toBeGreaterThan(least - 0.1);
  expect(power).toBeLessThan(most + 0.1);
});

test.each(["^(a+)+$", "(a|b)*c", "^([a-z]+-)*x", "(a|a){60}"])(
  "searchCost() of %j has no bound in practice",
  (source) => {
    expect(searchCost(parseRegex(source, true)!, 100)).toBeGreaterThan(1e15);
  },
);
