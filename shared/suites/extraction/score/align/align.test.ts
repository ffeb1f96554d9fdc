import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../../../contracts/json.ts";
import { aField, aList, defaultRules } from "../../__fixtures__/build.ts";
import { composite } from "../composite.ts";
import { align, alignMemo } from "./align.ts";

const pairs = (expected: Json[], predicted: Json[]) => [
  ...aligned(expected, predicted).predictedOf,
];

function aligned(expected: Json[], predicted: Json[]) {
  const [e, p] = [aList(expected), aList(predicted)];
  const memo = alignMemo(defaultRules, e, p);
  return { predictedOf: align(e, p, memo).predictedOf, isApproximate: memo.isApproximate };
}

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

test("align() is not exponential for arrays nested 40 deep", () => {
  const nested = (depth: number, leaf: number): Json[] =>
    depth === 0 ? [{ leaf }] : [nested(depth - 1, leaf), { leaf }];
  expect(pairs(nested(40, 1), nested(40, 2))).toEqual([0, 1]);
});

test("align() pairs equal elements first if arrays are too long to compare", () => {
  const many = Array.from({ length: 4000 }, (_, id) => ({ id, text: `item ${id}` }));
  const changed = many.map((one) => (one.id === 7 ? { ...one, text: "another" } : one)).slice(1);
  expect(pairs(many, changed)).toEqual([-1, ...changed.keys()]);
});

const word = fc.constantFrom("ada", "ada byron", "bob", "rob", "", "new york", "york");
const person = fc.record(
  { name: word, age: fc.integer({ min: 0, max: 3 }), tags: fc.array(word, { maxLength: 2 }) },
  { requiredKeys: [] },
);

/** The value of an alignment by the specification's formula, computed pair by pair. */
function worthOf(expected: Json[], predicted: Json[], predictedOf: readonly number[]): number {
  const [n, m] = [expected.length, predicted.length];
  return predictedOf.reduce((sum, j, i) => {
    if (j < 0) return sum;
    const [e, p] = [expected[i] as JsonObject, predicted[j] as JsonObject];
    const shared = Object.keys(e).filter((name) => name in p);
    const score = shared
      .map((name) => composite(aField(e[name]!), aField(p[name]!), defaultRules))
      .reduce((a, b) => a + b, 0);
    const fields = (object: JsonObject) => Math.max(1, Object.keys(object).length);
    const near = 1e-6 * (1 - Math.abs(i - j) / Math.max(n, m));
    return (
      sum + score / Math.max(fields(e), fields(p)) + near + (1e-9 * (i + 1) * (j + 1)) / (n * m)
    );
  }, 0);
}

function choices(rows: number, free: number[]): number[][] {
  if (rows === 0) return [[]];
  const taken = free.flatMap((j) =>
    choices(
      rows - 1,
      free.filter((other) => other !== j),
    ).map((rest) => [j, ...rest]),
  );
  const skipped = rows > free.length ? choices(rows - 1, free).map((rest) => [-1, ...rest]) : [];
  return [...taken, ...skipped];
}

test("align() finds an alignment as good as the best of all alignments", () => {
  const people = fc.array(person, { minLength: 1, maxLength: 5 }) as fc.Arbitrary<Json[]>;
  fc.assert(
    fc.property(people, people, (expected, predicted) => {
      fc.pre([...expected, ...predicted].every((one) => Object.keys(one as object).length > 0));
      const all = choices(expected.length, [...predicted.keys()]);
      const best = Math.max(...all.map((choice) => worthOf(expected, predicted, choice)));
      expect(worthOf(expected, predicted, pairs(expected, predicted))).toBeCloseTo(best, 12);
    }),
  );
});

test("align() pairs 1,000 slightly different objects in about a second at most", () => {
  const rows = Array.from({ length: 1000 }, (_, i) => ({
    name: `item ${i} of list ${i % 7}`,
    city: `town ${i % 97}`,
    price: i * 1.37,
    note: `seen ${i * 31} times`,
    quantity: i,
  }));
  const changed = rows.map((row) => ({ ...row, name: `${row.name}x`, quantity: row.quantity + 1 }));
  const order = (i: number) => (i * 387) % 1000;
  const found = pairs(
    rows,
    rows.map((_, i) => changed[order(i)]!),
  );
  expect(found.map((j) => order(j))).toEqual([...rows.keys()]);
});

test("align() finishes on long texts that all differ", () => {
  const text = (i: number) => `${"lorem ipsum ".repeat(200)}${i}`;
  const rows = (from: number) => Array.from({ length: 600 }, (_, i) => ({ text: text(from + i) }));
  expect(new Set(pairs(rows(0), rows(1000))).size).toBe(600);
}, 30_000);
