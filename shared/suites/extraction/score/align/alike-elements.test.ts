import { expect, test } from "vitest";
import type { Json } from "../../../../contracts/json.ts";
import { defaultRules } from "../../__fixtures__/build.ts";
import { type FieldTree, fieldTree } from "../fields/field-tree.ts";
import { alikeElements } from "./alike-elements.ts";

const trees = (values: Json[]) => values.map((value) => fieldTree(value) as FieldTree);
const alike = (expected: Json[], predicted: Json[]) =>
  alikeElements(trees(expected), trees(predicted), defaultRules);

test.each<[string, Json, Json]>([
  ["a word", { a: "red apple" }, { a: "green apple" }],
  ["a word's prefix", { a: "invoice-1042" }, { a: "invoice-1042x" }],
  ["nearly equal numbers", { a: 1000 }, { a: 1001 }],
  ["an element of a list", { a: ["x", "y"] }, { a: ["y"] }],
  ["a field in an array", { a: [{ b: 1 }, { c: "x" }] }, { a: [{ c: "x" }] }],
])("alikeElements() finds elements that share %s", (_, e, p) => {
  const { rows, columns, values } = alike([e], [{ z: "else" }, p]);
  expect([rows, columns]).toEqual([[0], [1]]);
  expect(values[0]).toBeGreaterThan(0);
  expect(values[0]).toBeLessThan(1);
});

test("alikeElements() ignores elements that share nothing or a value under another name", () => {
  expect(alike([{ a: "x" }], [{ b: "x" }, { a: "y" }])).toEqual({
    rows: [],
    columns: [],
    values: [],
  });
});

test("alikeElements() keeps the nearest pairs if very many elements are equal", () => {
  const same = Array.from({ length: 500 }, () => ({ a: "x", b: 1 }));
  const { rows, columns } = alike(same, same);
  expect(rows.length).toBeLessThanOrEqual(8 * 500);
  expect(rows.every((row, pair) => Math.abs(row - columns[pair]!) <= 8)).toBe(true);
});

test("alikeElements() ignores the order of properties", () => {
  const object = (i: number) => ({ a: `x ${i}`, b: i, c: [`${i}`], d: { e: "same" } });
  const turned = (i: number) => Object.fromEntries(Object.entries(object(i)).reverse());
  const all = [...Array(50).keys()];
  const shifted = all.map((i) => object(i + 1));
  expect(
    alike(
      all.map(turned),
      all.map((i) => turned(i + 1)),
    ),
  ).toEqual(alike(all.map(object), shifted));
});
