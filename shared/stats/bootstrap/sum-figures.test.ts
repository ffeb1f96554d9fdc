import fc from "fast-check";
import { expect, test } from "vitest";
import { batchSize } from "./bootstrap.ts";
import { eachOf } from "./statistics.ts";
import { sumFigures } from "./sum-figures.ts";

test("sumFigures() sums each column over the drawn units", () => {
  const side = fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 1, max: 6 }));
  fc.assert(
    fc.property(
      side,
      fc.infiniteStream(fc.integer({ min: -3, max: 3 })),
      ([count, units], stream) => {
        const next = () => stream.next().value as number;
        const columns = Array.from({ length: count }, () =>
          Float64Array.from({ length: units }, next),
        );
        const drawn = Array.from({ length: units }, () => Math.floor(((next() + 3) / 7) * units));
        const times = new Float64Array(units);
        for (const unit of drawn) times[unit]!++;
        const into = new Float64Array(count * batchSize);
        sumFigures(columns, eachOf(columns.map((_, k) => (sums) => sums[k]!))).evaluate(
          [new Float64Array(units), times, times, times],
          into,
        );
        const sums = columns.map((column) => drawn.reduce((sum, unit) => sum + column[unit]!, 0));
        const second = [...into.subarray(count, 2 * count)];
        expect(second.map((sum) => sum + 0)).toEqual(sums.map((sum) => sum + 0));
      },
    ),
  );
});

test("sumFigures() gives NaN for a figure that can't be worked out", () => {
  const into = new Float64Array(batchSize);
  const once = Array.from({ length: batchSize }, () => Float64Array.of(1, 1));
  sumFigures([Float64Array.of(0, 0)], eachOf([() => null])).evaluate(once, into);
  expect(into[0]).toBeNaN();
});
