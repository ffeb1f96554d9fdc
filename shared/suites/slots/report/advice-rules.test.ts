import { expect, test } from "vitest";
import type { Estimate } from "../../../contracts/metric.ts";
import { defaultOptions } from "../options.ts";
import { breakdownSchema } from "../sum/breakdown.ts";
import { slotsAdvice } from "./advice-rules.ts";
import type { Part, ReportFacts } from "./report-facts.ts";

const estimate = (value: number, reach = 0.02): Estimate => ({
  value,
  interval: [value - reach, value + reach],
  n: 100,
  coverage: 1,
});
const part = (name: string, figures: Record<string, number>, n = 100): Part => ({
  name,
  n,
  figures: Object.fromEntries(
    Object.entries(figures).map(([id, value]) => [
      id,
      { value, interval: [value - 0.05, value + 0.05] },
    ]),
  ),
});

type Given = Partial<{
  metrics: Record<string, Estimate>;
  tables: object;
  options: Partial<ReportFacts["options"]>;
}>;

const factsOf = ({ metrics = {}, tables = {}, options = {} }: Given): ReportFacts => ({
  metrics: {
    f1: estimate(0.8),
    precision: estimate(0.8),
    recall: estimate(0.8),
    exactMatchCoverage: estimate(0.75),
    ...metrics,
  },
  breakdown: breakdownSchema.parse({
    samples: 100,
    answers: 100,
    unscored: 0,
    units: { kind: "samples", count: 100 },
    counts: {},
    topics: [],
    users: [],
    sessions: [],
    crowded: [],
    ...tables,
  }),
  options: { ...defaultOptions, ...options },
  points: null,
  timeline: null,
});

const topics = (extraA: number, extraB: number, f1 = 0.8) => [
  part("hobbies", { f1, expectedSlots: 90, extraSlots: extraA }),
  part("zodiac", { f1: 0, expectedSlots: 0, extraSlots: extraB }),
];
const panel = (alpha: number, answers = 50) => ({
  panels: [
    {
      metric: "slot_accuracy",
      answers,
      ratings: 2 * answers,
      alpha: { value: alpha, interval: [alpha - 0.1, alpha + 0.1] },
    },
  ],
});

test.each<[string, Given, string | null, string?]>([
  ["a good run", {}, null],
  ["an empty run", { metrics: { f1: { value: null, interval: null, n: 0, coverage: 0 } } }, null],
  ["unreadable JSON", { tables: { counts: { "parse failed": 8 } } }, "mode", "format: lines"],
  [
    "unreadable lines",
    { tables: { counts: { "parse failed": 8 } }, options: { format: "lines" } },
    "mode",
    "format: json",
  ],
  ["one unreadable answer", { tables: { counts: { "parse failed": 1 } } }, null],
  ["answers cut off", { tables: { counts: { truncated: 9 } } }, "parameters", "above 2,048"],
  ["failed requests", { tables: { counts: { "status error": 9 } } }, "parameters", "concurrency"],
  [
    "low recall",
    { metrics: { recall: estimate(0.7), exactMatchCoverage: estimate(0.7) } },
    "prompt",
    "go through the fields",
  ],
  [
    "recall that may equal precision",
    { metrics: { recall: estimate(0.77), precision: estimate(0.8, 0.05) } },
    null,
  ],
  ["low precision", { metrics: { precision: estimate(0.7) } }, "prompt", "guess nothing"],
  ["wrong values", { metrics: { exactMatchCoverage: estimate(0.5) } }, "prompt", "required form"],
  ["a made-up topic", { tables: { topics: topics(2, 30) } }, "prompt", "only the listed topics"],
  ["many extra slots", { tables: { topics: topics(30, 2) } }, "prompt", "does not belong"],
  ["a few extra slots", { tables: { topics: topics(0, 9) } }, null],
  ["extra slots spread evenly over topics", { tables: { topics: topics(16, 16) } }, null],
  [
    "extra slots of a precise model",
    {
      metrics: {
        precision: estimate(0.97),
        recall: estimate(0.97),
        exactMatchCoverage: estimate(0.95),
        f1: estimate(0.97),
      },
      tables: { topics: topics(0, 30, 0.95) },
    },
    null,
  ],
  [
    "a hard topic",
    { tables: { topics: [part("mood", { f1: 0.6, expectedSlots: 9 })] } },
    "prompt",
    "fields of this topic",
  ],
  [
    "a hard topic with few sessions",
    { tables: { topics: [part("mood", { f1: 0.6, expectedSlots: 9 }, 19)] } },
    null,
  ],
  ["a hard user", { tables: { users: [part("mara", { f1: 0.6 })] } }, "data", "lowest scores"],
  [
    "a weak model",
    {
      metrics: {
        f1: estimate(0.4),
        precision: estimate(0.4),
        recall: estimate(0.4),
        exactMatchCoverage: estimate(0.4),
      },
    },
    "model",
    "stronger model",
  ],
  ["a panel that disagrees", { tables: panel(0.3) }, "judges", "differ most"],
  ["a panel that may agree", { tables: panel(0.6) }, null],
  ["a panel that judged few slots", { tables: panel(0.3, 19) }, null],
  [
    "unjudged slots",
    {
      metrics: { unjudgedRate: { ...estimate(0.2), interval: null } },
      tables: { unjudged: [{ reason: "judge_failed", count: 20, share: 0.2 }] },
    },
    "judges",
    "fallback",
  ],
])("slotsAdvice() on %s", (_, given, change, action) => {
  const advice = slotsAdvice(factsOf(given));
  expect(advice.map((item) => item.change)).toEqual(change === null ? [] : [change]);
  if (action !== undefined) expect(advice[0]?.action).toContain(action);
  for (const { value, interval, n, finding } of advice) {
    expect(value).not.toBeNull();
    expect(interval![0]).toBeLessThanOrEqual(value!);
    expect(interval![1]).toBeGreaterThanOrEqual(value!);
    expect(n).toBeGreaterThanOrEqual(20);
    expect(finding).toMatch(/\.$/);
  }
});

test("slotsAdvice() states the figure, its value and its sample count", () => {
  const [item] = slotsAdvice(factsOf({ tables: { topics: topics(2, 30) } }));
  expect(item).toMatchObject({
    cell: "Extra slots in zodiac",
    value: 30,
    format: "count",
    n: 100,
    tone: "fair",
    finding: "30 of 32 extra slots are in the topic zodiac.",
  });
});
