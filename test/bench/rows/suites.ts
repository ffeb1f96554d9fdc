import { suites } from "../../../shared/suites/registry.ts";
import type { Bench } from "../bench.ts";
import { cpuMs } from "../support/cpu-ms.ts";
import { tasksOf } from "../support/suite-tasks.ts";

/** The suites other than `extraction`: scoring on their stock data. */
export const otherSuites: readonly Bench[] = suites
  .filter(({ id }) => id !== "extraction")
  .map((suite) => ({
    rows: [
      {
        name: `scoring/${suite.id}`,
        unit: "samples/s",
        what: `stock samples of ${suite.id} scored, a mediocre model's answers, warm`,
      },
    ],
    prepare({ minMs, dataset }) {
      const options: unknown = suite.optionsSchema.parse({});
      const tasks = tasksOf(suite, dataset);
      return () => {
        const ms = cpuMs(minMs, () => {
          for (const { sample, answer } of tasks) suite.score(sample, answer, options);
        });
        return [(tasks.length * 1000) / ms];
      };
    },
  }));
