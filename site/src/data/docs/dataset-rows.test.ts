import { expect, it } from "vitest";
import { readRows } from "./dataset-rows.ts";

const rows = [
  { id: "b", tags: { kind: "long", language: "en" }, text: "much longer" },
  { id: "a", tags: { kind: "short", language: "en" } },
  { id: "c", tags: { kind: "long" }, text: "somewhat longer" },
];
const jsonl = `${rows.map((row) => JSON.stringify(row)).join("\n")}\n`;

it("readRows() counts the values of each tag, most frequent first", () => {
  expect(readRows(jsonl).tags).toEqual([
    {
      name: "kind",
      values: [
        { value: "long", samples: 2 },
        { value: "short", samples: 1 },
      ],
    },
    { name: "language", values: [{ value: "en", samples: 2 }] },
  ]);
});

it("readRows() takes the shortest row as the example", () => {
  expect(readRows(jsonl).example).toEqual(rows[1]);
});

it("readRows() gives the same version regardless of white space, but not of key order", () => {
  const spaced = rows.map((row) => JSON.stringify(row).replaceAll('":', '": ')).join("\n\n");
  expect(readRows(spaced).version).toBe(readRows(jsonl).version);
  const turned = rows.map(({ id, ...row }) => JSON.stringify({ ...row, id })).join("\n");
  expect(readRows(turned).version).not.toBe(readRows(jsonl).version);
  expect(readRows(jsonl.replace("much", "far")).version).not.toBe(readRows(jsonl).version);
});
