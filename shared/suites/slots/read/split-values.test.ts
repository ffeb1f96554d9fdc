import { expect, test } from "vitest";
import { splitValues } from "./split-values.ts";

test.each([
  ["a, b; c", ["a", "b", "c"]],
  [" a ,, ;b;", ["a", "b"]],
  ["", []],
  ["ramen (hot, spicy; salty), tea", ["ramen (hot, spicy; salty)", "tea"]],
  ["[a, b], {c; d}", ["[a, b]", "{c; d}"]],
  ["f(a, [b, c]), d", ["f(a, [b, c])", "d"]],
  ["so :( sad, glad", ["so :( sad", "glad"]],
  ["1) a, 2) b", ["1) a", "2) b"]],
  ["(a [b, c), d", ["(a [b, c)", "d"]],
  ["(a, b], c) d, e", ["(a, b], c) d", "e"]],
  ["((a, b), c", ["((a, b)", "c"]],
])("splitValues(%j) is %j", (text, values) => {
  expect(splitValues(text)).toEqual(values);
});

test.each(["(", ")", "([", "(]", "a,", "(,)"])("splitValues() of 100 kB of %j ends", (part) => {
  expect(splitValues(part.repeat(1e5 / part.length)).length).toBeGreaterThan(0);
});
