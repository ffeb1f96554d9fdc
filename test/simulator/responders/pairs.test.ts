import { expect, it } from "vitest";
import type { Suite } from "../../../shared/contracts/suite.ts";
import { scoredRun } from "../../../shared/suites/__fixtures__/scored-run.ts";
import { defaultOptions } from "../../../shared/suites/pairs/options.ts";
import { checkSample, type PairsSample } from "../../../shared/suites/pairs/sample.ts";
import { pairs } from "../../../shared/suites/pairs/suite.ts";
import { createSimulation } from "../../../simulator/simulation.ts";
import { askAll, type Bench } from "../support/evaluate.ts";

/** Pairs with alternating labels; the longer answer is the better one in every second block of two. */
const rows = Array.from({ length: 240 }, (_, i) => {
  const [right, wrong] = [`It is ${i}.`, `It is ${i + 1}.`];
  const long = ", as everybody knows who has counted";
  const [better, worse] = i % 4 < 2 ? [right + long, wrong] : [right, wrong + long];
  const answers = i % 2 ? { a: worse, b: better } : { a: better, b: worse };
  return { id: `s${i}`, query: `Say ${i}.`, ...answers, label: i % 2 ? "B" : "A" };
});
const samples = rows.map((row): PairsSample => {
  const checked = checkSample(row);
  if (!checked.ok) throw new Error(checked.error);
  return checked.value.sample;
});
const bench: Bench = {
  suite: pairs as Suite,
  samples,
  simulation: (seed) => createSimulation({ seed, datasets: [rows] }),
};

function judgedBy(model: string) {
  const answers = askAll(bench, bench.simulation(1), model);
  const answered = samples.map((sample, i) => [sample, answers[i]!] as const);
  return scoredRun(pairs, answered, defaultOptions).summary.metrics;
}

it("a simulated judge without mistakes is right in both orders", () => {
  const metrics = judgedBy("sim-judge-a");
  const values = ["accuracy", "consistency", "firstShare", "longerWins", "unjudgedRate"].map(
    (id) => metrics[id]?.value,
  );
  expect(values).toEqual([1, 1, 0.5, 0.5, 0]);
});

it.each([
  ["first_place:0.3", { firstTwice: 0.3, secondTwice: 0, firstShare: 0.65, accuracy: 0.85 }],
  ["longer_answer:0.4", { firstShare: 0.5, consistency: 1, longerWins: 0.7, accuracy: 0.8 }],
  ["wrong_verdict:0.2", { firstShare: 0.5, consistency: 1, longerWins: 0.5, accuracy: 0.8 }],
])("the metrics detect the bias of a simulated judge with %s", (mistakes, truth) => {
  const metrics = judgedBy(`sim-judge-a?mistakes=${mistakes}`);
  for (const [id, wanted] of Object.entries(truth)) {
    const { value, interval } = metrics[id]!;
    expect.soft(Math.abs(value! - wanted), `${id} ${value}`).toBeLessThan(0.08);
    expect.soft(interval![0] - 1e-9, id).toBeLessThanOrEqual(wanted);
    expect.soft(interval![1] + 1e-9, id).toBeGreaterThanOrEqual(wanted);
  }
});

it("a simulated judge of pairs without labels prefers the answer with the better form", () => {
  const [sample] = samples;
  const prompt = "Explain how plants turn sunlight into sugar.";
  const good =
    "Plants consequently convert sunlight chemically, because chlorophyll absorbs light. Therefore, sugar forms. In conclusion, sunlight becomes sugar.";
  const unknown = { ...sample!, query: prompt, answers: { A: "no", B: good }, label: null };
  const one = { ...bench, samples: [unknown] };
  const [answer] = askAll(one, bench.simulation(1), "sim-judge-b");
  expect(pairs.score(unknown, answer!, defaultOptions).detail.verdict).toBe("B");
});
