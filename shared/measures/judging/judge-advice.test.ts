import { expect, test } from "vitest";
import type { JudgeRow, PanelRow } from "./breakdown.ts";
import { judgeAdvice } from "./judge-advice.ts";

type Range = [number, number];
const around = (value: number): { value: number; interval: Range } => ({
  value,
  interval: [value - 0.1, value + 0.1],
});
const judge = (more: Partial<JudgeRow> = {}): JudgeRow => ({
  metric: "care",
  judge: "j",
  asked: 100,
  judged: 100,
  cached: 0,
  fallback: 0,
  selfPreference: false,
  simulated: false,
  mean: 4,
  calibration: null,
  ...more,
});
const panel = (metric: string, value: number, answers = 50): PanelRow => ({
  metric,
  answers,
  ratings: 2 * answers,
  alpha: around(value),
});
const people = (value: number, n = 50) => ({
  calibration: { n, kappa: around(value), meanAbsoluteError: around(1) },
});
const adviceOf = (judges: JudgeRow[], panels: PanelRow[] = []) =>
  judgeAdvice({ judges, panels, labelOf: (metric) => metric.toUpperCase() });

test.each<[string, JudgeRow[], PanelRow[], string[]]>([
  ["no judges", [], [], []],
  ["a reliable judge", [judge()], [panel("care", 0.8)], []],
  ["simulated judges", [judge({ simulated: true }), judge()], [], ["Simulated judgments"]],
  [
    "a judge by the model's maker",
    [judge({ selfPreference: true }), judge()],
    [],
    ["Judgments by the model's own maker"],
  ],
  ["few by the model's maker", [judge({ selfPreference: true, judged: 5 }), judge()], [], []],
  ["a panel that disagrees", [], [panel("care", 0.5)], ["Agreement on care"]],
  ["a panel that may agree", [], [panel("care", 0.6)], []],
  ["a panel with few answers", [], [panel("care", 0.5, 19)], []],
  ["people who disagree", [judge(people(0.2))], [], ["j and people on care"]],
  ["people who may agree", [judge(people(0.35))], [], []],
  ["few human ratings", [judge(people(0.2, 19))], [], []],
])("judgeAdvice() on %s", (_, judges, panels, cells) => {
  expect(adviceOf(judges, panels).map(({ cell }) => cell)).toEqual(cells);
});

test("judgeAdvice() names the worst of several findings, and their number", () => {
  const [agreement] = adviceOf([], [panel("care", 0.5), panel("truth", 0.1), panel("wit", 0.9)]);
  expect(agreement).toMatchObject({ cell: "Agreement on truth", ...around(0.1), n: 50 });
  expect(agreement?.finding).toBe(
    "The judges of the panel do not agree on 2 metrics, least on truth: Krippendorff's alpha is 0.100.",
  );
  const [calibration] = adviceOf([judge(people(0.2)), judge({ ...people(0.1), metric: "truth" })]);
  expect(calibration?.finding).toBe(
    "j does not agree with human ratings of truth: weighted kappa is 0.100. It is the lowest of 2 that are too low.",
  );
});
