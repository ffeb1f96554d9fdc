import { closeSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { usageSchema } from "#shared/contracts/keys/usage.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { suites } from "#shared/suites/registry.ts";
import { command, valueFlag } from "../command-line/command.ts";
import { suiteNamed } from "../command-line/suite-choice.ts";
import { importDataset } from "../dataset/import-dataset.ts";
import { BadInput, badLine, NotPassed } from "../errors.ts";
import { openSeekable } from "../files/open-file.ts";
import { refuseStdout } from "../files/output-file.ts";
import { parseRow } from "../files/parse-row.ts";
import { readJsonObject } from "../files/read-json.ts";
import { readLines } from "../files/read-lines.ts";
import { malformedLines } from "../files/row-lines.ts";
import { saveStream } from "../files/save-stream.ts";
import { defaultCacheFolder } from "../hugging-face/page-cache.ts";
import { withService } from "../local/with-service.ts";
import { followSubmission } from "../remote/follow-runs.ts";
import { runsText } from "../remote/runs-text.ts";
import type { ServiceClient } from "../remote/service-client.ts";
import { keyVariable, serviceFlags } from "../remote/service-flags.ts";
import { failureOf } from "../run/checked-run.ts";
import { figuresText } from "../run/figures-text.ts";
import { submitAnswers } from "../run/submit-answers.ts";
import { answerRow } from "../score/answer-row.ts";
import { judgeFlag, judgesOf } from "./rescore.ts";

const judgedSuites = suites.flatMap(({ id, judging }) => (judging ? [id] : []));

const flags = {
  dataset: valueFlag(
    "FILE",
    "Samples: JSON Lines, a JSON array, or a folder samples/<id>/sample.json",
    { required: true },
  ),
  answers: valueFlag("FILE", "Answers in the format of assay score; - reads standard input", {
    required: true,
  }),
  judge: judgeFlag,
  options: valueFlag("FILE", "Options of the suite, a JSON object"),
  model: valueFlag("NAME", "Model that answered: judges of the same maker are marked", {
    default: "Answers",
  }),
  output: valueFlag(
    "FILE",
    "Write the answers with their judgments; - writes to standard output and moves the scores to standard error",
  ),
  json: { type: "boolean", help: "Print the run as JSON, as in GET /v1/runs/<id>" },
  ...serviceFlags,
} as const;

/** `assay judge`: has judges judge a file of answers. */
export const judgeCommand = command({
  name: "judge",
  summary: "have models judge a file of answers",
  description: [
    "Has judges judge answers made elsewhere, prints the scores, and writes the answers with their judgments. Starts a service on this machine if none is running.",
  ],
  positionals: [
    {
      name: "suite",
      help: `Suite of the samples; default ${judgedSuites[0]}`,
      choices: judgedSuites,
      optional: true,
    },
  ],
  flags,
  environment: keyVariable,
  exitCodes: { 1: "Judging failed or was stopped, or a judgment is missing" },
  notes: [
    "Judgments are stored: the same judge is asked only once about the same answer, also by later commands and runs. Judgments in the answers, such as those written by --output or assay export --what answers --judgments, are used where judge, prompt and inputs agree, by a service of this machine or with a key with the scope admin.",
    "The written file is input for assay score, which calls no judge, and for POST /v1/submissions with the option judge set to recorded. The dataset and the run are unlisted.",
  ],
  examples: [
    "assay judge memory --dataset samples.jsonl --answers answers.jsonl \\",
    "  --judge openai:gpt-6-luna --output judged.jsonl",
    "assay judge --dataset samples.jsonl --answers judged.jsonl --judge a --judge b --json",
  ],
  async run(values, [suiteId = judgedSuites[0] ?? ""], { stdin, stdout, stderr }) {
    const suite = suiteNamed(suiteId);
    const { dataset, answers, output = null, server, json = false, model = "Answers" } = values;
    if (json) refuseStdout("output", output);
    const options = { ...readJsonObject(values.options), ...judgesOf(values.judge) };
    const rows = await answerLines(answers, stdin);
    await withService({ server, scope: "submit", stderr }, async (service) => {
      const reference = await upload(service, suite, dataset, (line) => stderr.write(`${line}\n`));
      const head = { suite: suite.id, dataset: reference, visibility: "unlisted", options };
      const { runs } = await submitAnswers(service, {
        head: { ...head, model: { name: model } },
        lines: () => rows,
        tooLarge: [`${answers}: the answers`, "judge fewer at a time"],
      });
      const ids = runs.map(({ id }) => id);
      const advice = `the service continues; assay status ${ids.join(" ")} --wait follows it`;
      const [run] = await followSubmission(service, ids, advice, stderr);
      if (run === undefined) throw new Error("the submission has no run");
      if (output !== null && run.status === "finished") {
        const path = `/v1/runs/${encodeURIComponent(run.id)}/answers.jsonl?judgments=true`;
        const body = Readable.fromWeb((await service.download(path)) as never);
        await (output === "-" ? pipeline(body, stdout, { end: false }) : saveStream(body, output));
      }
      const shown = suite.metrics.filter(({ id }) => suite.boardMetrics.includes(id));
      const text = () => `${runsText([run])}\n\n${figuresText([{ run, outcomes: [] }], shown)}`;
      const stream = output === "-" ? stderr : stdout;
      stream.write(`${json ? JSON.stringify(run, null, 2) : text()}\n`);
      const failure = failureOf(run);
      if (failure !== null) throw new NotPassed(`${run.id} ${failure}`);
      const coverage = run.metrics?.[run.headline]?.coverage ?? 0;
      if (coverage < 1) {
        const share = `${Math.round(100 * (1 - coverage))}% of the answers`;
        throw new NotPassed(`${share} lack a judgment: run the command again to ask only for these`);
      }
    });
  },
});

/** Rows of answers as JSON. Throws BadInput. */
async function answerLines(path: string, stdin: Readable): Promise<string[]> {
  const { fd, name } = await openSeekable(path, stdin);
  try {
    const rows: string[] = [];
    for (const { bytes, number } of readLines(fd, name)) {
      const row = parseRow(bytes);
      if (!row.ok) throw badLine(name, number, row.error);
      rows.push(JSON.stringify(answerRow(row.value)));
    }
    if (rows.length === 0) throw new BadInput(`${name}: no answers found`);
    return rows;
  } finally {
    closeSync(fd);
  }
}

/** Uploads the samples, unlisted, and gives their name and version. Throws BadInput. */
async function upload(
  service: ServiceClient,
  suite: Suite,
  source: string,
  print: (line: string) => void,
): Promise<string> {
  const { owner } = (await service.get("/v1/usage", usageSchema.pick({ owner: true }))).value;
  const { checked, uploaded } = await importDataset({
    source,
    suite,
    config: null,
    split: null,
    revision: null,
    cacheFolder: defaultCacheFolder(),
    onProgress: () => {},
    out: null,
    stdout: process.stdout,
    upload: {
      service,
      name: `${owner}/judged-files`,
      visibility: "unlisted",
      license: null,
      correction: null,
      clusters: null,
    },
  });
  for (const line of malformedLines(source, checked)) print(line);
  return `${uploaded?.name}@${uploaded?.version}`;
}
