import { type Answer, callOf } from "../../../shared/contracts/answer.ts";
import type { Suite } from "../../../shared/contracts/suite.ts";
import { suites } from "../../../shared/suites/registry.ts";
import { demoAnswers } from "../../demo-snapshot/simulated-answers.ts";
import { aBench, askAll } from "../../simulator/support/evaluate.ts";
import type { Bench } from "../bench.ts";
import { cpuMs } from "../support/cpu-ms.ts";

/** Answers of a run that is summed up. */
const RUN = 1_000;

/** Makes mistakes of every kind. */
const model = { slug: "bench/medium", lostRate: 0, origin: "called" } as const;

interface Task {
  sample: unknown;
  answer: Answer;
}

/** The suites beside `extraction`, on their stock data: scoring, and summing a run up with its intervals. */
export const otherSuites: readonly Bench[] = suites
  .filter(({ id }) => id !== "extraction")
  .map((suite) => ({
    rows: [
      {
        ...{ name: `scoring/${suite.id}`, unit: "samples/s" },
        what: `stock samples of ${suite.id} scored, a mediocre model's answers, warm`,
      },
      {
        ...{ name: `scoring/${suite.id}-finish-1000`, unit: "ms" },
        what: `1,000 such answers added and summed up`,
      },
    ],
    prepare({ minMs, scale }) {
      const options: unknown = suite.optionsSchema.parse({});
      const tasks = answeredTasks(suite);
      const sumUp = summingUp(suite, options, tasks, Math.max(2, Math.round(RUN * scale)));
      return () => {
        const ms = cpuMs(minMs, () => {
          for (const { sample, answer } of tasks) suite.score(sample, answer, options);
        });
        return [(tasks.length * 1000) / ms, cpuMs(minMs, sumUp)];
      };
    },
  }));

/** The stock samples with what the simulator answers, judged where judges are asked. */
function answeredTasks(suite: Suite): Task[] {
  const bench = aBench(suite);
  const said = askAll(bench, bench.simulation(1), "sim-medium?latency=0");
  const answers = demoAnswers(bench, said, model, 0);
  return bench.samples.map((sample, i) => ({ sample, answer: answers[i]!.answer }));
}

function summingUp(suite: Suite, options: unknown, tasks: readonly Task[], count: number) {
  const scored = tasks.map(({ sample, answer }) => {
    const { id, tags } = suite.sampleHead(sample);
    return { id, tags, score: suite.score(sample, answer, options), call: callOf(answer) };
  });
  const run = { runId: "bench", options, prices: null, wallMs: 60_000 };
  return () => {
    let state: unknown = suite.aggregate.empty();
    for (let seq = 0; seq < count; seq++) {
      const one = scored[seq % scored.length]!;
      state = suite.aggregate.add(state, { ...one, seq, id: `${one.id}-${seq}` });
    }
    suite.aggregate.finish(state, run);
  };
}
