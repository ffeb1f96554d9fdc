import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json } from "../../../contracts/json.ts";
import { slotsOf } from "../read/slots.ts";
import {
  bleu1,
  canonicalize,
  canonicalSlot,
  compareSlots,
  isSameSlot,
  sharedTokens,
} from "./compare-slots.ts";
import { noSlots, type SlotCounts } from "./slot-counts.ts";

const countsOf = (expected: Json, predicted: Json, asciiOnly = true) =>
  compareSlots(slotsOf({ t: expected }), slotsOf({ t: predicted }), asciiOnly).topics.get("t");

test.each<[Json, Json, Partial<SlotCounts>]>([
  [
    { f: "sea swim" },
    { f: "Sea Swim!" },
    { tp: 1, exact: 1, expectedTokens: 2, predictedTokens: 2, sharedTokens: 2, bleuSum: 1 },
  ],
  [
    { f: ["a", "b"] },
    { f: ["b", "a"] },
    { tp: 1, exact: 1, expectedTokens: 2, predictedTokens: 2, sharedTokens: 2, bleuSum: 1 },
  ],
  [
    { f: 25 },
    { f: "25" },
    { tp: 1, exact: 1, expectedTokens: 1, predictedTokens: 1, sharedTokens: 1, bleuSum: 1 },
  ],
  [{ f: "a b" }, { f: "c" }, { tp: 1, expectedTokens: 2, predictedTokens: 1 }],
  [{ f: "a b" }, { f: "" }, { fn: 1, expectedTokens: 2 }],
  [{ f: "a b" }, {}, { fn: 1, expectedTokens: 2 }],
  [{}, { f: ["a b", 1] }, { fp: 1, extraValues: 2 }],
  [{ f: null }, { f: "a" }, { fp: 1, extraValues: 1 }],
  [{ f: "東京" }, { f: "大阪" }, { tp: 1, exact: 1 }],
  [{ f: "東京" }, { f: [] }, { fn: 1 }],
  [{ f: "東京" }, { f: "a" }, { tp: 1, predictedTokens: 1 }],
])("compareSlots() on %j and %j counts %j", (expected, predicted, counts) => {
  expect(countsOf(expected, predicted)).toEqual({ ...noSlots(), ...counts });
});

test("compareSlots() compares other scripts if asciiOnly is false", () => {
  expect(countsOf({ f: "東京" }, { f: "大阪" }, false)).toMatchObject({ tp: 1, exact: 0 });
});

test("compareSlots() lists expected slots, then extra ones, and counts each under its topic", () => {
  const expected = slotsOf({ a: { x: "1", y: "2" }, b: { x: "3" } });
  const predicted = slotsOf({ c: { x: "1" }, b: { x: "3", z: "4" }, a: { x: "9", X: "1" } });
  const { slots, topics } = compareSlots(expected, predicted, true);
  expect(slots.map(({ topic, field, outcome }) => `${topic}.${field} ${outcome}`)).toEqual([
    "a.x other",
    "a.y missed",
    "b.x exact",
    "c.x extra",
    "b.z extra",
    "a.X extra",
  ]);
  const presence = [...topics].map(([topic, { tp, fp, fn }]) => [topic, tp, fp, fn]);
  expect(presence).toEqual([
    ["a", 1, 1, 1],
    ["b", 1, 1, 0],
    ["c", 0, 1, 0],
  ]);
});

test.each([
  [[], [], 0],
  [["a"], [], 0],
  [["a", "a", "b"], ["a", "c"], 1],
  [["a"], ["a", "a", "a"], 1],
  [["a", "b"], ["b", "a"], 2],
  [["constructor"], ["constructor", "toString"], 1],
])("sharedTokens(%j, %j) is %d in either order", (a, b, shared) => {
  expect(sharedTokens(a, b)).toBe(shared);
  expect(sharedTokens(b, a)).toBe(shared);
});

test.each([
  [0, 0, 0, 0],
  [2, 0, 0, 0],
  [0, 2, 0, 0],
  [1, 1, 1, 1],
  [1, 2, 1, 0.5],
  [2, 1, 1, Math.exp(-1)],
  [4, 2, 1, 0.5 * Math.exp(-1)],
])(
  "bleu1() with %d expected, %d predicted, %d shared is %d",
  (expected, predicted, shared, value) => {
    expect(bleu1({ expected, predicted, shared })).toBeCloseTo(value, 12);
  },
);

test.each([
  ["New York", "new york", "new york"],
  ["  a \t\n b  ", "a b", "a b"],
  ["snake_case_name", "snake case name", "snake case name"],
  ["rock'n'roll, R&B!", "rock n roll r b", "rock n roll r b"],
  ["!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", "", ""],
  ["3.5%", "3 5", "3 5"],
  ["Zürich", "zrich", "zürich"],
  ["東京", "", "東京"],
  ["naïve–café", "navecaf", "naïvecafé"],
  ["a\u00a0b", "ab", "ab"],
  ["cafe\u0301", "cafe", "café"],
  ["हिन्दी ३", "", "हिन्दी ३"],
  ["ÉCOLE", "cole", "école"],
  ["❤️ tea 😀", "tea", "tea"],
  ["a 東 b", "a b", "a 東 b"],
  ["\ud800x", "x", "x"],
  ["", "", ""],
])("canonicalize(%j) is %j, with other scripts %j", (value, ascii, everyScript) => {
  expect(canonicalize(value, true)).toBe(ascii);
  expect(canonicalize(value, false)).toBe(everyScript);
});

test("canonicalize() is idempotent", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(..."aB7_ \t-!'éß東😀\u00a0\u0301") }),
      (value) => {
        const once = canonicalize(value, true);
        expect(canonicalize(once, true)).toBe(once);
        expect(once).toMatch(/^$|^\S+( \S+)*$/);
      },
    ),
  );
});

test("canonicalSlot() drops empty values and keeps tokens in order", () => {
  const slot = canonicalSlot(["Sea-swimming!", "東京", "a a", "A a"], true);
  expect([...slot.values]).toEqual(["sea swimming", "a a"]);
  expect(slot.tokens).toEqual(["sea", "swimming", "a", "a", "a", "a"]);
});

test.each([
  [["a", "b"], ["B!", "A"], true],
  [["a"], ["a", "a."], true],
  [["a", "b"], ["a"], false],
  [["a"], ["a", "b"], false],
  [["a b"], ["a", "b"], false],
  [["東京"], ["大阪"], true],
  [["東京", "a"], ["a"], true],
])("isSameSlot() on %j and %j is %s", (a, b, same) => {
  expect(isSameSlot(canonicalSlot(a, true), canonicalSlot(b, true))).toBe(same);
});
