import { expect, test } from "vitest";
import { sentences } from "./read-text.ts";

const texts = (text: string) => sentences(text).map((one) => one.text);

test.each([
  ["", []],
  ["?! … .", []],
  ["One", ["One"]],
  ["One. Two! Three?", ["One", "Two", "Three"]],
  ["It is 3.5 m, e.g. this one.", ["It is 3.5 m, e.g. this one"]],
  ["Wait... what? Yes... No", ["Wait... what", "Yes", "No"]],
  ["Really?! yes", ["Really", "yes"]],
  ["Really! yes", ["Really", "yes"]],
  ["One.\n\nand on", ["One.\n\nand on"]],
  ["One.\n\n- Two", ["One", "- Two"]],
  ['He said "stop." Then left.', ['He said "stop." Then left']],
  ["One . . Two", ["One", "Two"]],
])("sentences(%j) is %j", (text, expected) => {
  expect(texts(text)).toEqual(expected);
});

test("sentences() returns the punctuation that ends each sentence", () => {
  expect(sentences("Is it? Yes... It is").map(({ ending }) => ending)).toEqual(["?", "...", ""]);
});
