import * as fc from "fast-check";
import { expect, it } from "vitest";
import { rowsInView } from "./row-window.ts";

const heights = Array.from({ length: 10 }, () => 50);

it.each([
  ["at its start", 0, { first: 0, end: 4, before: 0, after: 300 }],
  ["above its start", -1000, { first: 0, end: 2, before: 0, after: 400 }],
  ["in its middle", 225, { first: 2, end: 9, before: 100, after: 50 }],
  ["below its end", 5000, { first: 8, end: 10, before: 400, after: 0 }],
])("rowsInView() of a window %s", (_, top, rows) => {
  expect(rowsInView(heights, { top, height: 100, margin: 2 })).toEqual(rows);
});

it("rowsInView() of no rows is empty", () => {
  const none = { first: 0, end: 0, before: 0, after: 0 };
  expect(rowsInView([], { top: 0, height: 100, margin: 2 })).toEqual(none);
});

it("rowsInView() keeps the table's height, and includes every visible row", () => {
  const someHeights = fc.array(fc.integer({ min: 1, max: 200 }), { maxLength: 60 });
  const place = fc.record({
    top: fc.integer({ min: -500, max: 9000 }),
    height: fc.integer({ min: 1, max: 900 }),
    margin: fc.integer({ min: 0, max: 5 }),
  });
  fc.assert(
    fc.property(someHeights, place, (all, view) => {
      const { first, end, before, after } = rowsInView(all, view);
      const total = all.reduce((sum, height) => sum + height, 0);
      const kept = all.slice(first, end).reduce((sum, height) => sum + height, 0);
      expect(before + kept + after).toBe(total);
      let y = 0;
      for (const [i, height] of all.entries()) {
        const isSeen = y + height > view.top && y < view.top + view.height;
        if (isSeen) expect(i >= first && i < end).toBe(true);
        y += height;
      }
    }),
  );
});
