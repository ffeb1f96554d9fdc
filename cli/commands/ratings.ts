import { readFileSync } from "node:fs";
import { type People, storedRatingsSchema } from "#shared/contracts/judging/rating.ts";
import { runSchema } from "#shared/contracts/run.ts";
import { command, jsonFlag } from "../command-line/command.ts";
import { intervalText } from "../compare/figure-text.ts";
import { BadInput } from "../errors.ts";
import { keyVariable, serviceFlags, serviceOf } from "../remote/service-flags.ts";
import { formatValue } from "../terminal/format-value.ts";
import { printable } from "../terminal/printable.ts";
import { textTable } from "../terminal/text-table.ts";

const flags = { ...serviceFlags, json: jsonFlag } as const;

/** `assay ratings`: adds people's ratings to a run, or shows what they say. */
export const ratingsCommand = command({
  name: "ratings",
  summary: "add people's ratings of a run's answers, or show their figures",
  description: [
    "With FILE, adds people's ratings of the run's answers: CSV or JSON lines with sampleId, answerHash, metric, score and rater. Without it, prints the judges' means corrected by the ratings, and the agreement of judges with people.",
    "People rate in the browser at /run/rate/ of the service; assay export --what ratings writes all ratings as such a file.",
  ],
  positionals: [
    { name: "run", help: "Id of the run" },
    { name: "file", help: "Ratings, named *.csv or *.jsonl", optional: true },
  ],
  flags,
  environment: keyVariable,
  notes: ["Figures follow new ratings in about a minute."],
  examples: ["assay ratings run_01a2b3c4 ratings.csv", "assay ratings run_01a2b3c4"],
  async run(values, [id, file], { stdout }) {
    const service = serviceOf(values, "submit");
    const path = `/v1/runs/${encodeURIComponent(id)}`;
    if (file !== undefined) {
      const type = file.endsWith(".csv") ? "text/csv" : "application/jsonl";
      const { value } = await service.upload(
        `${path}/ratings`,
        contentOf(file),
        storedRatingsSchema,
        type,
      );
      stdout.write(values.json ? `${JSON.stringify(value)}\n` : `stored ${value.stored} ratings\n`);
      return;
    }
    const { people = null } = (await service.get(path, runSchema)).value;
    if (values.json) stdout.write(`${JSON.stringify(people, null, 2)}\n`);
    else stdout.write(`${people === null ? "no ratings" : printable(peopleText(people))}\n`);
  },
});

function contentOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new BadInput(`${file}: ${(error as Error).message}`);
  }
}

function peopleText({ ratings, answers, raters, means, agreement, judges }: People): string {
  const score = (value: number | null) => formatValue(value, "score");
  const corrected = Object.entries(means).map(([metric, its]) => [
    metric,
    score(its.judge),
    score(its.value),
    intervalText(its.interval, "score"),
    `${its.n}`,
    its.toHalve === null ? "" : `${its.toHalve}`,
  ]);
  const head = ["metric", "judge", "corrected", "95% interval", "rated", "to halve it"];
  const kappas = judges.map(({ metric, judge, n, kappa }) => [
    metric,
    judge ?? "not reported",
    `${n}`,
    score(kappa.value),
  ]);
  const alphas = agreement.map(({ metric, answers: n, alpha }) => [
    metric,
    "people among themselves",
    `${n}`,
    score(alpha.value),
  ]);
  const agreed = ["metric", "judge", "answers", "kappa (people: alpha)"];
  return [
    `${ratings} ratings of ${answers} answers by ${raters} people`,
    "",
    ...textTable([head, ...corrected], (column) => column === 0),
    "",
    ...textTable([agreed, ...kappas, ...alphas], (column) => column < 2),
  ].join("\n");
}
