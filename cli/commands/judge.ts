import { closeSync, readFileSync } from "node:fs";
import { Readable } from "node:stream";
import type { Json, JsonObject } from "#shared/contracts/json.ts";
import { runSchema } from "#shared/contracts/run.ts";
import { suites } from "#shared/suites/registry.ts";
import { command, jsonFlag, valueFlag } from "../command-line/command.ts";
import { BadInput, badLine, NotPassed } from "../errors.ts";
import { openSeekable, readJsonObject } from "../files/open-file.ts";
import { printStream, refuseStdout, saveStream } from "../files/output-file.ts";
import { idOf, parseRow, readLines } from "../files/read-lines.ts";
import { withService } from "../local/with-service.ts";
import { followSubmission } from "../remote/follow-runs.ts";
import { runsText } from "../remote/runs-text.ts";
import { keyVariable, serviceFlags } from "../remote/service-flags.ts";
import { startRuns, uploadUnlisted } from "../remote/start-runs.ts";
import { lackOf } from "../run/checked-run.ts";
import { estimateOf, judgesText } from "../run/estimate.ts";
import { figuresText } from "../run/figures-text.ts";
import { asLines, openDataset } from "../score/open-dataset.ts";
import { answerRow } from "../score/schema-problem.ts";
import { ownOptions } from "../score/score-paths.ts";
import { judgeFlag, judgeModeFlag, judgesOf } from "./rescore.ts";
import { fileFlags } from "./score.ts";

const judgedSuites = suites.flatMap(({ id, judging }) => (judging ? [id] : []));

const flags = {
  ...fileFlags,
  judge: judgeFlag,
  "judge-mode": judgeModeFlag,
  options: valueFlag("FILE", "Options of the suite, a JSON object"),
  output: valueFlag(
    "FILE",
    "Write the answers with their judgments; - writes to standard output and moves the score to standard error",
  ),
  json: jsonFlag(runSchema, "Print the run as JSON, as in GET /v1/runs/<id>"),
  ...serviceFlags,
} as const;

/** `assay judge`: has judges judge a file of answers. */
export const judgeCommand = command({
  name: "judge",
  summary: "have models judge a file of answers",
  description: [
    "Has judges judge answers made elsewhere, prints the score, and writes the answers with their judgments. Starts a service on this machine if none is running.",
  ],
  positionals: [{ name: "suite", help: "Suite of the samples", choices: judgedSuites }],
  flags,
  environment: keyVariable,
  exitCodes: { 1: "Judging failed or was stopped, or a judgment is missing" },
  notes: [
    "Judgments are stored: the same judge is asked only once about the same answer, also by later commands and runs. Judgments in the answers, written by --output or by assay export --what answers --judgments, are used if judge, prompt and inputs are the same. This needs a service on this machine, or a key with the scope admin.",
    "The written file is input for assay score, which calls no judge, and for POST /v1/submissions with the option judge set to recorded. The dataset and the run are unlisted.",
  ],
  examples: [
    "assay judge memory --dataset samples.jsonl --answers answers.jsonl \\",
    "  --judge openai:gpt-6-luna --output judged.jsonl",
    "assay judge rubric --rubric rubric.yaml --dataset samples.jsonl --answers answers.jsonl",
  ],
  async run(values, [suiteId], { stdin, stdout, stderr }) {
    const { dataset, answers, output = null, server, json = false } = values;
    if (json) refuseStdout("output", output);
    const options = {
      ...readJsonObject(values.options),
      ...ownOptions(values),
      ...judgesOf(values.judge),
      ...(values["judge-mode"] && { judgeMode: values["judge-mode"] }),
    };
    const rows = await answerRows(answers, stdin);
    refuseRepeated(answers, rows, options);
    const models = [{ name: "Answers", answers: rows }];
    await withService({ server, scope: "submit", stderr }, async (service) => {
      const uploaded = await uploadUnlisted(service, {
        suite: suiteId,
        name: "judged-files",
        rows: sampleRows(dataset),
      });
      const body = { suite: suiteId, dataset: uploaded, visibility: "unlisted", options, models };
      const judges = judgesText(await estimateOf(service, body));
      if (judges !== "") stderr.write(`${judges}\n`);
      const started = await startRuns(service, body);
      const ids = started.runs.map(({ id }) => id);
      const advice = `the service continues; assay status ${started.id} --wait follows it`;
      const [run] = await followSubmission(service, ids, advice, stderr);
      if (run === undefined) throw new Error("the submission has no run");
      if (output !== null && run.status === "finished") {
        const path = `/v1/runs/${encodeURIComponent(run.id)}/answers.jsonl?judgments=true`;
        const judged = Readable.fromWeb((await service.download(path)) as never);
        if (output === "-") await printStream(judged, stdout);
        else await saveStream(judged, output);
      }
      const figures = figuresText([{ run, outcomes: [] }]);
      const text = [runsText([run], stdout), ...(figures && ["", figures])].join("\n");
      const printed = json ? flags.json.text(run) : text;
      (output === "-" ? stderr : stdout).write(`${printed}\n`);
      const lack = lackOf(run);
      if (lack !== null) throw new NotPassed(`${run.id} ${lack}`);
    });
  },
});

/** Throws BadInput for more answers to a sample than the options allow. */
function refuseRepeated(file: string, rows: readonly Json[], { repeats = 1 }: JsonObject): void {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const id = idOf(row);
    if (id !== null) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  const [worst] = [...counts].toSorted(([, a], [, b]) => b - a);
  if (worst === undefined || typeof repeats !== "number" || worst[1] <= repeats) return;
  const [id, count] = worst;
  throw new BadInput(
    `${file}: sample ${JSON.stringify(id)} has ${count} answers: give --repeats ${count}`,
  );
}

/** Rows of a file of answers. Throws BadInput. */
async function answerRows(path: string, stdin: Readable): Promise<Json[]> {
  const file = asLines(await openSeekable(path, stdin));
  const { fd, name } = file;
  try {
    const rows: Json[] = [];
    for (const { bytes, number } of readLines(fd, name)) {
      const row = parseRow(bytes);
      if (!row.ok) throw badLine(file, number, row.error);
      rows.push(answerRow(row.value));
    }
    if (rows.length === 0) throw new BadInput(`${name}: no answers found`);
    return rows;
  } finally {
    closeSync(fd);
  }
}

/** The samples of a file. Throws BadInput. */
function sampleRows(file: string): Buffer {
  const { fd } = openDataset(file);
  const rows = readFileSync(fd);
  closeSync(fd);
  return rows;
}
