import fc from "fast-check";
import { expect, it } from "vitest";
import { percentile } from "./percentile.ts";
import { tails } from "./tails.ts";

it("tails() are the percentiles of the sorted numbers, whatever their order", () => {
  const values = fc.array(fc.oneof(fc.double(), fc.integer({ min: 0, max: 3 })), {
    maxLength: 1_500,
  });
  fc.assert(
    fc.property(values, (given) => {
      const sorted = Float64Array.from(given.filter((value) => !Number.isNaN(value))).sort();
      const expected =
        sorted.length === 0 ? null : [percentile(sorted, 0.025), percentile(sorted, 0.975)];
      const found = tails(Float64Array.from(given));
      expect(found?.map((end) => end + 0) ?? null).toEqual(
        expected?.map((end) => end! + 0) ?? null,
      );
    }),
  );
});
