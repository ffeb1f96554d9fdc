import { expect, test } from "vitest";
import type { Json } from "../../../contracts/json.ts";
import { slotsOf } from "../read/slots.ts";
import { compareSlots } from "./compare-slots.ts";
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
])("compareSlots() of %j and %j counts %j", (expected, predicted, counts) => {
  expect(countsOf(expected, predicted)).toEqual({ ...noSlots(), ...counts });
});

test("compareSlots() tells other scripts apart where they are kept", () => {
  expect(countsOf({ f: "東京" }, { f: "大阪" }, false)).toMatchObject({ tp: 1, exact: 0 });
});

test("compareSlots() lists expected slots, then extra ones, and counts each in its topic", () => {
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
