import { expect, it } from "vitest";
import type { ScatterBlock, StackBlock } from "#shared/contracts/report.ts";
import { crowdedText } from "./ChartBlock.tsx";
import { restText } from "./StackBlock.tsx";

const aStack = (right: number, wrong: number): StackBlock => ({
  kind: "stack",
  title: "Outcomes",
  unit: "fields",
  parts: [
    { label: "Right", count: right, tone: "right", definition: "" },
    { label: "Wrong", count: wrong, tone: "wrong", definition: "" },
  ],
});

it.each([
  [180, 0, "Nothing to show: all 180 fields are “Right”."],
  [178, 2, "Nothing to show: 2 of 180 fields are not “Right”."],
  [99, 1, "Nothing to show: 1 of 100 fields is not “Right”."],
  [170, 10, null],
  [0, 0, null],
])("restText() of %d right and %d wrong is %j", (right, wrong, text) => {
  expect(restText(aStack(right, wrong))).toBe(text);
});

const aScatter = (points: [number, number][], format: "score" | "ms" = "score"): ScatterBlock => ({
  kind: "scatter",
  title: "Precision against recall",
  legend: [],
  x: { label: "Recall", format, scale: "linear" },
  y: { label: "Precision", format: "score" },
  points: points.map(([x, y], i) => ({ x, y, label: `${i}`, tone: "neutral" })),
});

it("crowdedText() says where all dots lie if they would overlap", () => {
  const near: [number, number][] = [
    [0.98, 0.97],
    [1, 0.99],
  ];
  expect(crowdedText(aScatter(near))).toBe(
    "Nothing to show: all 2 dots lie close together, at Recall 0.980 to 1.000 and Precision 0.970 to 0.990.",
  );
  expect(crowdedText(aScatter(near, "ms"))).toBeNull();
  expect(crowdedText(aScatter([...near, [0.5, 1]]))).toBeNull();
});
