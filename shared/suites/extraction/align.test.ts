import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json } from "../../contracts/json.ts";
import { aList, defaultRules } from "./__fixtures__/build.ts";
import { align } from "./align.ts";

const pairs = (expected: Json[], predicted: Json[]) => [
  ...align(aList(expected), aList(predicted), { rules: defaultRules, known: new Map() })
    .predictedOf,
];

test.each<[Json[], Json[], number[]]>([
  [[{ a: 1 }, { a: 2 }], [{ a: 2 }], [-1, 0]],
  [
    [{ n: "p" }, { n: "r" }, { n: "s" }],
    [{ n: "s" }, { n: "p" }],
    [1, -1, 0],
  ],
  [
    [{ n: "p" }, { n: "p" }],
    [{ n: "p" }, { n: "p" }],
    [0, 1],
  ],
  [
    [{ n: 1 }, { n: 2 }],
    [{ z: 1 }, { z: 2 }],
    [0, 1],
  ],
  [
    [{ a: 1 }, null],
    [null, { a: 1 }],
    [1, 0],
  ],
  [
    [[{ c: 1 }, { c: 2 }], [{ c: 3 }]],
    [[{ c: 3 }], [{ c: 2 }, { c: 1 }]],
    [1, 0],
  ],
])("align(%j, %j) is %j", (expected, predicted, predictedOf) => {
  expect(pairs(expected, predicted)).toEqual(predictedOf);
});

test("align() finds every element of a shuffled array", () => {
  const ids = fc.uniqueArray(fc.integer(), { minLength: 1, maxLength: 8 });
  const shuffled = ids.chain((all) =>
    fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
  );
  fc.assert(
    fc.property(shuffled, ([ids, order]) => {
      const at = pairs(
        ids.map((id) => ({ id: `${id}` })),
        order.map((id) => ({ id: `${id}` })),
      );
      expect(at.map((j) => order[j])).toEqual(ids);
    }),
  );
});

test("align() of arrays nested forty deep is not exponential", () => {
  const nested = (depth: number, leaf: number): Json[] =>
    depth === 0 ? [{ leaf }] : [nested(depth - 1, leaf), { leaf }];
  expect(pairs(nested(40, 1), nested(40, 2))).toEqual([0, 1]);
});

test("align() of arrays too long to compare pairs the same elements first", () => {
  const many = Array.from({ length: 4000 }, (_, id) => ({ id, text: `item ${id}` }));
  const changed = many.map((one) => (one.id === 7 ? { ...one, text: "another" } : one)).slice(1);
  expect(pairs(many, changed)).toEqual([-1, ...changed.keys()]);
});
