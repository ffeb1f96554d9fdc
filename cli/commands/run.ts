import { existsSync } from "node:fs";
import type { Writable } from "node:stream";
import type { Visibility } from "#shared/contracts/dataset.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { suites } from "#shared/suites/registry.ts";
import { BadInput } from "../bad-input.ts";
import { runVariables, variableName } from "../config/overlaid.ts";
import type { Plan } from "../config/plan.ts";
import { withService } from "../local/own-service.ts";
import { isThisMachine, KEY_VARIABLE, serviceAccess } from "../remote/service-access.ts";
import { serviceClient } from "../remote/service-client.ts";
import { keyHelp, serviceFlags } from "../remote/service-flags.ts";
import { askedRun } from "../run/asked-run.ts";
import { endpointKeys, sharedKey } from "../run/endpoint-keys.ts";
import { joinedLimits, limitsGiven } from "../run/limit.ts";
import { LATEST } from "../run/resume-runs.ts";
import { runPlan, type Task } from "../run/run-plan.ts";
import { chosenSuite } from "../score/score-paths.ts";
import { command } from "./command.ts";

/** What assay init writes. */
const USUAL_FILE = "assay.yaml";

const variables = Object.keys(runVariables);
/** So many stand on a line. */
const HALF = 5;

const help = `assay run [suite] [--config FILE] [--model NAME --base-url URL] [options]

Evaluates models: submits them to a service, which is started where none runs, follows the runs and prints
what they scored, with 95% intervals.

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
  --fail-under TIER   the same for all thresholds of the report: minimum, target or excellence, of suites
                      that have them (extraction)
  --junit FILE        write JUnit XML: a test case for each model and limit
  --output DIR        write run.json of each run into a folder there, named by its id, and samples.jsonl of
                      each that finished; answers and the report, too, where the file asks for them
  --no-wait           submit, print the ids and end
  --dry-run           submit nothing: check all of it and say what it would take
  --resume [ID]       go on with what was begun: the newest run of the same config or flags; without these,
                      the newest of all; or a run or submission by its id
  --push URL          evaluate on this machine, also endpoints that nobody else reaches, and publish the
                      answers at the service there as self-reported: with times, tokens and the prompt's hash
  --push-dataset      upload the dataset there where the service lacks it
  --server URL        the service; without it ASSAY_URL; without that the one of this machine, which is
                      started for as long as it is needed where none runs
  --json              print {submission, passed, limits, runs} as one JSON object; with --push also pushed
  --help              show this

What flags say goes before the environment, and that before the file. Variables:
  ${variables.slice(0, HALF).join(", ")},
  ${variables.slice(HALF).join(", ")}

${keyHelp}
Keys of endpoints are taken from the environment alone, too. With --push the key is for the service there.

A service that is started here keeps its data in the folder .assay of Assay, or in that of ASSAY_FOLDER; its
port is 8787 or that of ASSAY_PORT, or one further on. It has the suites' stock datasets. Runs of any other
service go on there when this command is stopped.

--resume asks no sample again that was answered. A run under way is followed, and a paused one resumed; of a
run that has ended, samples that failed are asked again, with all of a unit that belongs together, and
judgments that lack. A submission whose reply got lost is sent again under its idempotency key, within 24
hours. Keys of endpoints are needed again where samples are. One that was cancelled stays so. What was begun
is noted in the folder cli of .assay, without any key.

Exit code: 0 when every run finished and met its limits; 1 when one did not, or had no request answered;
2 for input that needs a change, and when the service can't be reached or refuses.

Examples
  assay run --config assay.yaml --fail-under eqs=0.8 --junit out.xml
  assay run --config assay.yaml --fail-under target --fail-under latencyP95=5000
  assay run extraction --model llama3.1 --base-url http://localhost:11434/v1 --dataset stock --sample 20
  assay run slots --model a --model b --base-url https://api.example.com/v1 --api-key-env EXAMPLE_KEY \\
    --dataset stock --fail-under f1=0.9 --output results
  assay run --config assay.yaml --resume
  assay run --config assay.yaml --push https://assay.example.com`;

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
  resume: { type: "string" },
  push: { type: "string" },
  "push-dataset": { type: "boolean" },
  json: { type: "boolean" },
} as const;

