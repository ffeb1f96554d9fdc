import { expect, test } from "vitest";
import type { Json } from "../../../contracts/json.ts";
import { addSlot, type Slots, slotsOf, valuesOf } from "./slots.ts";

test.each<[Json, string[]]>([
  ["chess", ["chess"]],
  [" chess ", [" chess "]],
  [25, ["25"]],
  [1e21, ["1e+21"]],
  [false, ["false"]],
  [
    ["a", 2, true],
    ["a", "2", "true"],
  ],
  [
    ["b", "a", "b"],
    ["b", "a", "b"],
  ],
  [["a", null, " ", ""], ["a"]],
  ["東京", ["東京"]],
  ["!", ["!"]],
  [null, []],
  ["", []],
  [" \n", []],
  [[], []],
  [{}, []],
  [[[], {}], []],
  [{ name: "chess" }, ['{"name":"chess"}']],
  [[["a", "b"]], ['["a","b"]']],
])("valuesOf(%j) is %j", (value, values) => {
  expect(valuesOf(value)).toEqual(values);
});

const plain = (slots: Slots) => [...slots].map(([topic, fields]) => [topic, [...fields]]);

test("slotsOf() returns the slots with a value, in their order", () => {
  const slots = slotsOf({ b: { y: "1", x: null, w: ["2", 3] }, a: { y: "" }, c: {} });
  expect(plain(slots)).toEqual([
    [
      "b",
      [
        ["y", ["1"]],
        ["w", ["2", "3"]],
      ],
    ],
  ]);
});

test.each<[Json]>([[null], ["text"], [1], [[{ a: { b: "c" } }]], [{ a: "b" }], [{ a: ["b"] }]])(
  "slotsOf(%j) returns no slots",
  (value) => {
    expect(slotsOf(value).size).toBe(0);
  },
);

test("slotsOf() treats __proto__ and constructor as ordinary names", () => {
  const value = JSON.parse('{"__proto__": {"constructor": "x"}, "toString": {"__proto__": "y"}}');
  expect(plain(slotsOf(value))).toEqual([
    ["__proto__", [["constructor", ["x"]]]],
    ["toString", [["__proto__", ["y"]]]],
  ]);
});

test("addSlot() appends values to an existing slot, and adds no slot without values", () => {
  const slots: Slots = new Map();
  for (const values of [["a"], [], ["b", "a"]]) addSlot(slots, "t", "f", values);
  addSlot(slots, "t", "g", []);
  addSlot(slots, "u", "f", []);
  expect(plain(slots)).toEqual([["t", [["f", ["a", "b", "a"]]]]]);
});
