import { describe, expect, it } from "vitest";
import { givenJudgments } from "../../contracts/judging/given-judgments.ts";
import type { RunFacts, ScoredSample } from "../../contracts/suite.ts";
import { anAnswer, aRow, failed, perfect, recorded, scored } from "./__fixtures__/build.ts";
import { defaultOptions, type MemoryOptions } from "./options.ts";
import { memory } from "./suite.ts";
import { breakdownSchema, type MemoryBreakdown } from "./sum/breakdown.ts";

const run: RunFacts<MemoryOptions> = {
  runId: "run-1",
  options: defaultOptions,
  prices: null,
  wallMs: 1000,
};
const elsewhere = { points: null, timeline: null };
const { aggregate } = memory;
type Scored = ReturnType<typeof scored>;

const stateOf = (pieces: readonly Scored[]) =>
  pieces.reduce((state, one) => aggregate.add(state, one), aggregate.empty(defaultOptions));

function summaryOf(pieces: readonly Scored[], more: Partial<RunFacts<MemoryOptions>> = {}) {
  const summary = aggregate.finish(stateOf(pieces), { ...run, ...more });
  return { ...summary, breakdown: summary.breakdown as unknown as MemoryBreakdown };
}

const withoutSafety = Object.fromEntries(
  Object.entries(recorded).filter(([name]) => name !== "safety"),
);
const panel = [4, 5, 3].map((empathy_score, i) => ({
  judge: `judge-${i}`,
  latencyMs: 100,
  requests: 1,
  inputTokens: 50,
  outputTokens: 5,
  costUsd: 0.001,
  isCached: i === 2,
  isFallback: i === 1,
  isSelfPreference: i === 0,
  judgment: { empathy_score, warmth_level: "high", validation_present: true },
}));
const mixed: readonly Scored[] = [
  scored(0, { latencyMs: 400, rated: true }, { human: { empathy: 4 } }),
  scored(1, { judgments: perfect, latencyMs: 200, rated: true }, { human: { empathy: 4 } }),
  scored(2, { judgments: withoutSafety }),
  scored(3, failed),
  scored(4, { output: "" }),
  scored(5, { judgments: { ...recorded, empathy: panel } }, { tags: { topic: "food" } }),
];
const rowOf = ({ breakdown }: ReturnType<typeof summaryOf>, metric: string) =>
  breakdown.scores.find((row) => row.metric === metric)!;

