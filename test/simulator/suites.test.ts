import { describe, expect, it } from "vitest";
import { suiteById } from "../../shared/suites/registry.ts";
import { aBench, askAll, headlineOf } from "./support/evaluate.ts";

const seeds = [1, 2, 3, 4, 5, 6, 7, 8];

describe.each([
  ["slots", {}, { best: 1, step: 0.03 }],
  ["slots", { format: "lines" }, { best: 1, step: 0.03 }],
  ["slots", { memory: "cumulative" }, { best: 1, step: 0.03 }],
  ["slots", { structuredOutput: "none" }, { best: 1, step: 0.03 }],
  ["quality", {}, { best: 0.95, step: 0.05 }],
  ["tools", {}, { best: 0.68, step: 0.02 }],
  ["tools", { toolMode: "prompt" }, { best: 0.68, step: 0.02 }],
])("models of the suite %s with %j", (id, options, { best, step }) => {
  const bench = aBench(suiteById(id)!);
  const answers = (model: string, seed = 1) =>
    askAll(bench, bench.simulation(seed), model, options);
  const headline = (model: string, seed: number) =>
    headlineOf(bench, answers(model, seed), options);
  const mean = (model: string) =>
    seeds.reduce((sum, seed) => sum + headline(model, seed), 0) / seeds.length;

  it("score, from best to worst, sim-large, sim-medium, sim-small, sim-tiny", () => {
    const demo = ["sim-large", "sim-medium", "sim-small", "sim-tiny"];
    const means = demo.map(mean);
    for (let at = 1; at < means.length; at += 1) {
      expect(means[at]).toBeLessThan(means[at - 1]! - step);
    }
    const asServed = demo.map((model) => headline(model, 1));
    expect(asServed).toEqual(asServed.toSorted((a, b) => b - a));
  });

  it("score best where they never err", () => {
    for (const model of ["sim-perfect", "sim-instant"]) {
      expect(headline(model, 1)).toBeGreaterThanOrEqual(best);
    }
  });

  it("score alike on average and answer differently where they are equal", () => {
    expect(Math.abs(mean("sim-equal-a") - mean("sim-equal-b"))).toBeLessThan(0.04);
    expect(answers("sim-equal-a")).not.toEqual(answers("sim-equal-b"));
  });

  it("answer the same again, and otherwise by another seed", () => {
    expect(answers("sim-tiny")).toEqual(answers("sim-tiny"));
    expect(answers("sim-tiny", 2)).not.toEqual(answers("sim-tiny", 1));
  });
});

describe("the confidence of models of the suite tools", () => {
  const bench = aBench(suiteById("tools")!);
  const options = bench.suite.optionsSchema.parse({});
  const answers = seeds.flatMap((seed) =>
    askAll(bench, bench.simulation(seed), "sim-tiny?source=on-device").map((answer, at) => ({
      ...{ confidence: answer.confidence ?? 0, source: answer.source },
      right: bench.suite.score(bench.samples[at], answer, options).detail.f1 === 1,
    })),
  );
  const rightOf = (all: typeof answers) => all.filter(({ right }) => right).length / all.length;

  it("says how often they are right", () => {
    const byThird = Map.groupBy(answers, ({ confidence }) =>
      Math.min(2, Math.floor(3 * confidence)),
    );
    for (const third of byThird.values()) {
      const mean = third.reduce((sum, { confidence }) => sum + confidence, 0) / third.length;
      expect(Math.abs(mean - rightOf(third))).toBeLessThan(0.1);
    }
  });

  it("parts what is to be kept from what is to be asked elsewhere", () => {
    const sure = answers.filter(({ confidence }) => confidence >= 0.9);
    expect(sure.length / answers.length).toBeGreaterThan(0.1);
    expect(rightOf(sure)).toBeGreaterThan(rightOf(answers) + 0.3);
    expect(new Set(answers.map(({ source }) => source))).toEqual(new Set(["on-device"]));
  });
});
