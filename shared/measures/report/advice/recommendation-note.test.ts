import { expect, test } from "vitest";
import { type MeasuredReading, serviceReadings } from "../figures/reading.ts";
import { tierOf } from "../figures/tier.ts";
import type { Advice } from "./advice.ts";
import { recommendationNote } from "./recommendation-note.ts";

const limits = { better: "higher", minimum: 0.5, target: 0.75, excellence: 0.9 } as const;

function measure(
  label: string,
  value: number,
  more: Partial<MeasuredReading> = {},
): MeasuredReading {
  return {
    metric: label,
    label,
    format: "score",
    better: "higher",
    letter: null,
    value,
    interval: [value - 0.05, value + 0.05],
    n: 40,
    decides: true,
    limits,
    scale: limits,
    tier: tierOf(limits, value),
    ...more,
  };
}

const grave: Advice = {
  tone: "poor",
  finding: "4 of 40 answers were cut off.",
  cell: "Cut off answers",
  value: 0.1,
  format: "percent",
  interval: [0.04, 0.2],
  n: 40,
  change: "parameters",
  action: "Raise maxTokens.",
};
const parts = { label: "F1", format: "score", value: 0.8, cells: [] } as const;
const basis = { n: 40, isScored: true, advice: [], parts };

test.each([
  [0.95, "excellent", /^By this project's reading aid: fit for use with spot checks\./],
  [0.8, "good", /checks\. F1 is “Good”\./],
  [0.6, "fair", /: use it only where every answer is reviewed\./],
  [0.4, "poor", /: not recommended as it is\. Below the minimum: F1 \(0\.500 or more required\)/],
] as const)("recommendationNote() by a deciding measure of %d is %s", (value, tone, text) => {
  const note = recommendationNote({ ...basis, measured: [measure("F1", value)] });
  expect(note).toMatchObject({ tone, text: expect.stringMatching(text) });
});

test.each([
  [0.6, "The lowest grade of F1 and Recall is “Minimum”: Recall."],
  [0.95, "F1 and Recall are “Excellent”."],
])("recommendationNote() uses the lowest of several, the second at %d", (value, text) => {
  const measured = [measure("F1", 0.95), measure("Recall", value)];
  expect(recommendationNote({ ...basis, measured }).text).toContain(text);
});

test("recommendationNote() requires review after a serious finding, and names the change to make", () => {
  const { tone, text } = recommendationNote({
    ...basis,
    measured: [measure("F1", 0.95)],
    advice: [grave, grave],
  });
  expect(tone).toBe("fair");
  expect(text).toContain("use it only where every answer is reviewed");
  expect(text).toContain(
    `allows no more than use under review: ${grave.finding} So does 1 more below.`,
  );
  expect(text).toMatch(/First change the parameters: Raise maxTokens\.$/);
});

test("recommendationNote() names the weakest part with its interval and n", () => {
  const cells = [
    { label: "domain law", value: 0.6, interval: [0.5, 0.7] as const, n: 25 },
    { label: "domain small", value: 0.1, interval: [0, 0.2] as const, n: 19 },
  ];
  const note = recommendationNote({
    ...basis,
    measured: [measure("F1", 0.8)],
    parts: { ...parts, cells },
  });
  expect(note.text).toContain(
    "Weakest part: domain law, F1 0.600 against 0.800 for the whole run (95% interval 0.500–0.700, n = 25).",
  );
});

test("recommendationNote() excludes times from the verdict, and reports them", () => {
  const own = { better: "lower", ...serviceReadings[0]!.limits! } as const;
  const late = {
    better: "lower",
    format: "ms",
    limits: own,
    tier: "fails",
    interval: null,
  } as const;
  const { decides: _, ...slow } = measure("Latency p95", 6100, late);
  const note = recommendationNote({ ...basis, measured: [measure("F1", 0.95), slow] });
  expect(note.tone).toBe("fair");
  expect(note.text).toContain("fit for use with spot checks");
  expect(note.text).toContain("Latency p95 (5,000\u202fms or less required)");
});

test.each([
  [
    "19 samples",
    { n: 19 },
    [measure("F1", 0.95)],
    /^The run has only 19 samples: a recommendation needs/,
  ],
  ["no score", { isScored: false }, [measure("F1", 0.95)], /^No answer was scored/],
  [
    "measures of few samples",
    {},
    [measure("F1", 0.95, { n: 10 })],
    /^No recommendation: none .* 20 samples/,
  ],
] as const)("recommendationNote() recommends nothing on %s", (_, more, measured, text) => {
  const note = recommendationNote({ ...basis, ...more, measured });
  expect(note).toMatchObject({ tone: "neutral", text: expect.stringMatching(text) });
});
