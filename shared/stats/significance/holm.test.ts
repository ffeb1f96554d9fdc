import fc from "fast-check";
import { expect, it } from "vitest";
import { holm } from "./holm.ts";

it("holm() steps down and never lets a later p be smaller than an earlier one", () => {
  // 0.01·3, then max(0.03, 0.03·2), then max(0.06, 0.04·1).
  expect(holm([0.01, 0.04, 0.03])).toEqual([0.03, 0.06, 0.06]);
});

it("holm() ignores tests without a p-value and never exceeds 1", () => {
  expect(holm([null, 0.6, 0.7])).toEqual([null, 1, 1]);
  expect(holm([])).toEqual([]);
});

it("holm() is between the raw p and Bonferroni's, and keeps the order", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1 }), (ps) => {
      const adjusted = holm(ps) as number[];
      adjusted.forEach((value, i) => {
        expect(value).toBeGreaterThanOrEqual(ps[i] as number);
        expect(value).toBeLessThanOrEqual(Math.min(1, (ps[i] as number) * ps.length) + 1e-12);
      });
      const order = [...ps.keys()].sort((i, j) => (ps[i] as number) - (ps[j] as number));
      for (let k = 1; k < order.length; k++) {
        const [before, after] = [adjusted[order[k - 1] as number], adjusted[order[k] as number]];
        expect(after).toBeGreaterThanOrEqual(before as number);
      }
    }),
  );
});
