import { readFileSync } from "node:fs";
import { storedRatingsSchema } from "#shared/contracts/judging/rating.ts";
import { openInput } from "../files/open-file.ts";
import { serviceCommand } from "../remote/service-flags.ts";

/** `assay ratings`: adds people's ratings to a run. */
export const ratingsCommand = serviceCommand({
  name: "ratings",
  summary: "add people's ratings of a run's answers",
  description: [
    "Adds people's ratings of a run's answers: CSV or JSON lines with sampleId, answerHash, metric, score and rater. People can also rate in the browser, at /run/rate/ of the service.",
    "assay export --what ratings writes all ratings in this format. --what report shows the judges' means corrected by the ratings, and which judges agree with people.",
  ],
  positionals: [
    { name: "run", help: "Id of the run" },
    { name: "file", help: "Ratings, named *.csv or *.jsonl" },
  ],
  examples: ["assay ratings run_01a2b3c4 ratings.csv"],
  scope: "submit",
  result: storedRatingsSchema,
  call(service, _, [id, file]) {
    const path = `/v1/runs/${encodeURIComponent(id)}/ratings`;
    const type = file.endsWith(".csv") ? "text/csv" : "application/jsonl";
    const rows = readFileSync(openInput(file).fd);
    return service.upload(path, rows, storedRatingsSchema, type);
  },
  text: ({ stored }) => `stored ${stored} ratings`,
});
