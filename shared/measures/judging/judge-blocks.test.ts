import { expect, test } from "vitest";
import type { Judge } from "../../contracts/judging/judge.ts";
import type { JudgeRow, PanelRow } from "./breakdown.ts";
import { judgeBlocks } from "./judge-blocks.ts";

const judges: Pick<Judge, "id" | "label" | "scale">[] = [
  { id: "care", label: "Care", scale: "level" },
  { id: "truth", label: "Truth", scale: "ratio" },
];
const row = (metric: string, judge: string | null, mean: number | null): JudgeRow => ({
  metric,
  judge,
  mean,
  asked: 10,
  judged: 10,
  cached: 0,
  fallback: 0,
  selfPreference: false,
  simulated: false,
  calibration: null,
});
const panel = (metric: string, value: number): PanelRow => ({
  metric,
  answers: 10,
  ratings: 20,
  alpha: { value, interval: [value - 0.1, value + 0.1] },
});
const blockOf = (tables: { judges: JudgeRow[]; panels: PanelRow[] }, kind: string) =>
  judgeBlocks(tables, judges, "Answers").find((block) => block.kind === kind);

test("judgeBlocks() shows judges next to each other on a common scale", () => {
  const rows = [
    row("care", "a", 3),
    row("care", null, 5),
    row("truth", "a", 0.25),
    row("truth", "b", 1),
    row("wit", "c", 1),
    { ...row("wit", "a", null), judged: 0 },
  ];
  expect(blockOf({ judges: rows, panels: [] }, "matrix")).toMatchObject({
    rows: { names: ["Care", "Truth"] },
    columns: { names: ["a", "not reported", "b"] },
    cells: [
      [0.5, 1, null],
      [0.25, null, 1],
    ],
  });
});

test.each([
  ["one judge", [row("care", "a", 3), row("truth", "a", 1)]],
  ["one metric", [row("care", "a", 3), row("care", "b", 1)]],
  ["a judge for each metric", [row("care", "a", 3), row("truth", "b", 1)]],
  ["no judges", []],
])("judgeBlocks() has no matrix for %s", (_, rows) => {
  expect(blockOf({ judges: rows, panels: [] }, "matrix")).toBeUndefined();
});

test("judgeBlocks() draws the agreement of panels, coloured by reliability", () => {
  const panels = [panel("care", 0.9), panel("truth", 0.7), panel("other", 0.3)];
  expect(blockOf({ judges: [], panels }, "bars")).toMatchObject({
    bars: [
      { label: "Care", value: 0.9, tone: "good", n: 10 },
      { label: "Truth", value: 0.7, tone: "fair" },
      { label: "other", value: 0.3, tone: "poor" },
    ],
  });
  expect(blockOf({ judges: [], panels: [panel("care", 0.9)] }, "bars")).toBeUndefined();
});
