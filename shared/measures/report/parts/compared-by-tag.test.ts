import { expect, test } from "vitest";
import { comparedByTag } from "./compared-by-tag.ts";

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
