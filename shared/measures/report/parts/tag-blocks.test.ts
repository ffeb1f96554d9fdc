import { expect, test } from "vitest";
import { stepsLegend } from "../charts/tone-steps.ts";
import {
  comparedByTag,
  distinguishingTags,
  type PartFigures,
  partBlocks,
  tagBlocks,
  tagCells,
} from "./tag-blocks.ts";

const shown: PartFigures = {
  figures: [
    { id: "f1", label: "F1", format: "score" },
    { id: "share", label: "Share", format: "percent" },
  ],
  steps: [[0.5, "good"]],
  things: "Sessions",
};
const part = (name: string, f1: number, n = 40) => ({
  name,
  n,
  figures: { f1: { value: f1, interval: [f1 - 0.1, f1 + 0.1] as const } },
});

test("partBlocks() draws the main figure, and lists all figures in a folded table", () => {
  const blocks = partBlocks("User", [part("ada", 0.7), part("bob", 0.3)], shown);
  expect(blocks).toEqual([
    {
      kind: "bars",
      title: "F1 by user",
      format: "score",
      legend: stepsLegend(shown.steps, "score"),
      bars: [
        { label: "ada", value: 0.7, interval: [0.6, expect.closeTo(0.8)], n: 40, tone: "good" },
        { label: "bob", value: 0.3, interval: [expect.closeTo(0.2), 0.4], n: 40, tone: "poor" },
      ],
    },
    {
      kind: "table",
      title: "Figures by user",
      folded: true,
      columns: [
        { id: "name", label: "User", format: "text" },
        { id: "f1", label: "F1", format: "score" },
        { id: "interval", label: "95% interval", format: "figure" },
        { id: "share", label: "Share", format: "percent" },
        { id: "n", label: "Sessions", format: "count" },
      ],
      rows: [
        { name: "ada", f1: 0.7, interval: "0.600–0.800", share: null, n: 40 },
        { name: "bob", f1: 0.3, interval: "0.200–0.400", share: null, n: 40 },
      ],
    },
  ]);
});

test("partBlocks() omits the intervals of small parts, and says why below bars and table", () => {
  const [bars, table] = partBlocks("User", [part("ada", 0.7), part("bob", 0.3, 3)], shown);
  expect(bars).toMatchObject({
    bars: [{ interval: [0.6, expect.closeTo(0.8)] }, { value: 0.3, n: 3, interval: null }],
    below: expect.stringMatching(/fewer than 20 samples/),
  });
  expect(table).toMatchObject({
    rows: [{ interval: "0.600–0.800" }, { f1: 0.3, n: 3, interval: null }],
    below: expect.stringMatching(/fewer than 20 samples/),
  });
});

test("partBlocks() is empty without parts, and without the figure", () => {
  expect(partBlocks("User", [], shown)).toEqual([]);
  expect(partBlocks("User", [{ name: "ada", n: 1, figures: {} }], shown)[0]).toMatchObject({
    bars: [{ value: null, interval: null, tone: "neutral" }],
  });
});

test("partBlocks() cuts long tables", () => {
  const many = Array.from({ length: 40 }, (_, i) => part(`u${i}`, 0.5));
  const blocks = partBlocks("User", many, shown, "lowest");
  expect(blocks.map(({ title }) => title)).toEqual([
    "F1 by user, the lowest 8 of 40",
    "Figures by user, the lowest 8 of 40",
  ]);
  const [bars, table] = blocks;
  expect(bars?.kind === "bars" && bars.bars).toHaveLength(8);
  expect(table?.kind === "table" && table.rows).toHaveLength(8);
});

test("tagBlocks() shows the largest of many values first", () => {
  const tags = Array.from({ length: 20 }, (_, i) => ({ tag: "a", ...part(`x${i}`, 0.5, i) }));
  const [bars] = tagBlocks(tags, shown);
  expect(bars?.kind === "bars" && bars.bars.map(({ n }) => n)).toEqual([
    19, 18, 17, 16, 15, 14, 13, 12,
  ]);
});

test("tagBlocks() shows tags with several values, and names those after the third", () => {
  const tags = ["a", "b", "c", "d", "e", "f", "g"].flatMap((tag) => [
    { tag, ...part("x", 0.5) },
    { tag, ...part("y", 0.5) },
  ]);
  const blocks = tagBlocks([...tags, { tag: "single", ...part("x", 0.5) }], shown);
  expect(blocks.map(({ title }) => title)).toEqual([
    ...["a", "b", "c"].map((tag) => `F1 by ${tag}`),
    ...["a", "b", "c"].map((tag) => `Figures by ${tag}`),
    "More tags",
  ]);
  expect(blocks.at(-1)).toMatchObject({
    text: "The run's breakdown in the API has d, e, f, g, too.",
  });
  expect(tagBlocks([{ tag: "single", ...part("x", 0.5) }], shown)).toEqual([]);
});

test("tagCells() omits tags with a single value", () => {
  const tagged = (tag: string, name: string) => ({
    tag,
    name,
    n: 30,
    figures: { f1: { value: 0.5, interval: [0.4, 0.6] as const } },
  });
  const cells = tagCells(
    [tagged("language", "en"), tagged("kind", "a"), tagged("kind", "b")],
    "f1",
  );
  expect(cells).toEqual([
    { label: "kind a", value: 0.5, interval: [0.4, 0.6], n: 30 },
    { label: "kind b", value: 0.5, interval: [0.4, 0.6], n: 30 },
  ]);
  expect(tagCells([tagged("kind", "a"), tagged("kind", "b")], "recall")[0]).toMatchObject({
    value: null,
    interval: null,
  });
});

const group = (tag: string, name: string) => ({ tag, name });

test("distinguishingTags() omits tags with one value and keeps the order", () => {
  const groups = [
    group("domain", "law"),
    group("lang", "en"),
    group("level", "easy"),
    group("domain", "food"),
    group("level", "hard"),
  ];
  expect(distinguishingTags(groups)).toEqual([
    ["domain", [groups[0], groups[3]]],
    ["level", [groups[2], groups[4]]],
  ]);
});

test("distinguishingTags() is empty if no tag has several values", () => {
  expect(distinguishingTags([])).toEqual([]);
  expect(distinguishingTags([group("lang", "en")])).toEqual([]);
});

const metric = { id: "f1", label: "F1", format: "score" } as const;
const value = { value: 0.5, interval: null };
const breakdown = {
  tags: ["law", "news"].map((name) => ({ tag: "domain", name, n: 30, figures: { f1: value } })),
};

test("comparedByTag() returns a metric of the run, and of each value of a tag", () => {
  const metrics = { f1: { value: 0.7, interval: null, n: 60, coverage: 1 } };
  expect(comparedByTag(metric, { metrics, breakdown })).toEqual({
    label: "F1",
    format: "score",
    value: 0.7,
    cells: [
      { label: "domain law", ...value, n: 30 },
      { label: "domain news", ...value, n: 30 },
    ],
  });
});

test("comparedByTag() has no value for an unmeasured metric, and no cells without tags", () => {
  const facts = { metrics: {}, breakdown: { tags: [] } };
  expect(comparedByTag(metric, facts)).toMatchObject({ value: null, cells: [] });
});
