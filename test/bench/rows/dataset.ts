import type { Json } from "../../../shared/contracts/json.ts";
import type { Bench } from "../bench.ts";
import { cpuMs } from "../support/cpu-ms.ts";
import {
  countFields,
  isValid,
  perturbed,
  type Row,
  scoreTask,
  task,
  usableRows,
} from "../support/extraction.ts";

/** Set for answers of some 22 fields a sample; smaller samples reach it more easily. */
const target = { atLeast: 20_000, words: "≥ 20,000 samples/s/core at 22 fields a sample" };

/** Samples and fields a second when a dataset is scored again and again, its schemas prepared. */
function warmScoring(name: string, what: string, predict: (row: Row) => Json): Bench {
  return {
    rows: [
      { name: `scoring/${name}`, what, unit: "samples/s", target },
      {
        name: `scoring/${name}-fields`,
        what: "the same, by fields expected of valid answers",
        unit: "fields/s",
      },
      { name: `scoring/${name}-size`, what: "expected fields a sample", unit: "fields" },
      { name: `scoring/${name}-invalid`, what: "answers that are not valid, scored 0", unit: "%" },
    ],
    prepare({ dataset, minMs }) {
      const rows = usableRows(dataset);
      const tasks = rows.map((row) => task(row, predict(row)));
      const fields = rows.map((row) => countFields(row.expected_output));
      const areValid = tasks.map(isValid);
      const compared = sum(fields.filter((_, i) => areValid[i]));
      const invalid = areValid.filter((is) => !is).length;
      const facts = [sum(fields) / tasks.length, (100 * invalid) / tasks.length];
      return () => {
        const ms = cpuMs(minMs, () => tasks.forEach(scoreTask));
        return [(tasks.length * 1000) / ms, (compared * 1000) / ms, ...facts];
      };
    },
  };
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

/** Gold as answer: what a perfect model costs. */
export const goldScoring = warmScoring(
  "gold",
  "the dataset scored, gold as answer, warm",
  (row) => row.expected_output,
);

/** A mediocre model's answers, the same every time. */
export const perturbedScoring = warmScoring(
  "perturbed",
  "the dataset scored, every eighth field wrong, warm",
  perturbed,
);

/** With each row read and its schema compiled again, as when a file is scored once. */
export const coldScoring: Bench = {
  rows: [{ name: "scoring/cold", what: "rows parsed, checked and scored once", unit: "samples/s" }],
  prepare({ dataset, minMs }) {
    const rows = usableRows(dataset);
    const lines = rows.map((row) => ({ text: JSON.stringify(row), value: perturbed(row) }));
    return () => {
      const ms = cpuMs(minMs, () => {
        for (const { text, value } of lines) scoreTask(task(JSON.parse(text) as Row, value));
      });
      return [(lines.length * 1000) / ms];
    };
  },
};
