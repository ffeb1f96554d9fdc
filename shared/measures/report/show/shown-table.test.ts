import { expect, test } from "vitest";
import { shownTable } from "./shown-table.ts";

const columns: Parameters<typeof shownTable>[1] = [["text", "Text", "text"]];

test("shownTable() is empty without rows", () => {
  expect(shownTable("Claims", columns, [])).toEqual([]);
});

test("shownTable() cuts long texts between characters, and says how many rows are omitted", () => {
  const rows = Array.from({ length: 20 }, (_, i) => ({
    text: i === 0 ? `${"x".repeat(139)}😀` : i,
  }));
  const [table, note, ...rest] = shownTable("Claims", columns, rows);
  expect(rest).toEqual([]);
  expect(table?.kind === "table" && table.rows).toEqual([
    { text: `${"x".repeat(139)}…` },
    ...rows.slice(1, 12),
  ]);
  expect(note).toMatchObject({ kind: "note", title: "Claims: more" });
  expect(note?.kind === "note" && note.text).toMatch(/^8 more of 20;/);
});
