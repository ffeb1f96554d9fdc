import { expect, test } from "vitest";
import { words } from "./words.ts";

test.each([
  ["", []],
  [" \n… 😀 —", []],
  ["It’s Ana's 'best' dogs'", ["it's", "ana's", "best", "dogs"]],
  ["rock''n' roll", ["rock", "n", "roll"]],
  ["3.5 m, snake_case, e-mail", ["3", "5", "m", "snake_case", "e", "mail"]],
  ["Ünïcode Ελλάδα 東京٣", ["ünïcode", "ελλάδα", "東京٣"]],
])("words(%j) is %j", (text, expected) => {
  expect(words(text)).toEqual(expected);
});
