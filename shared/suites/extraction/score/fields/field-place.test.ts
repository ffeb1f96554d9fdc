import { expect, test } from "vitest";
import type { JsonObject } from "../../../../contracts/json.ts";
import { prepareSchema } from "../../sample.ts";
import {
  depthOf,
  elementPath,
  elementPlace,
  type FieldPlace,
  propertyPath,
  propertyPlace,
  rootPlace,
} from "./field-place.ts";

const schema: JsonObject = {
  required: ["a"],
  properties: { a: { items: { required: ["b"], properties: { b: { type: "string" }, c: {} } } } },
};

const at = (...steps: (string | number)[]) =>
  steps.reduce<FieldPlace>(
    (place, step) =>
      typeof step === "number" ? elementPlace(place, step) : propertyPlace(place, step),
    rootPlace(prepareSchema(schema, false).place),
  );

test.each<[(string | number)[], string, string, string, number, boolean, boolean]>([
  [[], "", "", "", 0, true, true],
  [["a"], "a", "a", "a", 0, true, true],
  [["a", 2], "a[2]", "a[]", "a", 0, true, true],
  [["a", 2, "b"], "a[2].b", "a[].b", "b", 1, true, true],
  [["a", 2, "c"], "a[2].c", "a[].c", "c", 1, false, true],
  [["a", 2, "x.y"], 'a[2]["x.y"]', 'a[]["x.y"]', "x.y", 1, false, false],
  [["z", "b"], "z.b", "z.b", "b", 1, false, false],
  [[0, 1], "[0][1]", "[][]", "", 0, true, false],
])("propertyPlace() to %j", (steps, path, namePath, name, depth, required, foreseen) => {
  const place = at(...steps);
  expect(place).toMatchObject({ path, namePath, name, required });
  expect([depthOf(place), place.schema !== null]).toEqual([depth, foreseen]);
});

test.each<[(string | number)[], string | null]>([
  [["a", 2, "b"], null],
  [["a", 2, "new"], "a[]"],
  [["a", 2, "new", "deep", 0], "a[]"],
  [["new"], ""],
  [["a", 0, "c", 0], null],
  [["a", 0, "c", 0, 0], "a[].c[]"],
])("the place at %j has openAt %j, where names unknown to the schema begin", (steps, openAt) => {
  expect(at(...steps).openAt).toBe(openAt);
});

test("elementPlace() and propertyPlace() carry the types of the schema", () => {
  expect(at("a", 0, "b").schema?.accepts(5)).toBe(false);
  expect(at("a", 0, "c").schema?.accepts(5)).toBeNull();
});

test.each([
  ["", "a", "a"],
  ["a", "b c", "a.b c"],
  ["a", "b.c", 'a["b.c"]'],
  ["", "c[0]", '["c[0]"]'],
  ["a", "", 'a[""]'],
])("propertyPath(%j, %j) is %s", (path, name, joined) => {
  expect(propertyPath(path, name)).toBe(joined);
});

test("elementPath() appends the index in brackets", () => {
  expect(elementPath("a.b", 3)).toBe("a.b[3]");
});
