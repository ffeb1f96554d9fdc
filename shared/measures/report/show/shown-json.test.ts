import { expect, test } from "vitest";
import type { Json } from "../../../contracts/json.ts";
import { shownJson } from "./shown-json.ts";

const deep = (levels: number): Json => JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`);

test.each([
  [{ a: [1, "b"] }, '{\n  "a": [\n    1,\n    "b"\n  ]\n}'],
  [null, "null"],
  ["text", '"text"'],
  [deep(20_000), "(nested deeper than 500 levels)"],
] as [Json, string][])("shownJson() sets out values as code", (value, text) => {
  expect(shownJson("t", value)).toMatchObject({ kind: "text", text, isCode: true, left: 0 });
});

test("shownJson() cuts what is long", () => {
  expect(shownJson("t", "x".repeat(50), { most: 10 })).toMatchObject({
    text: '"xxxxxxxxx',
    left: 42,
  });
});
