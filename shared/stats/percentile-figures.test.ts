import fc from "fast-check";
import { expect, test } from "vitest";
import { percentile } from "./percentile.ts";
import { percentileFigures } from "./percentile-figures.ts";

const shares = [0, 0.5, 0.95, 0.99, 1];

test("percentileFigures() agree with sorting the drawn values", () => {
  const value = fc.record({ value: fc.integer({ min: 0, max: 99 }), unit: fc.nat({ max: 4 }) });
  const times = fc.array(fc.nat({ max: 3 }), { minLength: 5, maxLength: 5 });
  fc.assert(
    fc.property(fc.array(value, { maxLength: 9 }), times, (values, times) => {
      const into = new Float64Array(shares.length);
      percentileFigures(values, shares).evaluate(Int32Array.from(times), into);
      const drawn = values.flatMap((one) => Array<number>(times[one.unit]!).fill(one.value));
      const sorted = drawn.sort((a, b) => a - b);
      const expected = shares.map((share) => percentile(sorted, share) ?? Number.NaN);
      const differences = expected.map((value, k) => Math.abs(value - into[k]!));
      if (drawn.length === 0) expect([...into].every(Number.isNaN)).toBe(true);
      else expect(Math.max(...differences)).toBeLessThan(1e-9);
    }),
  );
});
