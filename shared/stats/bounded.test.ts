import fc from "fast-check";
import { expect, test } from "vitest";
import { addCounts } from "./add-counts.ts";
import {
  type Bounded,
  entriesOf,
  entryOf,
  isBeyond,
  mergeEntries,
  noEntries,
  thin,
} from "./bounded.ts";

const limit = 4;
const none = () => ({ count: 0 });
const countOf = (keys: readonly string[]): Bounded<{ count: number }> => {
  const bounded = noEntries<{ count: number }>();
  for (const key of keys) {
    entryOf(bounded, key, none).count++;
    thin(bounded, limit);
  }
  return bounded;
};

test("entriesOf() gives the same entries in any order and grouping, counted in full", () => {
  const key = fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz", "__proto__", "constructor");
  fc.assert(
    fc.property(fc.array(key, { maxLength: 60 }), fc.nat(), (keys, cut) => {
      const entries = entriesOf(countOf(keys), limit);
      expect(entriesOf(countOf(keys.toReversed()), limit)).toEqual(entries);
      const merged = countOf(keys.slice(cut));
      mergeEntries(merged, countOf(keys.slice(0, cut)), limit, none, addCounts);
      expect(entriesOf(merged, limit)).toEqual(entries);
      expect(entries).toHaveLength(Math.min(limit, new Set(keys).size));
      for (const [name, { count }] of entries) {
        expect(count).toBe(keys.filter((one) => one === name).length);
      }
    }),
  );
});

test("a set within its limit is the same bytes in any order", () => {
  const bytes = JSON.stringify(countOf(["a", "b", "c"]));
  expect(JSON.stringify(countOf(["c", "a", "b"]))).toBe(bytes);
});

test("isBeyond() says whether anything was left out", () => {
  expect(isBeyond(countOf(["a", "b"]), limit)).toBe(false);
  expect(isBeyond(countOf([..."abcde"]), limit)).toBe(true);
  const many = countOf([..."abcdefgh"]);
  expect(isBeyond(many, limit)).toBe(true);
  expect(many.taken).toBeLessThanOrEqual(limit * 1.25);
});
