import type { Json } from "../../../shared/contracts/json.ts";
import type { Bench } from "../bench.ts";
import { cpuPair } from "../support/cpu-pair.ts";
import { perturbed, type Row, scoreTask, task, usableRows } from "../support/extraction.ts";
import { plainParse } from "../support/plain-work.ts";

/** Scoring a dataset repeatedly with prepared schemas, compared with parsing its rows. */
function warmScoring(
  name: string,
  what: string,
  atMost: number,
  predict: (row: Row) => Json,
): Bench {
  return {
    rows: [
      {
        name: `scoring/${name}`,
        what,
        unit: "µs/sample",
        yardstick: "JSON.parse of the same samples",
        target: { atMost },
      },
    ],
    prepare({ dataset, minMs }) {
      const rows = usableRows(dataset);
      const tasks = rows.map((row) => task(row, predict(row)));
      const texts = rows.map((row) => JSON.stringify(row));
      return () => {
        const { measured, yardstick } = cpuPair(
          minMs,
          () => tasks.forEach(scoreTask),
          () => plainParse(texts),
        );
        const each = 1_000 / tasks.length;
        return [{ measured: measured * each, yardstick: yardstick * each }];
      };
    },
  };
}

/** Scoring the expected outputs, as for a perfect model. */
export const goldScoring = warmScoring(
  "gold",
  "scoring the dataset, expected outputs as answers, warm",
  2,
  (row) => row.expected_output,
);

/** Scoring a mediocre model's answers, the same in every run. */
export const perturbedScoring = warmScoring(
  "perturbed",
  "scoring the dataset, every eighth field wrong, warm",
  10,
  perturbed,
);
