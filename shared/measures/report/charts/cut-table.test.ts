import { expect, test } from "vitest";
import { cutTable } from "./cut-table.ts";
import { stepsLegend } from "./tone-steps.ts";

const rows = Array.from({ length: 40 }, (_, i) => ({ name: `f${i}` }));

test.each([
  [3, undefined, "Functions", 3],
  [40, undefined, "Functions, 15 of 40", 15],
  [40, 2, "Functions, 2 of 40", 2],
  [0, undefined, "Functions", 0],
])("cutTable() of %d rows, at most %s", (count, most, title, shown) => {
  const table = cutTable("Functions", [["name", "Function", "text"]], rows.slice(0, count), most);
  expect(table).toEqual({
    kind: "table",
    title,
    columns: [{ id: "name", label: "Function", format: "text" }],
    rows: rows.slice(0, shown),
  });
});

test("stepsLegend() names each grade with where it begins, and what lies below", () => {
  const steps = [
    [0.9, "excellent"],
    [0.5, "fair"],
  ] as const;
  expect(stepsLegend(steps, "percent")).toEqual([
    { tone: "excellent", label: "Excellent from 90%" },
    { tone: "fair", label: "Fair from 50%" },
    { tone: "poor", label: "Poor below" },
  ]);
});
