import fc from "fast-check";
import { expect, it } from "vitest";
import { effectiveUnits, pairedT, pairedTests } from "./paired-tests.ts";

it("pairedTests() of two samples, by hand", () => {
  // Differences 0.4 and 0.1: mean 0.25, SD 0.15·√2, t = 0.25 / 0.15 = 5/3 with one degree of freedom.
  const { meanDifference, sdDifference, t, p, dz } = pairedTests([0.9, 0.8], [0.5, 0.7]);
  expect(meanDifference).toBeCloseTo(0.25, 12);
  expect(sdDifference).toBeCloseTo(0.15 * Math.SQRT2, 12);
  expect(t).toBeCloseTo(5 / 3, 12);
  expect(dz).toBeCloseTo(5 / 3 / Math.SQRT2, 12);
  // One degree of freedom is Cauchy: p = 1 − 2·atan(t)/π.
  expect(p).toBeCloseTo(1 - (2 * Math.atan(5 / 3)) / Math.PI, 9);
});

it.each([
  ["equal scores", [0.5, 0.7], [0.5, 0.7], 1],
  ["a constant difference", [0.6, 0.8], [0.5, 0.7], null],
])("pairedTests() has no t for %s", (_, a, b, p) => {
  expect(pairedTests(a, b)).toMatchObject({ t: null, dz: null, p });
});

it("pairedT() with equal weights is the usual test, and has fewer degrees of freedom with unequal ones", () => {
  const [a, b] = [
    [0.9, 0.8, 0.3, 0.6],
    [0.5, 0.7, 0.4, 0.1],
  ];
  const { t, p, sdDifference } = pairedT(a, b);
  const equal = pairedT(a, b, [0.25, 0.25, 0.25, 0.25]);
  expect(equal.t).toBeCloseTo(t!, 12);
  expect(equal.p).toBeCloseTo(p!, 9);
  expect(equal.sdDifference).toBeCloseTo(sdDifference!, 12);
  expect(effectiveUnits([0.7, 0.1, 0.1, 0.1])).toBeCloseTo(1 / 0.52, 12);
  expect(pairedT(a, b, [0.7, 0.1, 0.1, 0.1]).p).toBeGreaterThan(p!);
});

it("pairedTests() is null for fewer than two samples", () => {
  expect(pairedTests([1], [0])).toEqual({
    n: 1,
    meanA: null,
    meanB: null,
    meanDifference: null,
    sdDifference: null,
    t: null,
    p: null,
    wilcoxon: null,
    wilcoxonP: null,
    cohensD: null,
    dz: null,
  });
});

it("pairedTests() changes signs and keeps p-values when the models are swapped", () => {
  const score = fc.integer({ min: 0, max: 20 }).map((n) => n / 20);
  const pairs = fc.array(fc.tuple(score, score), { minLength: 2, maxLength: 80 });
  fc.assert(
    fc.property(pairs, (rows) => {
      const [a, b] = [rows.map(([x]) => x), rows.map(([, y]) => y)];
      const [ab, ba] = [pairedTests(a, b), pairedTests(b, a)];
      expect(ab.meanDifference).toBeCloseTo(-(ba.meanDifference ?? 0), 12);
      if (ab.p === null) expect(ba.p).toBeNull();
      else expect(ab.p).toBeCloseTo(ba.p ?? -1, 12);
      expect(ab.wilcoxonP).toBeCloseTo(ba.wilcoxonP ?? -1, 12);
      expect(ab.cohensD).toBeCloseTo(-(ba.cohensD ?? 0), 12);
    }),
  );
});
