import { expect, test } from "vitest";
import type { NoteBlock } from "../../../contracts/report.ts";
import { asFolded, blocksOf, cutTable, foldedLast, note, tableOf } from "./blocks.ts";
import { stepsLegend } from "./tone-steps.ts";

const [a, b, c, d] = ["a", "b", "c", "d"].map((title) => note(title, "")) as [
  NoteBlock,
  NoteBlock,
  NoteBlock,
  NoteBlock,
];

test("foldedLast() moves folded blocks to the end, keeping the order", () => {
  const blocks = [asFolded(a), b, asFolded(c), d];
  expect(foldedLast(blocks).map(({ title }) => title)).toEqual(["b", "d", "a", "c"]);
});

test("blocksOf() flattens nested blocks in order and drops null", () => {
  expect(blocksOf([a, null, [b, [c]], []])).toEqual([a, b, c]);
  expect(blocksOf(null)).toEqual([]);
});

test("tableOf() takes cells from the item by id, or from the column's function", () => {
  const items = [{ name: "a", its: [1, 2], more: "left out" }];
  const [table] = tableOf(
    "Names",
    [
      ["name", "Name", "text"],
      ["n", "n", "count", (one) => one.its.length],
    ],
    items,
  );
  expect(table.rows).toEqual([{ name: "a", n: 2 }]);
});

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

test("stepsLegend() names each grade with its lower end, and the grade below all", () => {
  const steps = [
    [0.9, "excellent"],
    [0.5, "fair"],
  ] as const;
  expect(stepsLegend(steps, "percent")).toEqual([
    { tone: "excellent", label: "Excellent from 90%" },
    { tone: "fair", label: "Minimum from 50%" },
    { tone: "poor", label: "Below minimum" },
  ]);
});
