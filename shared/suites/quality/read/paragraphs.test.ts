import { expect, test } from "vitest";
import { paragraphs } from "./paragraphs.ts";

test.each([
  ["", []],
  [" \n\n ", []],
  ["One.\nStill one.", ["One.\nStill one."]],
  ["One.\n\n\n Two. \n \t\nThree.", ["One.", "Two.", "Three."]],
  ["One.\r\n\r\nTwo.", ["One.", "Two."]],
])("paragraphs(%j) is %j", (text, expected) => {
  expect(paragraphs(text)).toEqual(expected);
});
