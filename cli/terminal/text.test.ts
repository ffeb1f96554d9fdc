import { expect, test } from "vitest";
import { MAX_WIDTH, wideTable, wrapText } from "./text.ts";

test("wideTable() splits a wide table into several tables, each with the first column", () => {
  const names = Array.from({ length: 20 }, (_, i) => `run number ${i}`);
  const tables = wideTable([
    ["sample", ...names],
    ["a", ...names.map(() => "1.000")],
  ]);
  expect(tables).toHaveLength(3);
  for (const lines of tables) {
    expect(lines[0]).toMatch(/^sample {2}run number \d+/);
    expect(lines[1]).toMatch(/^a .*1\.000$/);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(MAX_WIDTH);
  }
  const heads = tables.map(([head]) => head).join("  ");
  for (const name of names) expect(heads).toContain(name);
});

test("wideTable() puts a column that is too wide into a separate table", () => {
  const long = "x".repeat(MAX_WIDTH);
  const row = ["a", "1", "2"];
  expect(wideTable([["sample", long, "b"], row]).map(([head]) => head)).toEqual([
    `sample  ${long}`,
    "sample  b",
  ]);
});

test("wrapText() breaks at spaces and loses no word", () => {
  const text = Array.from({ length: 60 }, (_, i) => `word${i}`).join(" ");
  const lines = wrapText(text);
  expect(lines.length).toBeGreaterThan(3);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(MAX_WIDTH);
  expect(lines.map((line) => line.trim()).join(" ")).toBe(text);
  expect(wrapText("short")).toEqual(["short"]);
});
