import { describe, expect, it } from "vitest";
import { type Answer, emptyAnswer } from "../../../contracts/answer.ts";
import type { RunFacts } from "../../../contracts/suite.ts";
import { hybridAnswer } from "../../../measures/hybrid.ts";
import { pingSample } from "../__fixtures__/ping.ts";
import { defaultOptions, type ToolsOptions } from "../options.ts";
import { toolsReport } from "../report/report.ts";
import type { ToolsSample } from "../sample.ts";
import { tools } from "../suite.ts";
import type { ToolsBreakdown } from "./breakdown.ts";

const run: RunFacts<ToolsOptions> = {
  runId: "run-1",
  options: defaultOptions,
  prices: null,
  wallMs: 1000,
};

function summaryOf(
  scored: readonly (readonly [ToolsSample, Partial<Answer>])[],
  more: Partial<RunFacts<ToolsOptions>> = {},
) {
  const facts = { ...run, ...more };
  const state = scored.reduce((sum, [sample, answer], seq) => {
    const whole = { ...emptyAnswer, ...answer };
    const { id, tags } = tools.sampleHead(sample);
    const score = tools.score(sample, whole, facts.options);
    return tools.aggregate.add(sum, { seq, id, tags, score, call: whole });
  }, tools.aggregate.empty(facts.options));
  const summary = tools.aggregate.finish(state, facts);
  return { ...summary, breakdown: summary.breakdown as unknown as ToolsBreakdown };
}

const call = (n: unknown) => ({ toolCalls: [{ name: "ping", arguments: { n } }] });
const sections = (summary: ReturnType<typeof summaryOf>) =>
  JSON.stringify(toolsReport(summary, { options: defaultOptions, points: null, timeline: null }));

describe("tools.aggregate", () => {
  it("weights the levels in the dataset, and reports the missing ones", () => {
    const summary = summaryOf([
      [pingSample("a", "easy", [1]), { ...call(1), latencyMs: 100, source: "on-device" }],
      [pingSample("b", "easy", [1]), { ...call(2), latencyMs: 300, source: "cloud" }],
      [pingSample("c", "hard", [1]), { ...call(1), latencyMs: 900, source: "lab" }],
    ]);
    const easy = 0.6 * 0.5 + 0.15 * 0.6 + 0.25 * 0.5;
    expect(summary.metrics["easyScore"]).toMatchObject({ value: expect.closeTo(easy), n: 2 });
    expect(summary.metrics["mediumScore"]?.value).toBeNull();
    expect(summary.metrics["hardScore"]?.value).toBeCloseTo(0.6);
    expect(summary.metrics["total"]?.value).toBeCloseTo((0.2 * easy + 0.5 * 0.6) / 0.7);
    expect(summary.breakdown.levels).toEqual([
      { level: "easy", n: 2, weight: 0.2 / 0.7 },
      { level: "hard", n: 1, weight: 0.5 / 0.7 },
    ]);
    expect(sections(summary)).toContain("no medium samples");
    expect(summary.breakdown.sources).toEqual(
      expect.arrayContaining([
        { name: "on-device", n: 1 },
        { name: "lab", n: 1 },
      ]),
    );
  });

  it("resamples each level separately: a level with one sample has no interval", () => {
    const summary = summaryOf([
      [pingSample("a", "hard", [1]), call(1)],
      ...Array.from({ length: 20 }, (_, i) => {
        return [pingSample(`e${i}`, "easy", [1]), call(i % 2)] as const;
      }),
    ]);
    expect(summary.metrics["hardF1"]).toMatchObject({ value: 1, interval: null });
    const [low, high] = summary.metrics["easyF1"]?.interval ?? [0, 0];
    expect(high - low).toBeGreaterThan(0.2);
  });

  it("reports an unknown time as null", () => {
    const summary = summaryOf([[pingSample("a", "easy", [1]), call(1)]]);
    expect(summary.metrics["easyTime"]?.value).toBeNull();
    expect(summary.metrics["easyTimeScore"]?.value).toBe(0);
    expect(sections(summary)).toContain("their time score is 0");
  });

  it("counts failures by class, function and argument", () => {
    const extra = { name: "pong", arguments: { n: 1 } };
    const { breakdown } = summaryOf([
      [pingSample("a", "easy", [1]), call(2)],
      [pingSample("b", "easy", [1]), { toolCalls: [{ name: "ping", arguments: {} }] }],
      [pingSample("c", "easy", [1, 2]), { toolCalls: [...call(1).toolCalls, extra] }],
      [pingSample("d", "easy", []), { toolCalls: [extra] }],
    ]);
    expect(breakdown.failures).toMatchObject({
      wrongArgument: 1,
      missingArgument: 1,
      wrongFunction: 1,
      extraCall: 1,
    });
    expect(
      breakdown.functions.map(({ name, expected, matched }) => [name, expected, matched]),
    ).toEqual([
      ["ping", 4, 1],
      ["pong", 0, 0],
    ]);
    expect(breakdown.arguments).toMatchObject([
      { name: "ping(n)", failures: { wrongArgument: 1, missingArgument: 1 } },
    ]);
  });

  it("computes irrelevance accuracy and schema validity", () => {
    const { metrics } = summaryOf([
      [pingSample("a", "easy", []), { output: "No." }],
      [pingSample("b", "easy", []), call("x")],
      [pingSample("c", "easy", [1]), call(1)],
    ]);
    expect(metrics["irrelevanceAccuracy"]?.value).toBe(0.5);
    expect(metrics["schemaValidity"]).toMatchObject({ value: 0.5, n: 2 });
    expect(metrics["irrelevanceAccuracy"]?.n).toBe(2);
    expect(metrics["allRight"]?.value).toBeCloseTo(2 / 3);
  });

  it("computes the F1 of making any call", () => {
    const { metrics } = summaryOf([
      [pingSample("a", "easy", [1]), call(2)],
      [pingSample("b", "easy", [1]), call(1)],
      [pingSample("c", "easy", [1]), { output: "No." }],
      [pingSample("d", "easy", []), call(1)],
      [pingSample("e", "easy", []), { output: "No." }],
    ]);
    // Two samples with an expected call are called, one is not; one call is extra: 2 · 2 / (3 + 3).
    expect(metrics["triggerF1"]).toMatchObject({ value: expect.closeTo(2 / 3), n: 5 });
    const silent = summaryOf([[pingSample("a", "easy", []), { output: "No." }]]);
    expect(silent.metrics["triggerF1"]?.value).toBeNull();
  });

  it("states that higher thresholds are unknown if the cloud was not always asked", () => {
    const hybrid = { confidenceThreshold: 0.5 };
    const local = { ...emptyAnswer, ...call(1), confidence: 0.9 };
    const answer = hybridAnswer(local, null, hybrid);
    const summary = summaryOf([[pingSample("a", "easy", [1]), answer]], { hybrid });
    expect(summary.breakdown.hybrid).toMatchObject({
      n: 0,
      best: { threshold: 0 },
      curve: [{ threshold: 0, onDevice: 1 }, { threshold: 0.5 }],
    });
    expect(sections(summary)).toContain("hybridSweep");
  });
});
