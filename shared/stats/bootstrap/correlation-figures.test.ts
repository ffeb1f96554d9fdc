import fc from "fast-check";
import { expect, test } from "vitest";
import { pearson } from "../correlation/pearson.ts";
import { spearman } from "../correlation/spearman.ts";
import { batchSize, bootstrap } from "./bootstrap.ts";
import { correlationFigures } from "./correlation-figures.ts";

const value = fc.integer({ min: 0, max: 6 });
const row = fc.tuple(value, value, fc.nat({ max: 3 }));

test("correlationFigures() of a resample equals the correlation of its expanded pairs", () => {
  fc.assert(
    fc.property(fc.array(row, { minLength: 3, maxLength: 12 }), (rows) => {
      const [x, y] = [rows.map(([a]) => a), rows.map(([, b]) => b)];
      const unitOf = rows.map((_, i) => i);
      const times = Float64Array.from(rows, ([, , count]) => count);
      const into = new Float64Array(2 * batchSize);
      correlationFigures({ x, y, unitOf }).evaluate(Array(batchSize).fill(times), into);
      const drawn = unitOf.flatMap((i) => Array<number>(times[i]!).fill(i));
      const of = (values: number[]) => drawn.map((i) => values[i]!);
      if (drawn.length < 3) return;
      const [plain, ranks] = [pearson(of(x), of(y)).r, spearman(of(x), of(y)).r];
      const about = (r: number | null) => (r === null ? Number.NaN : expect.closeTo(r, 9));
      expect([into[0], into[2 * batchSize - 1]]).toEqual([about(plain), about(ranks)]);
    }),
  );
});

test("correlationFigures() resamples units, not pairs", () => {
  const x = [1, 2, 3, 4, 5, 6];
  const y = [2, 1, 4, 3, 6, 5];
  const intervals = (unitOf: number[], units: number) =>
    bootstrap(units, "seed", [correlationFigures({ x, y, unitOf })]);
  const [single] = intervals([0, 1, 2, 3, 4, 5], 6);
  const [paired] = intervals([0, 0, 1, 1, 2, 2], 3);
  expect(single).not.toEqual(paired);
  expect(paired?.[1]).toBeLessThanOrEqual(1);
});
