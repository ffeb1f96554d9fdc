import { expect, test } from "vitest";
import { comparedByTag, distinguishingTags, tagCells } from "./tag-cells.ts";

test("tagCells() leaves out tags of a single value, which is the whole run or says nothing", () => {
  const part = (tag: string, name: string) => ({
    tag,
    name,
    n: 30,
    figures: { f1: { value: 0.5, interval: [0.4, 0.6] as const } },
  });
  const cells = tagCells([part("language", "en"), part("kind", "a"), part("kind", "b")], "f1");
  expect(cells).toEqual([
    { label: "kind a", value: 0.5, interval: [0.4, 0.6], n: 30 },
    { label: "kind b", value: 0.5, interval: [0.4, 0.6], n: 30 },
  ]);
  expect(tagCells([part("kind", "a"), part("kind", "b")], "recall")[0]).toMatchObject({
    value: null,
    interval: null,
  });
});

const group = (tag: string, name: string) => ({ tag, name });

test("distinguishingTags() leaves out tags of one value and keeps the order", () => {
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

test("distinguishingTags() is empty without a tag that tells groups apart", () => {
  expect(distinguishingTags([])).toEqual([]);
  expect(distinguishingTags([group("lang", "en")])).toEqual([]);
});

const metric = { id: "f1", label: "F1", format: "score" } as const;
const value = { value: 0.5, interval: null };
const breakdown = {
  tags: ["law", "news"].map((name) => ({ tag: "domain", name, n: 30, figures: { f1: value } })),
};

test("comparedByTag() sets a metric of the run beside the same of each value of a tag", () => {
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

test("comparedByTag() has no value where the metric was not measured, no cells without tags", () => {
  const facts = { metrics: {}, breakdown: { tags: [] } };
  expect(comparedByTag(metric, facts)).toMatchObject({ value: null, cells: [] });
});
