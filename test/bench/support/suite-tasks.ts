import type { Suite } from "../../../shared/contracts/suite.ts";
import { demoAnswers } from "../../demo-snapshot/simulated-answers.ts";
import { aBench, askAll } from "../../simulator/support/evaluate.ts";
import { perturbed, type Task, task, usableRows } from "./extraction.ts";

/** A model with errors of every kind. */
const model = { slug: "bench/medium", lostRate: 0, origin: "called" } as const;

/**
 * Samples of a suite with a mediocre model's answers: for `extraction` the dataset's rows, for other suites the stock
 * data with the simulator's answers and judgments.
 */
export function tasksOf(suite: Suite, dataset: string): Task[] {
  if (suite.id === "extraction") return usableRows(dataset).map((row) => task(row, perturbed(row)));
  const bench = aBench(suite);
  const simulated = askAll(bench, bench.simulation(1), "sim-medium?latency=0");
  const answers = demoAnswers(bench, simulated, model, 0);
  return bench.samples.map((sample, i) => ({ sample, answer: answers[i]!.answer }));
}
