import { expect, test } from "vitest";
import { firstBracketed } from "./bracketed.ts";

test.each([
  ["none", null],
  ['see {"a": [1]}.', { text: '{"a": [1]}', closed: true, depth: 2 }],
  ['{"a": "}"} x', { text: '{"a": "}"}', closed: true, depth: 1 }],
  ['{"a": "\\"}"', { text: '{"a": "\\"}"', closed: false, depth: 1 }],
  ["[[1]", { text: "[[1]", closed: false, depth: 2 }],
])("firstBracketed(%j) is %j", (text, found) => {
  expect(firstBracketed(text)).toEqual(found);
});
