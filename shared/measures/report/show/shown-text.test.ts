import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json } from "../../../contracts/json.ts";
import { cutPlace, shownJson, shownTable, shownText } from "./shown-text.ts";

const mark = (from: number, to: number, label = "") => ({ from, to, label, tone: "good" as const });

test.each([
  ["abcd", 4, "abcd", 0],
  ["abcd", 3, "abc", 1],
  ["ab😀d", 3, "ab", 2],
  ["ab😀d", 4, "ab😀", 1],
  ["", 3, "", 0],
  ["😀", 1, "", 1],
  ["😀", 0, "", 1],
  ["\ud83dx", 1, "\ud83d", 1],
])("shownText(%j) of at most %d is %j, %d left", (text, most, shown, left) => {
  expect(shownText("t", text, { most })).toMatchObject({ text: shown, left, marks: [] });
});

test("shownText() sorts marks, keeps the first of overlapping ones, and cuts them with the text", () => {
  const marks = [
    mark(6, 9, "late"),
    mark(0, 3, "first"),
    mark(2, 5, "over the first"),
    mark(3, 4, "next"),
    mark(8, 20, "over the late"),
    mark(12, 30, "past the cut"),
    mark(11, 14, "beyond"),
    mark(5, 5, "empty"),
    mark(-2, 0, "before"),
    mark(4, 3, "turned round"),
  ];
  const shown = shownText("t", "x".repeat(40), { marks, most: 10 }).marks;
  expect(shown.map(({ from, to, label }) => [from, to, label])).toEqual([
    [0, 3, "first"],
    [3, 4, "next"],
    [6, 9, "late"],
  ]);
  expect(shownText("t", "x".repeat(40), { marks: [mark(8, 20)], most: 10 }).marks).toEqual([
    mark(8, 10),
  ]);
});

test("shownText() returns marks within the text that do not overlap, and keeps all characters", () => {
  const place = fc.integer({ min: -5, max: 60 });
  const some = fc.array(fc.tuple(place, place).map(([from, to]) => mark(from, to)));
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), some, fc.nat(50), (text, marks, most) => {
      const block = shownText("t", text, { marks, most });
      expect([...block.text].length + block.left).toBe([...text].length);
      expect(text.startsWith(block.text) && cutPlace(text, most)).toBe(block.text.length);
      block.marks.forEach(({ from, to }, i) => {
        expect(from).toBeLessThan(to);
        expect(from).toBeGreaterThanOrEqual(block.marks[i - 1]?.to ?? 0);
        expect(to).toBeLessThanOrEqual(block.text.length);
      });
    }),
    { numRuns: 40 },
  );
});

const deep = (levels: number): Json => JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`);

test.each([
  [{ a: [1, "b"] }, '{\n  "a": [\n    1,\n    "b"\n  ]\n}'],
  [null, "null"],
  ["text", '"text"'],
  [deep(20_000), "(nested deeper than 500 levels)"],
] as [Json, string][])("shownJson() formats values as code", (value, text) => {
  expect(shownJson("t", value)).toMatchObject({ kind: "text", text, isCode: true, left: 0 });
});

test("shownJson() cuts long values", () => {
  expect(shownJson("t", "x".repeat(50), { most: 10 })).toMatchObject({
    text: '"xxxxxxxxx',
    left: 42,
  });
});

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
