import { expect, test } from "vitest";
import { bootstrap, partResamples } from "../../../../stats/bootstrap/bootstrap.ts";
import { sumFigures } from "../../../../stats/bootstrap/percentile-figures.ts";
import { ratiosOf } from "../../../../stats/bootstrap/statistics.ts";
import { aDiagnosis } from "../../__fixtures__/answered.ts";
import { fieldRates } from "../../score/tally.ts";
import { countField, type FieldCell, noFields } from "./field-tables.ts";
import { partIntervals } from "./make-breakdown.ts";

const exact = aDiagnosis("a", { category: "exact", composite: 1, identical: true });

/** A field in each of 30 groups, right in every third group. */
function aCell(): FieldCell {
  const cell = noFields();
  for (let group = 0; group < 30; group++) {
    countField(cell, group % 3 === 0 ? exact : aDiagnosis("a"), { group, lost: null });
  }
  return cell;
}

test("partIntervals() resamples the partial F1 of a cell by groups", () => {
  const cell = aCell();
  const groups = Array.from({ length: 30 }, (_, group) => group);
  const [interval] = partIntervals([cell], groups, "run");
  const column = (of: Record<number, number>) => Float64Array.from(groups, (g) => of[g] ?? 0);
  const columns = [column(cell.halves), column(cell.sides)];
  const f1 = sumFigures(columns, ratiosOf([[0, 1]]));
  expect(interval).toEqual(bootstrap(30, "run", [f1], { resamples: partResamples })[0]);
  const { partialF1 } = fieldRates(cell);
  expect(partialF1).toBeCloseTo(20 / (20 + 20), 12);
  expect(interval![0]).toBeLessThan(partialF1);
  expect(interval![1]).toBeGreaterThan(partialF1);
});

test("partIntervals() returns null for a single group of samples", () => {
  expect(partIntervals([aCell()], [0], "run")).toEqual([null]);
  expect(partIntervals([], [], "run")).toEqual([]);
});
