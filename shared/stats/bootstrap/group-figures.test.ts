import fc from "fast-check";
import { expect, it } from "vitest";
import { bootstrap } from "./bootstrap.ts";
import { groupFigures } from "./group-figures.ts";
import { sumFigures } from "./percentile-figures.ts";
import { combineStatistics, ratiosOf } from "./statistics.ts";

const mean = ratiosOf([[0, 1]]);

/** The mean of one group, computed over all units; units outside the group contribute 0. */
function meanOf(group: readonly number[], values: readonly number[], unitOf: readonly number[]) {
  const units = Math.max(...unitOf) + 1;
  const [sums, counts] = [new Float64Array(units), new Float64Array(units)];
  for (const item of group) {
    sums[unitOf[item]!]! += values[item]!;
    counts[unitOf[item]!]!++;
  }
  return bootstrap(units, "run", [sumFigures([sums, counts], mean)], { resamples: 200 })[0];
}

it("groupFigures() computes each group's figures from the drawn items of the group", () => {
  const value = fc.oneof(
    fc.integer({ min: 0, max: 40 }),
    fc.double({ min: 0, max: 1, noNaN: true }),
  );
  const items = fc.array(
    fc.record({ value, unit: fc.nat({ max: 6 }), groups: fc.nat({ max: 7 }) }),
    {
      minLength: 2,
      maxLength: 30,
    },
  );
  fc.assert(
    fc.property(items, (drawn) => {
      const values = drawn.map((item) => item.value);
      const unitOf = drawn.map(({ unit }) => unit);
      const groups = [0, 1, 2].map((bit) =>
        [...drawn.keys()].filter((i) => (drawn[i]!.groups >> bit) & 1),
      );
      const columns = [Float64Array.from(values), new Float64Array(drawn.length).fill(1)];
      const units = Math.max(...unitOf) + 1;
      const figures = groupFigures({ columns, unitOf, units, groups }, mean);
      const found = bootstrap(units, "run", [figures], { resamples: 200 });
      groups.forEach((group, g) => {
        const expected = meanOf(group, values, unitOf);
        if (expected === null || expected === undefined) expect(found[g]).toBeNull();
        else expect(found[g]).toEqual(expected.map((end) => expect.closeTo(end, 10)));
      });
    }),
    { numRuns: 60 },
  );
});

it("groupFigures() keeps sums exact when one unit is drawn many times", () => {
  const columns = [
    Float64Array.from({ length: 2000 }, () => 2 ** 20),
    new Float64Array(2000).fill(1),
  ];
  const unitOf = Int32Array.from({ length: 2000 }, (_, i) => Number(i === 0));
  const both = combineStatistics([(sums) => sums[0]!, (sums) => sums[1]!]);
  const figures = groupFigures({ columns, unitOf, units: 2, groups: [[...unitOf.keys()]] }, both);
  const into = new Float64Array(8);
  figures.evaluate(
    Array.from({ length: 4 }, () => Float64Array.of(2, 0)),
    into,
  );
  expect([...into.subarray(0, 2)]).toEqual([2 * 1999 * 2 ** 20, 2 * 1999]);
});

it("groupFigures() returns no figures for no groups", () => {
  expect(groupFigures({ columns: [], unitOf: [], units: 3, groups: [] }, mean).count).toBe(0);
});
