import { expect, test } from "vitest";
import type { Estimate } from "../../../contracts/metric.ts";
import { defaultOptions } from "../options.ts";
import { failureClasses } from "../score/failures.ts";
import { breakdownSchema } from "../sum/breakdown.ts";
import { toolsAdvice } from "./advice-rules.ts";
import type { ReportFacts } from "./report-facts.ts";

const estimate = (value: number, reach = 0.02): Estimate => ({
  value,
  interval: [value - reach, value + reach],
  n: 100,
  coverage: 1,
});
const noFailures = Object.fromEntries(failureClasses.map((name) => [name, 0]));
const pings = {
  name: "ping",
  expected: 100,
  matched: 90,
  n: 90,
  interval: [0.85, 0.95],
  failures: noFailures,
};

type Given = Partial<{
  metrics: Record<string, Estimate>;
  tables: object;
  options: Partial<ReportFacts["options"]>;
  headline: string;
}>;

const factsOf = ({
  metrics = {},
  tables = {},
  options = {},
  headline = "total",
}: Given): ReportFacts => ({
  metrics: {
    total: estimate(0.8),
    avgF1: estimate(0.85),
    precision: estimate(0.85),
    recall: estimate(0.85),
    schemaValidity: estimate(0.98),
    avgTime: estimate(300, 20),
    ...metrics,
  },
  breakdown: breakdownSchema.parse({
    samples: 100,
    answers: 100,
    unscored: 0,
    units: { kind: "samples", count: 100 },
    counts: {},
    levels: [],
    failures: noFailures,
    functions: [pings],
    arguments: [],
    sources: [],
    tags: [],
    crowded: [],
    hybrid: null,
    ...tables,
  }),
  options: { ...defaultOptions, ...options },
  points: null,
  timeline: null,
  headline,
});

const pongs = {
  name: "pong",
  expected: 40,
  matched: 10,
  n: 30,
  interval: [0.1, 0.4],
  failures: { ...noFailures, wrongArgument: 25, missingCall: 5 },
};
const routed = (best: number | null, total: number) => ({
  hybrid: {
    threshold: 0.5,
    n: 100,
    curve: [],
    intervals: [],
    best: { threshold: best, total, onDevice: 0.5, avgF1: 0.9, avgTime: 100 },
  },
});
const tag = (name: string, value: number, n = 40) => ({
  tag: "domain",
  name,
  n,
  figures: { avgF1: { value, interval: [value - 0.1, value + 0.1] } },
});

test.each<[string, Given, string | null, string?]>([
  ["a good run", {}, null],
  [
    "an empty run",
    {
      metrics: { avgF1: { value: null, interval: null, n: 0, coverage: 0 } },
      tables: { functions: [] },
    },
    null,
  ],
  [
    "malformed arguments",
    { tables: { failures: { ...noFailures, malformedArguments: 12 } } },
    "mode",
    "toolMode: prompt",
  ],
  [
    "malformed arguments in prompt mode",
    {
      tables: { failures: { ...noFailures, malformedArguments: 12 } },
      options: { toolMode: "prompt" },
    },
    "mode",
    "toolMode: native",
  ],
  ["one malformed call", { tables: { failures: { ...noFailures, malformedArguments: 1 } } }, null],
  ["unreadable calls", { tables: { counts: { "from unreadable": 9 } } }, "mode", "toolPrompt"],
  ["missing calls", { metrics: { recall: estimate(0.7) } }, "prompt", "at once"],
  [
    "extra calls",
    { metrics: { precision: estimate(0.7) } },
    "prompt",
    "only calls that the request asks for",
  ],
  [
    "calls although no call is right",
    { metrics: { irrelevanceAccuracy: estimate(0.6) } },
    "prompt",
    "no tool may fit",
  ],
  [
    "arguments that violate the schema",
    { metrics: { schemaValidity: estimate(0.8) } },
    "mode",
    "strict",
  ],
  [
    "a function with many wrong calls",
    {
      tables: {
        functions: [pongs, pings],
        arguments: [{ name: "pong(n)", failures: { ...noFailures, wrongArgument: 25 } }],
      },
    },
    "data",
    "description of this function",
  ],
  ["a function with few samples", { tables: { functions: [{ ...pongs, n: 19 }, pings] } }, null],
  [
    "a hard tag",
    { tables: { tags: [tag("play", 0.5), tag("work", 0.9)] } },
    "prompt",
    "worst of these samples",
  ],
  ["a hard tag with few answers", { tables: { tags: [tag("play", 0.5, 19)] } }, null],
  ["slow answers", { metrics: { avgTime: estimate(700, 50) } }, "model", "smaller model"],
  [
    "slow answers in a run that ranks by call F1",
    { headline: "avgF1", metrics: { avgTime: estimate(700, 50) } },
    null,
  ],
  ["answers that may be slow", { metrics: { avgTime: estimate(520, 50) } }, null],
  [
    "a better threshold",
    { tables: routed(0.8, 0.85) },
    "parameters",
    "confidenceThreshold to 0.800",
  ],
  ["a better cloud", { tables: routed(null, 0.85) }, "parameters", "Ask only the cloud"],
  ["the best threshold", { tables: routed(0.5, 0.85) }, null],
  ["a threshold that is hardly better", { tables: routed(0.8, 0.805) }, null],
  [
    "a weak model",
    { metrics: { avgF1: estimate(0.3), precision: estimate(0.3), recall: estimate(0.3) } },
    "model",
    "trained to call",
  ],
  ["failed requests", { tables: { counts: { "status error": 9 } } }, "parameters", "concurrency"],
  ["calls that are cut off", { tables: { counts: { truncated: 9 } } }, "parameters", "above 1,024"],
])("toolsAdvice() on %s", (_, given, change, action) => {
  const advice = toolsAdvice(factsOf(given));
  expect(advice.map((item) => item.change)).toEqual(change === null ? [] : [change]);
  if (action !== undefined) expect(advice[0]?.action).toContain(action);
  for (const { value, n, finding } of advice) {
    expect(value).not.toBeNull();
    expect(n).toBeGreaterThanOrEqual(20);
    expect(finding).toMatch(/\.$/);
  }
});

test("toolsAdvice() mentions a loss of call F1 at a better threshold", () => {
  const { hybrid } = routed(0.8, 0.85);
  const own = { threshold: 0.5, total: 0.8, onDevice: 0.2, avgF1: 0.95, avgTime: 100 };
  const given = { tables: { hybrid: { ...hybrid, curve: [own, hybrid.best] } } };
  expect(toolsAdvice(factsOf(given))[0]?.finding).toMatch(
    / Call F1 would have been 0\.900, against 0\.950\.$/,
  );
});

test("toolsAdvice() names a function's most frequent failure and argument", () => {
  const argument = { name: "pong(n)", failures: { ...noFailures, wrongArgument: 25 } };
  const [item] = toolsAdvice(
    factsOf({ tables: { functions: [pongs, pings], arguments: [argument] } }),
  );
  expect(item).toMatchObject({
    cell: "Matched calls of pong",
    value: 0.25,
    interval: [0.1, 0.4],
    n: 30,
  });
  expect(item?.finding).toContain(
    "25.0% of the expected calls of pong are matched, against 71.4% of all",
  );
  expect(item?.finding).toContain("Most frequent: wrong argument, pong(n).");
});
