import { existsSync } from "node:fs";
import { suites } from "#shared/suites/registry.ts";
import { BadInput } from "../bad-input.ts";
import { runVariables } from "../config/overlaid.ts";
import { keyHelp, serverHelp, serviceFlags, serviceOf } from "../remote/service-flags.ts";
import { askedRun } from "../run/asked-run.ts";
import { limitOf } from "../run/limit.ts";
import { runPlan, type Task } from "../run/run-plan.ts";
import { chosenSuite } from "../score/read-options.ts";
import { command } from "./command.ts";

/** What assay init writes. */
const USUAL_FILE = "assay.yaml";

const variables = Object.keys(runVariables);
/** So many stand on a line. */
const HALF = 5;

const help = `assay run [suite] [--config FILE] [--model NAME --base-url URL] [options]

Evaluates models: submits them to a service, follows the runs and prints what they scored, with 95%
intervals.

  [suite]             ${suites.map(({ id }) => id).join(", ")}; without it the file's, else extraction
  --config FILE       a YAML file; assay init writes one, assay validate-config checks it
  --model NAME        what the endpoint calls the model; give it once for each of several; goes before the
                      file's models and has the endpoint of the file's first one
  --base-url URL      an OpenAI-compatible endpoint, for all models
  --api-key-env NAME  the environment variable that holds the endpoint's key
  --dataset NAME      a dataset of the service, name or name@version
  --sample N          evaluate N samples only; such a run is not ranked
  --seed N            which ones: the same seed draws the same; without it, 0
  --concurrency N     requests at once, 1 to 200
  --unlisted          show the runs to nobody but whoever knows their ids
  --fail-under METRIC=VALUE
                      end with 1 where a run has less; of metrics where lower is better, such as
                      hallucinationRate=0.05 or latencyP95=2000, where it has more. Shares go from 0 to 1,
                      times are in ms. Give it once for each metric
  --junit FILE        write JUnit XML: a test case for each model and limit
  --output DIR        write run.json of each run into a folder there, named by its id, and samples.jsonl of
                      each that finished
  --no-wait           submit, print the ids and end
  --dry-run           submit nothing: check all of it and say what it would take
  ${serverHelp.replace("URL", "URL  ")}
  --json              print {submission, passed, limits, runs} as one JSON object
  --help              show this

What flags say goes before the environment, and that before the file. Variables:
  ${variables.slice(0, HALF).join(", ")},
  ${variables.slice(HALF).join(", ")}

${keyHelp}
Keys of endpoints are taken from the environment alone, too.

Runs go on at the service when this command is stopped.

Exit code: 0 when every run finished and met its limits; 1 when one did not; 2 for input that needs a
change, and when the service can't be reached or refuses.

Examples
  assay run --config assay.yaml --fail-under eqs=0.8 --junit out.xml
  assay run extraction --model llama3.1 --base-url http://localhost:11434/v1 --dataset stock --sample 20
  assay run slots --model a --model b --base-url https://api.example.com/v1 --api-key-env EXAMPLE_KEY \\
    --dataset stock --fail-under f1=0.9 --output results`;

const flags = {
  ...serviceFlags,
  config: { type: "string" },
  model: { type: "string", multiple: true },
  "base-url": { type: "string" },
  "api-key-env": { type: "string" },
  dataset: { type: "string" },
  sample: { type: "string" },
  seed: { type: "string" },
  concurrency: { type: "string" },
  unlisted: { type: "boolean" },
  "fail-under": { type: "string", multiple: true },
  junit: { type: "string" },
  output: { type: "string" },
  "no-wait": { type: "boolean" },
  "dry-run": { type: "boolean" },
  json: { type: "boolean" },
} as const;

/** `assay run`: evaluates models at a service. */
export const runCommand = command({
  name: "run",
  summary: "evaluate models, from a config file or flags",
  help,
  flags,
  async run(values, positionals, terminal) {
    const { config: file, model: models, "no-wait": noWait, "dry-run": dryRun } = values;
    refuseUnmet(values);
    const suite = positionals.length > 0 ? chosenSuite(positionals).id : undefined;
    if (file === undefined && models === undefined && !process.env["ASSAY_MODEL"]) {
      const hint = existsSync(USUAL_FILE) ? `--config ${USUAL_FILE}` : "--config FILE";
      throw new BadInput(
        `give ${hint}, or --model NAME --base-url URL --dataset NAME; assay init writes a config file`,
      );
    }
    const { plan, config } = askedRun(file, { ...values, suite, models }, terminal.stderr);
    const given = (values["fail-under"] ?? []).map((one) => limitOf(plan.suite, one));
    const isGiven = new Set(given.map(({ metric }) => metric.id));
    const limits = [...given, ...plan.limits.filter(({ metric }) => !isGiven.has(metric.id))];
    const mode: Task["mode"] = dryRun ? "estimate" : noWait ? "submit" : "follow";
    const task = { plan, limits, output: config.output ?? {}, mode, json: values.json ?? false };
    await runPlan(serviceOf(values, "submit"), task, terminal);
  },
});

/** Whoever does not wait learns nothing that could be judged or written. */
function refuseUnmet(values: Partial<Record<string, unknown>>): void {
  const hasty = ["no-wait", "dry-run"].find((name) => values[name]);
  const late = ["fail-under", "junit", "output"].find((name) => values[name] !== undefined);
  if (values["no-wait"] && values["dry-run"]) {
    throw new BadInput("--no-wait and --dry-run: give one");
  }
  if (hasty === undefined || late === undefined) return;
  throw new BadInput(`--${late} needs the outcome, which --${hasty} does not wait for: give one`);
}
