import { type Answer, emptyAnswer } from "../../../shared/contracts/answer.ts";
import { longAnswers } from "../../../shared/measures/json-output/__fixtures__/long-answers.ts";
import { readOutput } from "../../../shared/measures/json-output/read-output.ts";
import type { Bench } from "../bench.ts";
import { cpuMs } from "../support/cpu-ms.ts";

const answers = longAnswers.map(([, output]): Answer => ({ ...emptyAnswer, output, attempts: 1 }));

/** Finding the JSON in an answer that is none, or not quite. */
export const hostileAnswers: Bench = {
  rows: [
    {
      name: "scoring/answer-10kB",
      what: `the slowest of ${longAnswers.length} answers of 7,000 to 10,000 characters, most made to keep a reader busy`,
      unit: "ms",
      target: { atMost: 50, words: "an answer of up to 10,000 characters read in ≤ 50 ms" },
    },
  ],
  prepare({ minMs }) {
    return () => {
      const times = answers.map((answer) =>
        cpuMs(minMs / answers.length, () => readOutput(answer)),
      );
      return [Math.max(...times)];
    };
  },
};
