import fc from "fast-check";
import { expect, test } from "vitest";
import { type Bounded, entriesOf, entryOf, leftOut, noEntries } from "./bounded.ts";

const limit = 4;
const none = () => ({ count: 0 });
const countOf = (keys: readonly string[], most = limit): Bounded<{ count: number }> => {
  const bounded = noEntries<{ count: number }>();
  for (const key of keys) {
    const entry = entryOf(bounded, key, most, none);
    if (entry !== null) entry.count++;
  }
  return bounded;
};

test("entryOf() keeps the same keys in any order, each with its full count", () => {
  const key = fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz", "__proto__", "constructor");
  fc.assert(
    fc.property(fc.array(key, { maxLength: 60 }), (keys) => {
      const whole = countOf(keys);
      expect(entriesOf(countOf(keys.toReversed()))).toEqual(entriesOf(whole));
      expect(whole.taken).toBeLessThanOrEqual(limit);
      if (new Set(keys).size <= limit) expect(whole.taken).toBe(new Set(keys).size);
      for (const [name, { count }] of entriesOf(whole)) {
        expect(count).toBe(keys.filter((one) => one === name).length);
      }
    }),
  );
});

test("leftOut() is 0 within the limit, and about the number of dropped keys beyond it", () => {
  const keys = Array.from({ length: 20_000 }, (_, k) => `key ${k}`);
  expect(leftOut(countOf(keys.slice(0, 1000), 1000))).toBe(0);
  const many = countOf(keys, 1000);
  expect(many.taken).toBeGreaterThan(400);
  expect(Math.abs(leftOut(many) + many.taken - keys.length)).toBeLessThan(2000);
});
