import { expect, test } from "vitest";
import { elementPath, propertyPath } from "./field-path.ts";

test.each([
  ["", "a", "a"],
  ["a", "b c", "a.b c"],
  ["a", "b.c", 'a["b.c"]'],
  ["", "c[0]", '["c[0]"]'],
  ["a", "", 'a[""]'],
])("propertyPath(%j, %j) is %s", (path, name, joined) => {
  expect(propertyPath(path, name)).toBe(joined);
});

test("elementPath() puts the index in brackets", () => {
  expect(elementPath("a.b", 3)).toBe("a.b[3]");
});