/** `assay run`: evaluates models at a service. */
export const runCommand = command({
  name: "run",
  summary: "evaluate models, from a config file or flags",
  help,
  flags,
  usual: { resume: { value: LATEST, given: /^(latest|(run|sub)_)/ } },
  async run(values, positionals, terminal) {
    const { "no-wait": noWait, "dry-run": dryRun, server, json = false } = values;
    refuseUnmet(values);
    const mode: Task["mode"] = dryRun ? "estimate" : noWait ? "submit" : "follow";
    const asked = { ...askedTask(values, positionals, terminal.stderr), mode, json };
    const push = pushTarget(values);
    const lasting = noWait ? "--no-wait needs one that goes on" : null;
    const { stderr } = terminal;
    const wanted = { server: push === null ? server : localServer(server), stderr, lasting };
    await runPlan({ ...asked, push }, terminal, (work) =>
      withService({ ...wanted, scope: "submit", isHere: push !== null }, work),
    );
  },
});

type Values = Parameters<typeof runCommand.run>[0];

/** What flags, environment and file ask for. */
function askedTask(
  values: Values,
  positionals: string[],
  stderr: Writable,
): Omit<Task, "mode" | "json" | "push"> {
  const { config: file, model: models, resume = null, "api-key-env": variable } = values;
  const suite = positionals.length > 0 ? chosenSuite(positionals).id : undefined;
  const isAsked = file !== undefined || models !== undefined || process.env["ASSAY_MODEL"];
  const limitsOf = (plan: Plan | null) => (of: Suite) =>
    joinedLimits(limitsGiven(of, values["fail-under"] ?? []), plan?.limits ?? []);
  if (!isAsked) {
    if (resume === null) throw new BadInput(nothingAsked());
    refuseLoose(values, suite);
    const { output: results_dir, junit } = values;
    const output = { ...(results_dir && { results_dir }), ...(junit && { junit }) };
    const keys = sharedKey(variableName(variable), process.env);
    return { request: null, keys, limits: limitsOf(null), shown: [], output, resume };
  }
  const { plan, config } = askedRun(file, { ...values, suite, models }, stderr);
  limitsOf(plan)(plan.suite);
  return {
    request: plan.request,
    keys: endpointKeys(plan, process.env),
    shown: plan.shown,
    limits: limitsOf(plan),
    output: config.output ?? {},
    resume,
  };
}

function nothingAsked(): string {
  const hint = existsSync(USUAL_FILE) ? `--config ${USUAL_FILE}` : "--config FILE";
  return `give ${hint}, or --model NAME --base-url URL --dataset NAME; assay init writes a config file`;
}

/** What was submitted is not changed afterwards. */
function refuseLoose(values: Values, suite: string | undefined): void {
  const fixed = ["base-url", "dataset", "sample", "seed", "concurrency"] as const;
  const loose = fixed.find((name) => values[name] !== undefined);
  if (loose === undefined && suite === undefined) return;
  const what = loose === undefined ? `the suite ${suite}` : `--${loose}`;
  throw new BadInput(
    `${what}: what is resumed was settled when it was submitted: leave it out, or give --config or --model as then`,
  );
}

/** Where answers are to be published; null where they are not. Throws BadInput. */
function pushTarget({ push, "push-dataset": mayUpload = false, unlisted }: Values) {
  if (push === undefined) {
    if (mayUpload) throw new BadInput("--push-dataset is of --push URL: give both");
    return null;
  }
  const access = serviceAccess(push, process.env[KEY_VARIABLE], "--push");
  const visibility: Visibility = unlisted ? "unlisted" : "public";
  return { service: serviceClient(access, "submit"), mayUpload, visibility };
}

/** With --push models are evaluated on this machine. Throws BadInput. */
function localServer(server: string | undefined): string | undefined {
  if (server === undefined) return undefined;
  const { origin } = serviceAccess(server, undefined);
  if (isThisMachine(new URL(origin).hostname)) return server;
  throw new BadInput(
    `--push publishes what is evaluated on this machine, and --server ${origin} is elsewhere: leave one out`,
  );
}

/** Whoever does not wait learns nothing that could be judged or written. */
function refuseUnmet(values: Partial<Record<string, unknown>>): void {
  const hasty = ["no-wait", "dry-run"].find((name) => values[name]);
  const late = ["fail-under", "junit", "output", "push"].find((name) => values[name] !== undefined);
  if (values["no-wait"] && values["dry-run"]) {
    throw new BadInput("--no-wait and --dry-run: give one");
  }
  if (values["dry-run"] && values["resume"] !== undefined) {
    throw new BadInput(
      "--resume goes on with what was submitted, and --dry-run submits nothing: give one",
    );
  }
  if (hasty === undefined || late === undefined) return;
  throw new BadInput(`--${late} needs the outcome, which --${hasty} does not wait for: give one`);
}
