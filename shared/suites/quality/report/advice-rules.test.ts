import { expect, test } from "vitest";
import type { Estimate } from "../../../contracts/metric.ts";
import { breakdownSchema } from "../breakdown.ts";
import { defaultOptions } from "../options.ts";
import { qualityAdvice } from "./advice-rules.ts";
import type { ReportFacts } from "./report-facts.ts";

const estimate = (value: number, reach = 0.02): Estimate => ({
  ...{ value, interval: [value - reach, value + reach], n: 100, coverage: 1 },
});

type Given = Partial<{ metrics: Record<string, Estimate>; tables: object; ratios: number[] }>;

const factsOf = ({ metrics = {}, tables = {}, ratios }: Given): ReportFacts => ({
  metrics: { overall: estimate(0.7), length: estimate(0.7), ...metrics },
  breakdown: breakdownSchema.parse({
    ...{ samples: 100, answers: 100, unscored: 0, units: { kind: "samples", count: 100 } },
    ...{ counts: {}, spreads: [], tags: [], human: null, ...tables },
  }),
  options: defaultOptions,
  points:
    ratios === undefined
      ? null
      : {
          ...{ answers: ratios.length, latency: [], picks: [] },
          points: ratios.map((lengthRatio, i) => ({
            ...{ id: `${i}`, score: 0.5, latencyMs: null, inputTokens: null, outputTokens: null },
            features: { lengthRatio },
          })),
        },
  timeline: null,
});

const part = (name: string, value: number, n: number) => ({
  ...{ tag: "domain", name, n },
  figures: { overall: { value, interval: [value - 0.1, value + 0.1] } },
});
const tag = (value: number, n = 40) => ({
  tags: [part("law", value, n), part("sport", 0.9, 40)],
});
const people = (value: number, n = 50) => {
  const correlation = { value, interval: [value - 0.1, value + 0.1], p: 0.5 };
  const overall = {
    metric: "overall",
    n,
    spearman: correlation,
    pearson: correlation,
    raters: null,
  };
  return { human: { answers: n, isTooLarge: false, metrics: [overall] } };
};
const short = { metrics: { length: estimate(0.3) } };

test.each<[string, Given, string[], string?]>([
  ["a good run", {}, []],
  [
    "a run of nothing",
    { metrics: { overall: { value: null, interval: null, n: 0, coverage: 0 } } },
    [],
  ],
  ["lengths far off", short, ["prompt"], "Say in the prompt how long"],
  ["responses too long", { ...short, ratios: [2, 3, 4] }, ["prompt"], "shorter responses"],
  ["responses too short", { ...short, ratios: [0.2, 0.3, 4] }, ["prompt"], "longer responses"],
  [
    "no response with a word",
    { ...short, ratios: [0, 0] },
    ["prompt"],
    "Say in the prompt how long",
  ],
  ["a length that may be fair", { metrics: { length: estimate(0.45, 0.1) } }, []],
  ["no conclusion", { metrics: { conclusion: estimate(0.1) } }, ["prompt"], "sums up"],
  [
    "the weakest components alone",
    { metrics: { conclusion: estimate(0.3), connector: estimate(0.1), task: estimate(0.2) } },
    ["prompt", "prompt"],
    "follow from each other",
  ],
  [
    "repeated words",
    { metrics: { repetition: estimate(0.3) } },
    ["parameters"],
    "frequency_penalty",
  ],
  [
    "few rare words, as any text has",
    { metrics: { sophistication: estimate(0.1), diversity: estimate(0.3) } },
    [],
  ],
  ["a weak tag", { tables: tag(0.4) }, ["prompt"], "prompts of this kind"],
  ["a weak tag of few answers", { tables: tag(0.4, 19) }, []],
  [
    "empty responses",
    { tables: { counts: { "status empty": 4, "status refused": 6 } } },
    ["model"],
    "what was refused",
  ],
  ["other scripts", { tables: { counts: { "language unsupported": 30 } } }, ["data"], "English"],
  ["a score that people do not share", { tables: people(0) }, ["data"], "Rest no choice"],
  ["a score that people may share", { tables: people(0.25) }, []],
  ["a poor run", { metrics: { overall: estimate(0.3) } }, ["model"], "stronger model"],
  [
    "cut off responses",
    { tables: { counts: { truncated: 9 } } },
    ["parameters"],
    "maxTokens above 2,048",
  ],
  ["failed requests", { tables: { counts: { "status error": 9 } } }, ["parameters"], "concurrency"],
])("qualityAdvice() of %s", (_, given, changes, action) => {
  const advice = qualityAdvice(factsOf(given));
  expect(advice.map(({ change }) => change)).toEqual(changes);
  if (action !== undefined) expect(advice[0]?.action).toContain(action);
  for (const { value, interval, n, finding } of advice) {
    expect(interval![0]).toBeLessThanOrEqual(value!);
    expect(interval![1]).toBeGreaterThanOrEqual(value!);
    expect(n).toBeGreaterThanOrEqual(20);
    expect(finding).toMatch(/\.$/);
  }
});

test("qualityAdvice() says on which side of the ideal length responses lie", () => {
  const [item] = qualityAdvice(factsOf({ ...short, ratios: [2, 3, 4] }));
  expect(item).toMatchObject({ cell: "Length", value: 0.3, n: 100 });
  expect(item?.finding).toBe(
    "Length is 0.300: responses are too long, half of them at 3.00 times the ideal length or more.",
  );
});
