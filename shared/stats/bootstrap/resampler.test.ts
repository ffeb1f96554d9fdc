import fc from "fast-check";
import { expect, test } from "vitest";
import { drawIndex, xoshiro128 } from "../xoshiro128.ts";
import { resampler } from "./resampler.ts";

test("resampler() makes the same draws as drawIndex() with xoshiro128()", () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 1, max: 3000 }), (seed, units) => {
      const source = xoshiro128(seed);
      const resample = resampler(seed);
      for (let round = 0; round < 3; round++) {
        const expected = new Float64Array(units);
        for (let i = 0; i < units; i++) expected[drawIndex(source, units)]!++;
        const times = new Float64Array(units);
        resample(times);
        expect(times).toEqual(expected);
      }
    }),
    { numRuns: 30 },
  );
});
