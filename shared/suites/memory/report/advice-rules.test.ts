import { expect, test } from "vitest";
import type { Estimate } from "../../../contracts/metric.ts";
import type { JudgeRow } from "../../../measures/judging/breakdown.ts";
import { defaultOptions } from "../options.ts";
import { breakdownSchema } from "../sum/breakdown.ts";
import { memoryAdvice } from "./advice-rules.ts";
import type { ReportFacts } from "./report-facts.ts";

const estimate = (value: number, reach = 0.02): Estimate => ({
  value,
  interval: [value - reach, value + reach],
  n: 100,
  coverage: 1,
});

type Given = Partial<{ metrics: Record<string, Estimate>; tables: object }>;

const factsOf = ({ metrics = {}, tables = {} }: Given): ReportFacts => ({
  metrics: { mcs: estimate(0.8), safety: estimate(0.95), memory_recall: estimate(0.9), ...metrics },
  breakdown: breakdownSchema.parse({
    samples: 100,
    answers: 100,
    unscored: 0,
    units: { kind: "samples", count: 100 },
    counts: {},
    scores: [],
    unjudged: [],
    judges: [],
    panels: [],
    totals: [],
    labels: [],
    keys: { tp: 80, fp: 30, fn: 20 },
    tags: [],
    crowded: [],
    claims: { claims: 0, sources: { memory: 0, query: 0, general_knowledge: 0, hallucinated: 0 } },
    ...tables,
  }),
  options: defaultOptions,
  points: null,
  timeline: null,
});

const aJudge = (more: Partial<JudgeRow> = {}): JudgeRow => ({
  metric: "empathy",
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
const kappa = (value: number, n = 50) => ({
  n,
  kappa: { value, interval: [value - 0.1, value + 0.1] as [number, number] },
  meanAbsoluteError: { value: 1, interval: null },
});
const panel = (alpha: number, answers = 50) => ({
  metric: "empathy",
  answers,
  ratings: 2 * answers,
  alpha: { value: alpha, interval: [alpha - 0.1, alpha + 0.1] },
});
const tag = (value: number, n = 40, name = "sleep") => ({
  tag: "topic",
  name,
  n,
  figures: { mcs: { value, interval: [value - 0.1, value + 0.1] } },
});
const others = tag(0.9, 40, "sport");
const missing = (count: number, reason = "judge_failed") => ({
  metric: "safety",
  reason,
  count,
  share: count / 100,
});

test.each<[string, Given, string[], string?]>([
  ["a good run", {}, []],
  ["an empty run", { metrics: { mcs: { value: null, interval: null, n: 0, coverage: 0 } } }, []],
  [
    "forbidden memories",
    { metrics: { forbidden_keys_used: estimate(0.3) } },
    ["prompt"],
    "only if the question",
  ],
  [
    "forbidden memories whose rate may be acceptable",
    { metrics: { forbidden_keys_used: estimate(0.06) } },
    [],
  ],
  [
    "some hallucinated claims",
    { metrics: { hallucination_rate: estimate(0.1) } },
    ["prompt"],
    "only what profile",
  ],
  [
    "many hallucinated claims",
    { metrics: { hallucination_rate: estimate(0.4) } },
    ["model"],
    "higher groundedness",
  ],
  ["unsafe answers", { metrics: { safety: estimate(0.7) } }, ["prompt"], "flagged passages"],
  [
    "missed memories",
    { metrics: { memory_recall: estimate(0.5) } },
    ["prompt"],
    "read the profile",
  ],
  [
    "a low level",
    { metrics: { empathy: estimate(2), helpfulness: estimate(2.5) } },
    ["prompt"],
    "understands what",
  ],
  ["a level in the middle", { metrics: { empathy: estimate(3.1) } }, []],
  [
    "a low share",
    { metrics: { politeness: estimate(0.3), relevance: estimate(0.2), empathy: estimate(4) } },
    ["prompt"],
    "suggestions rather",
  ],
  ["a weak tag", { tables: { tags: [tag(0.5), others] } }, ["prompt"], "worst of these answers"],
  ["a weak tag with few answers", { tables: { tags: [tag(0.5, 19), others] } }, []],
  ["a tag with a single value", { tables: { tags: [tag(0.5)] } }, []],
  ["unjudged answers", { tables: { unjudged: [missing(20)] } }, ["judges"], "fallbackJudge"],
  ["few failures of a judge", { tables: { unjudged: [missing(2)] } }, []],
  ["failed requests without judgments", { tables: { unjudged: [missing(50, "no_answer")] } }, []],
  ["a panel that disagrees", { tables: { panels: [panel(0.3)] } }, ["judges"], "differ most"],
  ["a panel that may agree", { tables: { panels: [panel(0.6)] } }, []],
  [
    "a simulated judge",
    { tables: { judges: [aJudge({ simulated: true })] } },
    ["judges"],
    "language models",
  ],
  [
    "a judge that disagrees with people",
    { tables: { judges: [aJudge({ calibration: kappa(0.1) })] } },
    ["judges"],
    "judgeOverrides",
  ],
  [
    "a judge that may agree with people",
    { tables: { judges: [aJudge({ calibration: kappa(0.35) })] } },
    [],
  ],
  [
    "a judge with few rated answers",
    { tables: { judges: [aJudge({ calibration: kappa(0.1, 19) })] } },
    [],
  ],
  [
    "a judge from the model's maker",
    { tables: { judges: [aJudge({ selfPreference: true }), aJudge()] } },
    ["judges"],
    "another maker",
  ],
  ["empty answers", { tables: { counts: { "status empty": 9 } } }, ["model"], "more tokens"],
  ["a poor run", { metrics: { mcs: estimate(0.3) } }, ["model"], "stronger model"],
  ["failed requests", { tables: { counts: { "status error": 9 } } }, ["parameters"], "concurrency"],
  ["answers cut off", { tables: { counts: { truncated: 9 } } }, ["parameters"], "above 1,024"],
])("memoryAdvice() on %s", (_, given, changes, action) => {
  const advice = memoryAdvice(factsOf(given));
  expect(advice.map(({ change }) => change)).toEqual(changes);
  if (action !== undefined) expect(advice[0]?.action).toContain(action);
  for (const { value, interval, n, finding } of advice) {
    expect(interval![0]).toBeLessThanOrEqual(value!);
    expect(interval![1]).toBeGreaterThanOrEqual(value!);
    expect(n).toBeGreaterThanOrEqual(20);
    expect(finding).toMatch(/\.$/);
  }
});

test("memoryAdvice() names the metric with the most unjudged values, and the main reason", () => {
  const rows = [missing(12), missing(8, "invalid_judgment"), { ...missing(15), metric: "empathy" }];
  const [item] = memoryAdvice(factsOf({ tables: { unjudged: rows } }));
  expect(item).toMatchObject({ cell: "Unjudged, safety", value: 0.2, n: 100, format: "percent" });
  expect(item?.finding).toBe(
    "20 of 100 answers (20.0%) have no judgment of safety. Most frequent: calls to the judge failed.",
  );
});
