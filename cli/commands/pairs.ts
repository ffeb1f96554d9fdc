import { z } from "zod";
import { bounds } from "#shared/contracts/bounds.ts";
import type { Json, JsonObject } from "#shared/contracts/json.ts";
import { type Run, runSchema } from "#shared/contracts/run.ts";
import { submissionEstimateSchema } from "#shared/contracts/submissions/estimate.ts";
import { providerNames, providerOf } from "#shared/contracts/submissions/providers.ts";
import { runReport } from "#shared/measures/report/run/run-report.ts";
import { suiteById } from "#shared/suites/registry.ts";
import { command, jsonFlag, valueFlag } from "../command-line/command.ts";
import { suiteNamed } from "../command-line/suite-choice.ts";
import { variableName } from "../config/override-config.ts";
import type { SubmissionInput } from "../config/plan.ts";
import { BadInput, NotPassed } from "../errors.ts";
import { readJsonObject } from "../files/open-file.ts";
import { withService } from "../local/with-service.ts";
import { followSubmission } from "../remote/follow-runs.ts";
import { RUN_OR_SUBMISSION, runIds, runsOf, runsText } from "../remote/runs-text.ts";
import type { ServiceClient } from "../remote/service-client.ts";
import { keyVariable, serviceFlags } from "../remote/service-flags.ts";
import { startRuns, uploadUnlisted } from "../remote/start-runs.ts";
import { failureOf } from "../run/checked-run.ts";
import {
  endpointKeys,
  refuseUnencrypted,
  sharedKey,
  withEndpointKeys,
  withoutKeys,
} from "../run/endpoint-keys.ts";
import { estimateOf, estimateText } from "../run/estimate.ts";
import { answerTexts, askedSamples, pairRows } from "../run/pair-answers.ts";
import { tableLines } from "../score/summary-text.ts";
import { printable } from "../terminal/text.ts";

/** Maximum pairs without `--pairs`, which limits accidental cost. */
const USUAL_PAIRS = 1_000;

const flags = {
  judge: valueFlag(
    "NAME",
    "Model that judges, as provider:model, or the name of a model at --base-url; several are compared",
    { multiple: true, required: true },
  ),
  "base-url": valueFlag("URL", "Endpoint of judges without a provider"),
  "api-key-env": valueFlag(
    "NAME",
    "Environment variable that holds the endpoint's key; by default the variable of the provider",
  ),
  pairs: valueFlag("N", "Judge only N pairs, chosen at random by --seed", {
    default: `${USUAL_PAIRS}`,
  }),
  seed: valueFlag("N", "Seed that selects these pairs", { default: "0" }),
  options: valueFlag("FILE", "Options of the suite pairs, a JSON object"),
  "dry-run": {
    type: "boolean",
    help: "Upload the pairs and estimate the cost, without asking a judge",
  },
  json: jsonFlag(
    z.union([z.array(runSchema), submissionEstimateSchema]),
    "Print the runs of the judges as one JSON array, with --dry-run the estimate",
  ),
  ...serviceFlags,
} as const;

/** `assay pairs`: has a judge compare the stored answers of runs in pairs. */
export const pairsCommand = command({
  name: "pairs",
  summary: "have a judge compare the stored answers of runs in pairs",
  description: [
    "Makes pairs of the stored answers of runs on the same dataset, has a judge say which of two answers is better, in both orders, and prints Bradley–Terry scores of the models with 95% intervals. No model under test is called. Starts a service on this machine if none is running.",
  ],
  positionals: [{ name: "id", help: RUN_OR_SUBMISSION, many: true }],
  flags,
  environment: keyVariable,
  exitCodes: { 1: "A run of a judge failed, was cancelled or paused" },
  notes: [
    "A pair takes two requests, one for each order. Pairs whose orders differ count as ties. The judge sees the sample's text and the answers, without thoughts and without names of models.",
    "The pairs are uploaded as an unlisted dataset of the suite pairs; the runs of the judges are unlisted, and on no board. To compare judges by labels, use assay run pairs.",
  ],
  examples: [
    "assay pairs run_01a2b3c4 run_05d6e7f8 --judge openai:gpt-6-luna",
    "assay pairs sub_01a2b3c4 --judge openai:gpt-6-luna --judge anthropic:claude-opus-5-5 --pairs 200",
    "assay pairs sub_01a2b3c4 --judge my-judge --base-url http://localhost:8000/v1",
  ],
  async run(values, given, { stdout, stderr }) {
    const most = wholeNumber("pairs", values.pairs ?? `${USUAL_PAIRS}`, 1);
    const seed = `${wholeNumber("seed", values.seed ?? "0", 0)}`;
    const options = { rankBy: "consistency", ...readJsonObject(values.options) };
    const models = values.judge.map((name) => judgeOf(name, values["base-url"]));
    const variable = variableName(values["api-key-env"]);
    const { server, json = false, "dry-run": isDry } = values;
    await withService({ server, scope: "submit", stderr }, async (service) => {
      const compared = await runsOf(service, await runIds(service, given));
      const rows = await pairsOfRuns(service, compared, { most, seed });
      const count = `${rows.length} pairs, 2 requests each`;
      stderr.write(`${count}, to ${values.judge.map(printable).join(", ")}\n`);
      const request: SubmissionInput = {
        suite: "pairs",
        dataset: await upload(service, rows),
        visibility: "unlisted",
        options,
        models: models.map(({ model }) => model),
      };
      const secrets = models.map(({ keyVariable: name }) => ({
        apiKey: name === null ? null : { variable: name },
        headers: {},
      }));
      const keys =
        variable === undefined
          ? endpointKeys({ request, secrets }, process.env)
          : sharedKey(variable, process.env);
      refuseUnencrypted(service.origin, keys);
      const body = withEndpointKeys(request, keys);
      if (isDry) {
        const estimate = await withoutKeys(keys, () => estimateOf(service, body));
        stdout.write(`${json ? flags.json.text(estimate) : estimateText(estimate)}\n`);
        return;
      }
      const started = await withoutKeys(keys, () => startRuns(service, body));
      const ids = started.runs.map(({ id }) => id);
      const advice = `the service continues; assay status ${started.id} --wait follows it`;
      const runs = await followSubmission(service, ids, advice, stderr);
      const text = [runsText(runs), ...runs.flatMap(strengthLines)].join("\n");
      stdout.write(`${json ? flags.json.text(runs) : text}\n`);
      const failures = runs.flatMap((run) => {
        const why = failureOf(run);
        return why === null ? [] : [`${run.id} ${why}`];
      });
      if (failures.length > 0) throw new NotPassed(failures.join("; "));
    });
  },
});

