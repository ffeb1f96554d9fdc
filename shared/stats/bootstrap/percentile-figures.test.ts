import fc from "fast-check";
import { expect, test } from "vitest";
import { percentile } from "../sums/percentile.ts";
import { batchSize } from "./bootstrap.ts";
import { percentileFigures } from "./percentile-figures.ts";

const shares = [0, 0.5, 0.95, 0.99, 1];

test("percentileFigures() agree with sorting the drawn values", () => {
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
