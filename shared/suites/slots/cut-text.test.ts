import { expect, test } from "vitest";
import { cutText } from "./cut-text.ts";

test.each([
  ["abc", 3, "abc"],
  ["abcd", 3, "abc…"],
  ["ab😀", 3, "ab…"],
  ["a😀b", 3, "a😀…"],
  ["", 3, ""],
])("cutText(%j, %d) is %j", (text, maxLength, cut) => {
  expect(cutText(text, maxLength)).toBe(cut);
});
