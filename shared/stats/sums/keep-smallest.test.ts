import fc from "fast-check";
import { expect, it } from "vitest";
import { keepSmallest } from "./keep-smallest.ts";

const ascending = (a: number, b: number) => a - b;

it("keepSmallest() keeps the smallest items in any order, and returns whether it kept one", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer()), fc.integer({ min: 1, max: 10 }), (items, most) => {
      const kept: number[] = [];
      for (const item of items) {
        expect(keepSmallest(kept, item, most, ascending)).toBe(kept.includes(item));
        expect(kept.length).toBeLessThanOrEqual(most);
      }
      expect(kept).toEqual(items.toSorted(ascending).slice(0, most));
    }),
  );
});

it("keepSmallest() keeps the first of equal items", () => {
  const kept: { value: number; name: string }[] = [];
  for (const name of ["a", "b", "c"]) keepSmallest(kept, { value: 1, name }, 2, () => 0);
  expect(kept.map(({ name }) => name)).toEqual(["a", "b"]);
});
