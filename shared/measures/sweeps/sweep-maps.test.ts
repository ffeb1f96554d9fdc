import fc from "fast-check";
import { expect, test } from "vitest";
import type { Variant } from "../../contracts/submissions/variant.ts";
import { sweepMaps } from "./sweep-maps.ts";
import { sweepParameters } from "./sweep-parameters.ts";

const mapped = (variants: readonly Variant[], value: (variant: Variant) => number | null) =>
  sweepMaps(
    sweepParameters(variants),
    variants.map((variant) => ({ variant, value: () => value(variant) })),
    ["score"],
  );

const grid = (as: number[], bs: number[], cs: number[] = [0]) =>
  as.flatMap((a) => bs.flatMap((b) => cs.map((c) => ({ a, b, c }))));

test("sweepMaps() is the mean over the other parameters, with the shorter list as columns", () => {
  const maps = mapped(
    grid([0, 1, 2], [0, 1], [0, 10]),
    ({ a, b, c }) => Number(a) + Number(b) * 100 + Number(c),
  );
  expect(maps.map(({ x, y }) => [x, y])).toEqual([
    ["b", "a"],
    ["c", "a"],
    ["b", "c"],
  ]);
  expect(maps[0]?.metrics[0]?.rows.map((row) => row.map(({ value }) => value))).toEqual([
    [5, 105],
    [6, 106],
    [7, 107],
  ]);
});

test("sweepMaps() counts unmeasured variants, and excludes them from means", () => {
  const [map] = mapped(grid([0, 1], [0, 1], [0, 1]), ({ a, b, c }) =>
    a === 1 && (b === 1 || c === 1) ? null : 1,
  );
  expect(map?.metrics[0]?.rows).toEqual([
    [
      { value: 1, variants: 2, of: 2 },
      { value: 1, variants: 1, of: 2 },
    ],
    [
      { value: 1, variants: 2, of: 2 },
      { value: null, variants: 0, of: 2 },
    ],
  ]);
});

test("sweepMaps() has one row if one parameter varies, and no map if none does", () => {
  const [only, ...others] = mapped(grid([0, 1, 2], [5]), ({ a }) => Number(a));
  expect([only?.x, only?.y, others]).toEqual(["a", null, []]);
  expect(only?.metrics[0]?.rows).toHaveLength(1);
  expect(mapped(grid([1], [5]), () => 1)).toEqual([]);
});

test("sweepMaps() has every variant once in each map", () => {
  const list = fc.uniqueArray(fc.nat({ max: 9 }), { minLength: 2, maxLength: 4 });
  fc.assert(
    fc.property(list, list, list, (as, bs, cs) => {
      const variants = grid(as, bs, cs);
      for (const { metrics } of mapped(variants, () => 1)) {
        const cells = metrics[0]?.rows.flat() ?? [];
        expect(cells.reduce((sum, cell) => sum + cell.variants, 0)).toBe(variants.length);
      }
    }),
  );
});
