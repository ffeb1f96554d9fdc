import { type Answer, emptyAnswer } from "../../shared/contracts/answer.ts";
import type { HybridRouting } from "../../shared/contracts/runs/unit.ts";
import type { Simulation } from "../../simulator/simulation.ts";
import { ask, type Bench } from "../simulator/support/evaluate.ts";

/** Names at the simulator of both endpoints, and when the answer of the local one stands. */
export interface HybridCast {
  local: string;
  cloud: string;
  routing: HybridRouting;
}

/** What a local and a cloud endpoint answer to every sample, asked as the suite says. */
export function hybridAnswers(
  { suite, samples }: Bench,
  simulation: Simulation,
  { routing, ...names }: HybridCast,
  given: object,
): Answer[] {
  const options = suite.optionsSchema.parse(given);
  return samples.map((sample) => {
    const task = { samples: [sample], options, repeat: 0, hybrid: routing };
    const replies: Answer[] = [];
    let step = suite.next(task, replies);
    for (; step.kind === "ask"; step = suite.next(task, replies)) {
      const reply = ask(simulation, names[step.to === "cloud" ? "cloud" : "local"], step.request);
      replies.push({ ...reply, requests: 1, attempts: 1 });
    }
    return step.answers[0] ?? emptyAnswer;
  });
}