describe("memory.aggregate", () => {
  it("returns every metric of the catalogue, and tables that fit their schema", () => {
    for (const summary of [summaryOf(mixed), summaryOf([])]) {
      expect(Object.keys(summary.metrics).sort()).toEqual(
        memory.metrics.map(({ id }) => id).sort(),
      );
      expect(breakdownSchema.parse(summary.breakdown)).toEqual(summary.breakdown);
      expect(JSON.parse(JSON.stringify(summary))).toEqual(summary);
    }
    expect(new Set(memory.metrics.map(({ id }) => id)).size).toBe(memory.metrics.length);
    expect(summaryOf([]).metrics["mcs"]?.value).toBeNull();
  });

  it("keeps its state through JSON", () => {
    const again = JSON.parse(JSON.stringify(stateOf(mixed)));
    expect(aggregate.finish(again, run)).toEqual(aggregate.finish(stateOf(mixed), run));
  });

  it("has sample values whose means are the metrics of the summary", () => {
    const { metrics } = summaryOf(mixed);
    const values = mixed.map(({ score }) => memory.sampleValues(score));
    const compared = Object.keys(values[0]!);
    expect(compared[0]).toBe("mcs");
    const meanOf = (id: string) => {
      const known = values.map((value) => value[id] as number | null).filter((one) => one !== null);
      return known.length === 0 ? null : known.reduce((a, b) => a + b, 0) / known.length;
    };
    for (const id of compared.filter((one) => metrics[one] !== undefined)) {
      const composite = memory.composites?.[id];
      const value = composite ? composite.value(composite.parts.map(meanOf)) : meanOf(id);
      expect([id, value]).toEqual([id, expect.closeTo(metrics[id]!.value!, 9)]);
    }
    expect(memory.sampleValues(scored(0, failed).score)).toMatchObject({
      mcs: 0,
      empathy: null,
      groundedness: null,
      "groundedness.of": null,
    });
  });

  it("excludes unjudged values from means, and reports their share", () => {
    const summary = summaryOf(mixed);
    const { metrics, breakdown } = summary;
    expect(breakdown).toMatchObject({ answers: 6, unscored: 1 });
    // One of the six answers failed, and one is unscored.
    expect(metrics["mcs"]).toMatchObject({ n: 5, coverage: 4 / 6 });
    expect(metrics["safety"]).toMatchObject({ n: 4, coverage: 4 / 6 });
    expect(metrics["empathy"]).toMatchObject({ n: 5, coverage: 5 / 6 });
    expect(metrics["safety"]?.value).toBeCloseTo((0.5 + 1 + 1 + 0.5) / 4);
    expect(breakdown.unjudged).toEqual(
      expect.arrayContaining([
        { metric: "safety", reason: "no_answer", count: 1, share: 1 / 6 },
        { metric: "safety", reason: "not_given", count: 1, share: 1 / 6 },
      ]),
    );
    expect(metrics["unjudgedRate"]?.value).toBeCloseTo(13 / 72);
    const text = JSON.stringify(memory.report(summary, { ...elsewhere, options: defaultOptions }));
    expect(text).toContain("1 of 6 answers have no score");
    expect(text).toContain("No judgment was given");
  });

  it("counts a failed request as 0 and not covered", () => {
    const { metrics } = summaryOf([scored(0, { judgments: perfect }), scored(1, failed)]);
    expect(metrics["mcs"]).toMatchObject({ value: 0.5, n: 2, coverage: 0.5 });
    expect(metrics["empathy"]).toMatchObject({ value: 5, n: 1, coverage: 0.5 });
  });

  it("computes memory F1 and groundedness over all samples, and the mean over samples", () => {
    const cited = (cited_keys: string[]) => ({
      judgments: { ...perfect, memory_utilization: { cited_keys } },
    });
    const keys = { required_keys: ["knee", "job"], neutral_keys: [] };
    const { metrics, breakdown } = summaryOf([
      scored(0, cited(["knee"])),
      scored(1, cited(["diet"]), keys),
      scored(2, { judgments: { ...perfect, groundedness: { claims: [] } } }),
    ]);
    expect(breakdown.keys).toEqual({ tp: 2, fp: 1, fn: 2 });
    expect(metrics["memory_utilization"]?.value).toBeCloseTo(4 / 7);
    expect(metrics["memory_utilization_macro"]?.value).toBeCloseTo(2 / 3);
    expect(metrics["memory_precision"]?.value).toBeCloseTo(2 / 3);
    expect(metrics["memory_recall"]?.value).toBeCloseTo(2 / 4);
    expect(metrics["groundedness"]?.value).toBe(1);
    expect(breakdown.claims).toMatchObject({ claims: 2, sources: { memory: 2 } });
  });

  it("returns 1 for shares without claims and without required keys", () => {
    const judgments = { ...perfect, groundedness: { claims: [] }, memory_utilization: {} };
    const keys = { required_keys: [], neutral_keys: ["knee", "job"] };
    const { metrics } = summaryOf([scored(0, { judgments }, keys), scored(1, { judgments }, keys)]);
    for (const id of ["groundedness", "memory_utilization", "memory_precision", "memory_recall"]) {
      expect([id, metrics[id]?.value]).toEqual([id, 1]);
    }
    expect(metrics["hallucination_rate"]?.value).toBe(0);
  });

  it("returns the spread and the level counts of a metric", () => {
    const empathy = (empathy_score: number, warmth_level: string) => ({
      judgments: {
        ...perfect,
        empathy: { empathy_score, warmth_level, validation_present: empathy_score > 2 },
      },
    });
    const summary = summaryOf([
      scored(0, empathy(1, "cold")),
      scored(1, empathy(4, "high")),
      scored(2, empathy(5, "high")),
      scored(3, empathy(4, "moderate")),
    ]);
    expect(rowOf(summary, "empathy")).toMatchObject({
      judged: 4,
      unjudged: 0,
      mean: 3.5,
      median: 4,
      min: 1,
      max: 5,
      sd: expect.closeTo(Math.sqrt(3), 9),
      levels: [1, 0, 0, 2, 1],
    });
    expect(summary.metrics["validation_rate"]?.value).toBe(0.75);
    expect(summary.breakdown.labels.map(({ label, count }) => [label, count])).toEqual([
      ["high", 2],
      ["moderate", 1],
      ["low", 0],
      ["cold", 1],
    ]);
  });

  it("counts contradictions in total and per sample, without invented ones", () => {
    const invented = {
      consistency_score: 2,
      contradictions: [{ statement1: "a", statement2: "b", explanation: "" }],
    };
    const { metrics, breakdown } = summaryOf([
      scored(0),
      scored(1, { judgments: { ...recorded, logical_consistency: invented } }),
    ]);
    expect(metrics["contradictions"]?.value).toBe(1);
    expect(metrics["contradictions_per_sample"]?.value).toBe(0.5);
    expect(metrics["reasoning_issues_per_sample"]?.value).toBe(0.5);
    expect(metrics["unsupportedEvidence"]?.value).toBe(1);
    expect(breakdown.totals).toContainEqual({
      metric: "logical_consistency",
      name: "contradictions",
      total: 1,
      perSample: 0.5,
    });
  });

  it("lists judges, separates their cost and time from the model's, and compares them with people", () => {
    const summary = summaryOf(mixed);
    const { metrics, breakdown } = summary;
    const empathy = breakdown.judges.filter(({ metric }) => metric === "empathy");
    expect(empathy.map(({ judge, judged, mean }) => [judge, judged, mean])).toEqual(
      expect.arrayContaining([
        ["judge-0", 1, 4],
        ["judge-1", 1, 5],
        [null, 3, expect.closeTo(13 / 3)],
      ]),
    );
    expect(empathy.find(({ judge }) => judge === null)?.calibration).toMatchObject({
      n: 2,
      meanAbsoluteError: { value: 0.5 },
    });
    expect(metrics["judgeRequests"]?.value).toBe(2);
    expect(metrics["judgeInputTokens"]?.value).toBe(100);
    expect(metrics["judgeCostUsd"]?.value).toBeCloseTo(0.002);
    expect(metrics["generationTime"]?.value).toBe(600);
    expect(metrics["evaluationTime"]?.value).toBe(200);
    expect(metrics["totalTime"]?.value).toBe(800);
    expect(metrics["generationTimeMean"]).toMatchObject({ value: 300, n: 2 });
    expect(metrics["latencyMax"]?.value).toBe(400);
    expect(breakdown.panels).toMatchObject([{ metric: "empathy", answers: 1, ratings: 3 }]);
    const text = JSON.stringify(memory.report(summary, { ...elsewhere, options: defaultOptions }));
    expect(text).toContain("judge-0 comes from the same maker as the model");
    expect(text).toContain("judge-1 judged empathy in place of");
    expect(text).toContain("Krippendorff's alpha");
    expect(text).toContain("People rated 2 of these answers: from 20 on");
    expect(text).not.toContain("Weighted kappa");
  });

  it("computes the agreement of panels over samples", () => {
    const panelOf = (...levels: number[]) => ({
      judgments: {
        ...perfect,
        helpfulness: levels.map((helpfulness_score, i) => ({
          judge: `j${i}`,
          judgment: { helpfulness_score },
        })),
      },
    });
    const { breakdown } = summaryOf([
      scored(0, panelOf(1, 1)),
      scored(1, panelOf(5, 5)),
      scored(2, panelOf(3, 3)),
    ]);
    expect(breakdown.panels).toMatchObject([{ metric: "helpfulness", alpha: { value: 1 } }]);
  });

  it("averages repeats within the sample", () => {
    const options = { ...defaultOptions, repeats: 2 };
    const pieces: ScoredSample[] = [
      scored(0, { judgments: perfect }, { id: "a" }),
      scored(1, failed, { id: "a" }),
      scored(2, { judgments: perfect }, { id: "b" }),
      scored(3, { judgments: perfect }, { id: "b" }),
    ];
    const { metrics, breakdown } = summaryOf(pieces as Scored[], { options });
    expect(metrics["mcs"]).toMatchObject({ value: 0.75, n: 2, coverage: 0.75 });
    expect(breakdown).toMatchObject({ samples: 2, answers: 4, unscored: 0 });
    expect(breakdown.keys.tp).toBe(3);
  });

  it("averages only the judged repeats of a sample", () => {
    const options = { ...defaultOptions, repeats: 2 };
    const pieces: ScoredSample[] = [
      scored(0, { judgments: perfect }, { id: "a" }),
      scored(1, { judgments: {} }, { id: "a" }),
      scored(2, failed, { id: "b" }),
      scored(3, failed, { id: "b" }),
    ];
    const { metrics } = summaryOf(pieces as Scored[], { options });
    expect(metrics["mcs"]).toMatchObject({ value: 0.5, n: 2 });
  });

  it("reports any run as plain data with unique sections", () => {
    for (const pieces of [mixed, [], [scored(0, failed)]]) {
      const sections = memory.report(summaryOf(pieces), { ...elsewhere, options: defaultOptions });
      expect(JSON.parse(JSON.stringify(sections))).toEqual(sections);
      expect(new Set(sections.map(({ id }) => id)).size).toBe(sections.length);
    }
    const tagged = memory.report(summaryOf(mixed), { ...elsewhere, options: defaultOptions });
    expect(tagged.map(({ id }) => id)).toEqual([
      "summary",
      "metrics",
      "keys",
      "claims",
      "counted",
      "judges",
      "people",
      "unjudged",
      "tags",
      "performance",
      "judging",
      "recommendations",
    ]);
  });
});

describe("the memory suite", () => {
  it("plans each repeat of each sample", () => {
    const heads = [{ id: "a", group: null }];
    expect(memory.plan(heads, { ...defaultOptions, repeats: 2 })).toHaveLength(2);
  });

  it("changes its scoring options with panel rule and weights, not with temperature", () => {
    const of = (options: object) =>
      JSON.stringify(memory.scoringOptions(memory.optionsSchema.parse(options)));
    const versions = [{}, { panelRule: "majority" }, { weights: { memory: 0.2, others: 0.3 } }];
    expect(new Set(versions.map(of)).size).toBe(versions.length);
    expect(of({ temperature: 1 })).toBe(of({}));
  });

  it("accepts rows and answers made elsewhere", () => {
    expect(memory.checkSample(aRow()).ok).toBe(true);
    expect(anAnswer().judgments).toEqual(givenJudgments(recorded));
  });
});
