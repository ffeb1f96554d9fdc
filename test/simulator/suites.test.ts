import { describe, expect, it } from "vitest";
import type { Suite } from "../../shared/contracts/suite.ts";
import { alphaOf } from "../../shared/stats/__fixtures__/alpha-of.ts";
import { memory } from "../../shared/suites/memory/suite.ts";
import { suiteById, suites } from "../../shared/suites/registry.ts";
import { aBench, askAll, headlineOf } from "./support/evaluate.ts";
import { judgeAll } from "./support/judge-all.ts";

const seeds = [1, 2, 3, 4];

const suiteOf = (id: string) => [...suites, memory as Suite].find((suite) => suite.id === id)!;

/** `most`: number of seeds, just enough to distinguish the models; `alike`: three standard errors of equal models. */
describe.each([
  ["slots", {}, { best: 1, step: 0.03, most: 2, alike: 0.04 }],
  ["slots", { format: "lines" }, { best: 1, step: 0.03, most: 2, alike: 0.04 }],
  ["slots", { memory: "cumulative" }, { best: 1, step: 0.03, most: 2, alike: 0.04 }],
  ["slots", { structuredOutput: "none" }, { best: 1, step: 0.03, most: 2, alike: 0.04 }],
  ["quality", {}, { best: 0.95, step: 0.05, most: 2, alike: 0.04 }],
  ["tools", {}, { best: 0.99, step: 0.02, most: 4, alike: 0.1 }],
  ["tools", { toolMode: "prompt" }, { best: 0.99, step: 0.02, most: 4, alike: 0.1 }],
  // A judgment takes a millisecond, and an answer has eleven.
  ["memory", {}, { best: 0.92, step: 0.06, most: 1, alike: 0.04 }],
  ["rubric", {}, { best: 0.85, step: 0.05, most: 2, alike: 0.12 }],
])("models of the suite %s with %j", (id, options, { best, step, most, alike }) => {
  const bench = aBench(suiteOf(id));
  const tried = seeds.slice(0, most);
  const answers = (model: string, seed = 1) =>
    askAll(bench, bench.simulation(seed), model, options);
  const judged = (model: string, seed: number) =>
    judgeAll(bench, bench.simulation(seed), answers(model, seed), ["sim-judge-a"], options);
  const headlines = new Map<string, number>();
  const headline = (model: string, seed: number) => {
    const name = `${model} ${seed}`;
    const value = headlines.get(name) ?? headlineOf(bench, judged(model, seed), options);
    headlines.set(name, value);
    return value;
  };
  const mean = (model: string) =>
    tried.reduce((sum, seed) => sum + headline(model, seed), 0) / tried.length;

  it("rank in the order sim-large, sim-medium, sim-small, sim-tiny", () => {
    const demo = ["sim-large", "sim-medium", "sim-small", "sim-tiny"];
    const means = demo.map(mean);
    for (let at = 1; at < means.length; at += 1) {
      expect(means[at]).toBeLessThan(means[at - 1]! - step);
    }
    const asServed = demo.map((model) => headline(model, 1));
    expect(asServed).toEqual(asServed.toSorted((a, b) => b - a));
  });

  it("score highest without mistakes", () => {
    for (const model of ["sim-perfect", "sim-instant"]) {
      expect(headline(model, 1)).toBeGreaterThanOrEqual(best);
    }
  });

  it("score the same with thoughts in the text, in a separate field, or without thoughts", () => {
    const [plain, inline, field] = ["", "&thoughts=inline", "&thoughts=field"].map((thoughts) =>
      headline(`sim-medium?latency=0${thoughts}`, 1),
    );
    expect([inline, field]).toEqual([plain, plain]);
  });

  it("of equal skill have similar mean scores and different answers", () => {
    expect(Math.abs(mean("sim-equal-a") - mean("sim-equal-b"))).toBeLessThan(alike);
    expect(answers("sim-equal-a")).not.toEqual(answers("sim-equal-b"));
  });

  it("repeat their answers, and differ with another seed", () => {
    expect(answers("sim-tiny")).toEqual(answers("sim-tiny"));
    expect(answers("sim-tiny", 2)).not.toEqual(answers("sim-tiny", 1));
  });
});

describe("the confidence of models of the suite tools", () => {
  const bench = aBench(suiteById("tools")!);
  const options = bench.suite.optionsSchema.parse({});
  const answers = seeds.flatMap((seed) =>
    askAll(bench, bench.simulation(seed), "sim-tiny?source=on-device").map((answer, at) => ({
      confidence: answer.confidence ?? 0,
      source: answer.source,
      right: bench.suite.score(bench.samples[at], answer, options).detail.f1 === 1,
    })),
  );
  const rightOf = (all: typeof answers) => all.filter(({ right }) => right).length / all.length;

  it("matches the share of right answers", () => {
    const byThird = Map.groupBy(answers, ({ confidence }) =>
      Math.min(2, Math.floor(3 * confidence)),
    );
    for (const third of byThird.values()) {
      const mean = third.reduce((sum, { confidence }) => sum + confidence, 0) / third.length;
      expect(Math.abs(mean - rightOf(third))).toBeLessThan(0.1);
    }
  });

  it("separates answers to keep from samples to ask elsewhere", () => {
    const sure = answers.filter(({ confidence }) => confidence >= 0.9);
    expect(sure.length / answers.length).toBeGreaterThan(0.1);
    expect(rightOf(sure)).toBeGreaterThan(rightOf(answers) + 0.3);
    expect(new Set(answers.map(({ source }) => source))).toEqual(new Set(["on-device"]));
  });
});

describe("a panel of simulated judges", () => {
  const bench = aBench(memory);
  const options = memory.optionsSchema.parse({});
  const simulation = bench.simulation(1);
  const panel = ["sim-judge-a", "sim-judge-b", "sim-judge-c"];
  const answers = judgeAll(bench, simulation, askAll(bench, simulation, "sim-small"), panel);

  it("agrees mostly but not completely", () => {
    const scores = answers.map((answer, at) => memory.score(bench.samples[at], answer, options));
    for (const { id, kind } of memory.judging!.judges) {
      if (kind !== "asked") continue;
      const ratings = scores.map(({ detail }) =>
        detail.metrics[id]!.judges.map((one) => one.value),
      );
      const alpha = alphaOf(ratings.filter((values) => values.length > 0))!;
      expect(alpha).toBeGreaterThan(0.4);
      expect(alpha).toBeLessThan(1);
    }
  });

  it("quotes only text of the answers", () => {
    for (const [at, answer] of answers.entries()) {
      const { detail } = memory.score(bench.samples[at], answer, options);
      for (const metric of Object.values(detail.metrics))
        expect(metric.unsupportedEvidence).toBe(0);
    }
  });
});