/** Throws BadInput. */
function wholeNumber(flag: string, text: string, least: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least) return value;
  throw new BadInput(`--${flag} must be a whole number from ${least}, not "${text}"`);
}

/** A judge as a model of a submission, with the variable of its key. Throws BadInput. */
function judgeOf(name: string, baseUrl: string | undefined) {
  if (baseUrl !== undefined) {
    return { model: { name, endpoint: { baseUrl, model: name } }, keyVariable: null };
  }
  const at = name.indexOf(":");
  const provider = providerNames.find((one) => one === name.slice(0, Math.max(0, at)));
  if (provider === undefined) {
    const known = providerNames.join(", ");
    throw new BadInput(
      `--judge ${name} names no provider: give provider:model, with one of ${known}, or --base-url`,
    );
  }
  const model = name.slice(at + 1);
  const { keyVariable } = providerOf(provider);
  return { model: { name: model, endpoint: { provider, model } }, keyVariable };
}

/** Pairs of stored answers of runs. Throws BadInput. */
async function pairsOfRuns(
  service: ServiceClient,
  runs: readonly Run[],
  choice: { most: number; seed: string },
): Promise<JsonObject[]> {
  const [first] = runs;
  if (first === undefined || runs.length < 2) throw new BadInput("give two or more different runs");
  for (const { id, suite, dataset, status } of runs) {
    if (status !== "finished") throw new BadInput(`${id} is ${status}, not finished`);
    if (suite !== first.suite || dataset.version !== first.dataset.version) {
      throw new BadInput(`${id} and ${first.id} have different datasets: give runs of one`);
    }
  }
  const { suite: id, dataset } = first;
  const query = new URLSearchParams({ suite: id, dataset: `${dataset.name}@${dataset.version}` });
  const samples = askedSamples(suiteNamed(id), await rowsAt(service, `/v1/dataset.jsonl?${query}`));
  const slugs = runs.map(({ model }) => model.slug);
  const answered = [];
  for (const { id: run, model } of runs) {
    const rows = await rowsAt(service, `/v1/runs/${encodeURIComponent(run)}/answers.jsonl`);
    const isOnly = slugs.filter((slug) => slug === model.slug).length === 1;
    const name = isOnly ? model.slug : `${model.slug} ${run}`;
    answered.push({ model: name, answers: answerTexts(rows) });
  }
  const rows = pairRows(samples, answered, choice);
  if (rows.length === 0) throw new BadInput("no sample has answers of two of these runs");
  return rows;
}

async function rowsAt(service: ServiceClient, path: string): Promise<Json[]> {
  const text = await new Response(await service.download(path)).text();
  return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Json]));
}

/** Uploads the pairs as unlisted; returns their name and version. Throws BadInput. */
function upload(service: ServiceClient, rows: readonly JsonObject[]): Promise<string> {
  const bytes = Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  if (bytes.length > bounds.bodyBytes) {
    const most = `${bounds.bodyBytes >> 20} MB, the limit of a service`;
    throw new BadInput(`the pairs take more than ${most}: choose fewer with --pairs`);
  }
  return uploadUnlisted(service, { suite: "pairs", name: "compared-answers", rows: bytes });
}

/** The Bradley–Terry scores by a judge, and other influences on its verdicts, from the run's report. */
function strengthLines(run: Run): string[] {
  const { sections } = runReport(suiteById(run.suite), run, []);
  const blocks = sections
    .filter(({ id }) => id === "models" || id === "bias")
    .toReversed()
    .flatMap((section) => section.blocks.filter(({ brief }) => brief));
  return blocks.flatMap((block) => {
    const title = `${block.title}, by ${run.model.name}`;
    if (block.kind === "table") return ["", printable(title), ...tableLines(block)];
    return block.kind === "note" ? ["", printable(title), printable(block.text)] : [];
  });
}
