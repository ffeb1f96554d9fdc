import { readFileSync } from "node:fs";
import { storedRatingsSchema } from "#shared/contracts/judging/rating.ts";
import { command, jsonFlag } from "../command-line/command.ts";
import { openInput } from "../files/open-file.ts";
import { keyVariable, serviceFlags, serviceOf } from "../remote/service-flags.ts";

const flags = { ...serviceFlags, json: jsonFlag(storedRatingsSchema) } as const;

/** `assay ratings`: adds people's ratings to a run. */
export const ratingsCommand = command({
  name: "ratings",
  summary: "add people's ratings of a run's answers",
  description: [
    "Adds people's ratings of a run's answers: CSV or JSON lines with sampleId, answerHash, metric, score and rater. People can also rate in the browser, at /run/rate/ of the service.",
    "assay export --what ratings writes all ratings as such a file, --what report the judges' means corrected by them and who agrees with people.",
  ],
  positionals: [
    { name: "run", help: "Id of the run" },
    { name: "file", help: "Ratings, named *.csv or *.jsonl" },
  ],
  flags,
  environment: keyVariable,
  examples: ["assay ratings run_01a2b3c4 ratings.csv"],
  async run(values, [id, file], { stdout }) {
    const path = `/v1/runs/${encodeURIComponent(id)}/ratings`;
    const type = file.endsWith(".csv") ? "text/csv" : "application/jsonl";
    const rows = readFileSync(openInput(file).fd);
    const service = serviceOf(values, "submit");
    const { value } = await service.upload(path, rows, storedRatingsSchema, type);
    stdout.write(`${values.json ? flags.json.text(value) : `stored ${value.stored} ratings`}\n`);
  },
});
