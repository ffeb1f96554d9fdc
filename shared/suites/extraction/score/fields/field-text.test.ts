import { expect, test } from "vitest";
import { aField, defaultRules } from "../../__fixtures__/build.ts";
import { fieldText, isSameText, sketchOf, tokensOf } from "./field-text.ts";

test("fieldText() normalises a field once", () => {
  const field = aField(" A  b");
  const text = fieldText(field, defaultRules);
  expect(text.normal).toBe("a b");
  expect(fieldText(field, defaultRules)).toBe(text);
});

test.each([
  ["A b", "a  B", true],
  ["a", "a", true],
  ["a", "b", false],
])("isSameText(%j, %j) is %s", (expected, predicted, same) => {
  const [e, p] = [aField(expected), aField(predicted)];
  expect(isSameText(e, p, defaultRules)).toBe(same);
  expect(fieldText(e, defaultRules) === fieldText(p, defaultRules)).toBe(same);
});

test("tokensOf() and sketchOf() work out what a text holds once", () => {
  const text = fieldText(aField("new york"), defaultRules);
  expect(tokensOf(text)).toEqual(new Set(["new", "york"]));
  expect(sketchOf(text)).toMatchObject({ length: 8, tokens: 2 });
  expect([tokensOf(text), sketchOf(text)]).toEqual([text.tokens, text.sketch]);
});
