import { expect, test } from "vitest";
import type { RunPoints } from "../../../contracts/runs/run-points.ts";
import { featureBoxes } from "./feature-boxes.ts";

const y = {
  label: "Score",
  format: "score" as const,
  of: ({ score }: RunPoints["points"][number]) => score,
};

const pointsOf = (values: readonly (number | string)[], answers = values.length): RunPoints => ({
  answers,
  latency: [],
  picks: [],
  points: values.map((size, i) => ({
    id: `${i}`,
    score: i / values.length,
    latencyMs: null,
    inputTokens: null,
    outputTokens: null,
    features: { size },
  })),
});

const groupsOf = (points: RunPoints | null) =>
  featureBoxes("By size", points, "size", y).flatMap((block) =>
    block.kind === "boxes" ? block.groups.map(({ label, n }) => [label, n]) : [],
  );
const repeated = (values: readonly number[], times: number) =>
  Array.from({ length: times }, () => values).flat();

const upTo = (n: number) => Array.from({ length: n }, (_, i) => i);

test.each<[string, readonly number[], [string, number][]]>([
  [
    "few values",
    repeated([1, 2, 4], 6),
    [
      ["1", 6],
      ["2", 6],
      ["4", 6],
    ],
  ],
  [
    "few values, one of them rare",
    [...repeated([1, 5], 6), 4, 3],
    [
      ["1", 6],
      ["3–5", 8],
    ],
  ],
  [
    "many values",
    upTo(40),
    [
      ["0–9", 10],
      ["10–19", 10],
      ["20–29", 10],
      ["30–39", 10],
    ],
  ],
  [
    "mostly equal values",
    [...repeated([5], 60), 1, 2, 3, 4, 6, 7, 8, 9, 10],
    [
      ["1–5", 64],
      ["6–10", 5],
    ],
  ],
  [
    "a last range that is too small",
    [...repeated([1, 2], 6), 9],
    [
      ["1", 6],
      ["2–9", 7],
    ],
  ],
  ["fewer answers than two boxes need", [1, 2, 3, 4, 5, 6, 7], []],
])("featureBoxes() of %s", (_, values, groups) => {
  expect(groupsOf(pointsOf(values))).toEqual(groups);
});

test("featureBoxes() is empty without points, or if all values are equal", () => {
  expect(featureBoxes("By size", null, "size", y)).toEqual([]);
  expect(featureBoxes("By size", pointsOf([]), "size", y)).toEqual([]);
  expect(featureBoxes("By size", pointsOf(repeated([3], 20)), "size", y)).toEqual([]);
  expect(featureBoxes("By size", pointsOf(["a", "b"]), "size", y)).toEqual([]);
});

test("featureBoxes() says that it shows a subset of the answers", () => {
  const [block] = featureBoxes("By size", pointsOf(repeated([1, 2], 10), 500), "size", y);
  expect(block?.title).toBe("By size, 20 random answers of 500");
});
