import { expect, test } from "vitest";
import type { ReportBlock } from "../../../contracts/report.ts";
import {
  aboveBelowTone,
  type PartCell,
  strengthBlocks,
  toneAgainstWhole,
} from "./strength-blocks.ts";

const overall = { label: "F1", value: 0.8, format: "score" } as const;

function cell(label: string, value: number, reach: number, n = 50): PartCell {
  return { label, value, interval: [value - reach, value + reach], n };
}

const partsOf = (blocks: readonly ReportBlock[], title: string) => {
  const table = blocks.find((block) => block.title === title);
  return table?.kind === "table" ? table.rows.map((row) => row["part"]) : null;
};

test("strengthBlocks() picks parts whose interval excludes the run's value, the furthest first", () => {
  const cells = [
    cell("level", 0.82, 0.05),
    cell("good", 0.9, 0.05),
    cell("best", 0.95, 0.01),
    cell("weak", 0.7, 0.05),
    cell("touching", 0.75, 0.05),
    cell("weakest", 0.5, 0.2),
  ];
  const blocks = strengthBlocks([{ ...overall, cells }]);
  expect(partsOf(blocks, "Strengths")).toEqual(["best", "good"]);
  expect(partsOf(blocks, "Weaknesses")).toEqual(["weakest", "weak"]);
  expect(blocks.at(-1)).toMatchObject({
    text: expect.stringMatching(/^Of 6 parts of 20 samples or more, 4 have/),
  });
});

test("strengthBlocks() shows value, interval, n and the difference to the whole run", () => {
  const [strengths, none] = strengthBlocks([{ ...overall, cells: [cell("a", 0.9, 0.05, 21)] }]);
  expect(strengths).toMatchObject({
    rows: [{ part: "a", value: 0.9, interval: "0.850–0.950", n: 21, difference: "+0.100" }],
  });
  expect(none).toMatchObject({ kind: "note", title: "Weaknesses" });
});

test.each<[string, PartCell[], number | null, RegExp]>([
  ["no parts", [], 0.8, /^No part of this run has 20/],
  ["fewer than 20 samples", [cell("a", 0.1, 0.01, 19)], 0.8, /^No part of this run has 20/],
  ["no interval", [{ ...cell("a", 0.1, 0), interval: null }], 0.8, /^No part/],
  ["no value of the run", [cell("a", 0.1, 0.01)], null, /^No part/],
  [
    "no part that differs clearly",
    [cell("a", 0.8, 0.01)],
    0.8,
    /^The only part of 20 samples or more does not differ clearly/,
  ],
])("strengthBlocks() has a note with %s", (_, cells, value, text) => {
  expect(strengthBlocks([{ ...overall, value, cells }])).toEqual([
    expect.objectContaining({ kind: "note", text: expect.stringMatching(text) }),
  ]);
});

test("strengthBlocks() keeps eight of each side", () => {
  const cells = Array.from({ length: 30 }, (_, k) => cell(`${k}`, 0.2 + k / 100, 0.01));
  expect(partsOf(strengthBlocks([{ ...overall, cells }]), "Weaknesses")).toHaveLength(8);
});

test("strengthBlocks() compares by several figures, and says how many values it compared", () => {
  const share = { label: "Exact match", value: 0.5, format: "percent" } as const;
  const blocks = strengthBlocks([
    { ...overall, cells: [cell("a", 0.8, 0.05), cell("b", 0.9, 0.05), cell("few", 0.1, 0.01, 19)] },
    { ...share, cells: [cell("a", 0.2, 0.1), cell("b", 0.5, 0.1)] },
  ]);
  expect(blocks).toMatchObject([
    { rows: [{ part: "b", measure: "F1", value: "0.900", difference: "+0.100" }] },
    {
      title: "Weaknesses",
      rows: [{ part: "a", measure: "Exact match", value: "20.0%", difference: "−30.0\u202fpp" }],
    },
    {
      text: "Of 4 values of 2 parts of 20 samples or more (F1, Exact match), 2 have a 95% interval that does not contain the value of the whole run. This is not corrected for the number of tests: by chance, about one in twenty would.",
    },
  ]);
});

test("strengthBlocks() says how many of a hundred would differ by chance", () => {
  const cells = Array.from({ length: 100 }, (_, k) => cell(`${k}`, k === 0 ? 0.5 : 0.8, 0.01));
  expect(strengthBlocks([{ ...overall, cells }]).at(-1)).toMatchObject({
    text: expect.stringMatching(/^Of 100 parts .*, 1 has .* by chance, about 5 would\.$/),
  });
});

test.each([
  [[0.8, 0.9], 0.7, "above"],
  [[0.5, 0.6], 0.7, "below"],
  [[0.6, 0.8], 0.7, "neutral"],
  [null, 0.7, "neutral"],
  [[0.6, 0.8], null, "neutral"],
] as const)("toneAgainstWhole(%j, %j) is %s", (interval, whole, tone) => {
  expect(toneAgainstWhole(interval, whole)).toBe(tone);
});

test("aboveBelowTone() of an equal or unknown part is neutral", () => {
  expect([aboveBelowTone("above"), aboveBelowTone("level"), aboveBelowTone(null)]).toEqual([
    "above",
    "neutral",
    "neutral",
  ]);
});
