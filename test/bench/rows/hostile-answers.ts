import { type Answer, emptyAnswer } from "../../../shared/contracts/answer.ts";
import { longAnswers } from "../../../shared/measures/json-output/__fixtures__/long-answers.ts";
import { readOutput } from "../../../shared/measures/json-output/read-output.ts";
import type { Bench } from "../bench.ts";
import { cpuPair } from "../support/cpu-pair.ts";
import { plainParse } from "../support/plain-work.ts";

const answers = longAnswers.map(([, output]): Answer => ({ ...emptyAnswer, output, attempts: 1 }));

/** Valid JSON of the same length. */
const valid = [JSON.stringify(Array(1_250).fill("a word"))];

/** Finding JSON in answers that are not or not entirely JSON. */
export const hostileAnswers: Bench = {
  rows: [
    {
      name: "scoring/answer-10kB",
      what: `the slowest of ${longAnswers.length} answers of 7,000 to 10,000 characters, most of them crafted to be slow to parse`,
      unit: "ms",
      yardstick: "JSON.parse of an array of 10,000 characters",
      target: { atMost: 500 },
    },
  ],
  prepare({ minMs }) {
    return () => {
      const pairs = answers.map((answer) =>
        cpuPair(
          minMs / answers.length,
          () => readOutput(answer),
          () => plainParse(valid),
        ),
      );
      return [pairs.reduce((a, b) => (a.measured > b.measured ? a : b))];
    };
  },
};
