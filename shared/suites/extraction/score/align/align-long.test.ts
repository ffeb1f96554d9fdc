import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../../../contracts/json.ts";
import { hash32 } from "../../../../stats/hash32.ts";
import { aList, defaultRules, detailOf } from "../../__fixtures__/build.ts";
import { composite } from "../composite.ts";
import type { FieldNode, ListNode, ObjectNode } from "../fields/field-tree.ts";
import { type AlignMemo, align, alignMemo } from "./align.ts";

/** A pseudorandom word from a vocabulary of 3,000. */
const word = (place: string) => `w${hash32(place) % 3000}`;
const phrase = (place: string) => [0, 1, 2].map((k) => word(`${place} ${k}`)).join(" ");
const item = (i: number, from = "") =>
  Object.fromEntries([0, 1, 2, 3].map((k) => [`field${k}`, phrase(`${from}${i} ${k}`)]));
const items = (count: number, from = "") => Array.from({ length: count }, (_, i) => item(i, from));
const altered = (one: JsonObject) =>
  Object.fromEntries(Object.entries(one).map(([name, value]) => [name, `${value} x`]));
const shuffled = <Item>(all: Item[]) => {
  const order = all.map((one, i) => [hash32(`order ${i}`), one] as const);
  return order.sort(([a], [b]) => a - b).map(([, one]) => one);
};
const nested = (depth: number, width: number, leaf: (place: string) => Json, at = ""): Json =>
  depth === 0
    ? leaf(at)
    : Array.from({ length: width }, (_, k) => nested(depth - 1, width, leaf, `${at}${k}`));

test.each([1_650, 5_000])(
  "align() pairs %d shuffled objects whose values are all slightly wrong",
  (count) => {
    const all = items(count);
    const detail = detailOf({ all }, { all: shuffled(all.map(altered)) });
    expect(detail.alignment).toBe("approximate");
    expect(detail.partialF1).toBeGreaterThanOrEqual(0.49);
  },
  30_000,
);

test.each<[string, Json[], Json[]]>([
  ["without similarities", items(1_000), items(1_000, "other ")],
  ["with far more predicted than expected ones", items(100), items(20_000, "other ")],
  [
    "that are equal except for an extra field",
    Array(3_000).fill(item(0)),
    Array(3_000).fill({ ...item(0), more: 1 }),
  ],
])(
  "align() finishes on very many objects %s, and pairs as many as possible",
  (_, expected, predicted) => {
    const found = aligned(expected, predicted).predictedOf.filter((j) => j >= 0);
    expect(new Set(found).size).toBe(Math.min(expected.length, predicted.length));
  },
  30_000,
);

test.each([
  [13, 2],
  [8, 3],
  [4, 10],
])(
  "scoreExtraction() finishes on arrays nested %d deep with %d elements each",
  (depth, width) => {
    const leaf = (from: string) => (at: string) => ({ v: hash32(`${from} ${at}`) % 1000 });
    const [e, p] = [nested(depth, width, leaf("e")), nested(depth, width, leaf("p"))];
    expect(detailOf(e, p).alignment).toBe("approximate");
    expect(detailOf(e, e)).toMatchObject({ alignment: "exact", partialF1: 1 });
  },
  30_000,
);

test("align() is exact for long arrays in the expected order", () => {
  const all = items(1_000);
  const some = all.map((one, i) => (i % 8 === 0 ? { ...one, field1: "wrong" } : one));
  const { predictedOf, isApproximate } = aligned(all, some);
  expect([predictedOf, isApproximate]).toEqual([[...all.keys()], false]);
});

const value = fc.oneof(
  fc.constantFrom("ada", "ada byron", "bob", "rob", "", "new york", "york"),
  fc.integer({ min: 0, max: 3 }),
  fc.array(fc.constantFrom("a", "b"), { maxLength: 2 }),
);
const object = fc.dictionary(fc.constantFrom("a", "b", "c"), value, { minKeys: 1, maxKeys: 3 });
const objects = fc.array(object, { minLength: 1, maxLength: 12 }) as fc.Arbitrary<JsonObject[]>;

test("align() by approximation is never better than the exact alignment, and pairs as many elements", () => {
  fc.assert(
    fc.property(objects, objects, (expected, predicted) => {
      const [best, found] = [aligned(expected, predicted), aligned(expected, predicted, 0)];
      const count = Math.min(expected.length, predicted.length);
      expect(found.predictedOf.filter((j) => j >= 0)).toHaveLength(count);
      expect(new Set(found.predictedOf.filter((j) => j >= 0)).size).toBe(count);
      const most = totalOf(expected, predicted, best.predictedOf);
      expect(totalOf(expected, predicted, found.predictedOf)).toBeLessThanOrEqual(most + 1e-4);
    }),
  );
});

test("align() by approximation is exact if all objects are equal or have a unique key", () => {
  const ids = fc.uniqueArray(fc.integer(), { minLength: 2, maxLength: 30 });
  fc.assert(
    fc.property(ids, object, (ids, rest) => {
      const keyed = ids.map((id) => ({ ...(rest as JsonObject), id: `key-${id}` }));
      const changed = shuffled(keyed).map((one) => ({ ...one, more: "wrong" }));
      for (const predicted of [shuffled(keyed), changed]) {
        const { predictedOf } = aligned(keyed, predicted, 0);
        expect(predictedOf.map((j) => predicted[j]!.id)).toEqual(keyed.map(({ id }) => id));
      }
      const same = ids.map(() => rest as JsonObject);
      const kept = [...same.keys()].slice(1);
      expect(aligned(same, same.slice(1), 0).predictedOf).toEqual([...kept.map((i) => i - 1), -1]);
    }),
  );
});

/** With `comparisonsPerField` 0, everything is approximated. */
function aligned(expected: Json[], predicted: Json[], comparisonsPerField?: number) {
  const [e, p]: [ListNode, ListNode] = [aList(expected), aList(predicted)];
  const memo: AlignMemo = alignMemo(defaultRules, e, p);
  if (comparisonsPerField !== undefined) memo.scope = { comparisonsPerField, approximateLevels: 0 };
  const predictedOf = [...align(e, p, memo).predictedOf];
  return { predictedOf, isApproximate: memo.isApproximate };
}

function totalOf(expected: Json[], predicted: Json[], predictedOf: number[]): number {
  const [es, ps] = [aList(expected).elements, aList(predicted).elements] as ObjectNode[][];
  return predictedOf.reduce((sum, j, i) => {
    if (j < 0) return sum;
    const [e, p] = [es![i]!, ps![j]!];
    let shared = 0;
    for (const [name, child] of e.children) {
      const other = p.children.get(name) as FieldNode | undefined;
      if (other !== undefined) shared += composite(child as FieldNode, other, defaultRules);
    }
    return sum + shared / Math.max(e.fields, p.fields);
  }, 0);
}
