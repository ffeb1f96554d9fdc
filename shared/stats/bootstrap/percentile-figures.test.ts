import fc from "fast-check";
import { expect, test } from "vitest";
import { percentile } from "../sums/percentile.ts";
import { batchSize } from "./bootstrap.ts";
import { percentileFigures, sumFigures } from "./percentile-figures.ts";
import { combineStatistics } from "./statistics.ts";

const shares = [0, 0.5, 0.95, 0.99, 1];

test("percentileFigures() agrees with sorting the drawn values", () => {
  const value = fc.record({ value: fc.integer({ min: 0, max: 99 }), unit: fc.nat({ max: 4 }) });
  const draws = fc.array(fc.nat({ max: 4 }), { minLength: 5, maxLength: 5 });
  fc.assert(
    fc.property(fc.array(value, { maxLength: 60 }), draws, (values, draws) => {
      const times = [0, 1, 2, 3, 4].map((unit) => draws.filter((one) => one === unit).length);
      const batch = Array.from({ length: batchSize }, () => Float64Array.from(times));
      const into = new Float64Array(shares.length * batchSize);
      percentileFigures(values, 5, shares).evaluate(batch, into);
      const drawn = values.flatMap((one) => Array<number>(times[one.unit]!).fill(one.value));
      const sorted = drawn.sort((a, b) => a - b);
      const expected = shares.map((share) => percentile(sorted, share) ?? Number.NaN);
      const differences = expected.map((value, k) => Math.abs(value - into[k]!));
      expect(into.subarray(0, shares.length)).toEqual(into.subarray(-shares.length));
      if (drawn.length === 0) expect([...into].every(Number.isNaN)).toBe(true);
      else expect(Math.max(...differences)).toBeLessThan(1e-9);
    }),
  );
});

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
        sumFigures(columns, combineStatistics(columns.map((_, k) => (sums) => sums[k]!))).evaluate(
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

test("sumFigures() gives NaN for an undefined figure", () => {
  const into = new Float64Array(batchSize);
  const once = Array.from({ length: batchSize }, () => Float64Array.of(1, 1));
  sumFigures([Float64Array.of(0, 0)], combineStatistics([() => null])).evaluate(once, into);
  expect(into[0]).toBeNaN();
});
