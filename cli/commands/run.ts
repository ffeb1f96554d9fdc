import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Writable } from "node:stream";
import { visibilitySchema } from "#shared/contracts/datasets/dataset.ts";
import type { RunConfig } from "#shared/contracts/submissions/run-config.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { passProblem } from "#shared/measures/passes/pass-metrics.ts";
import { suiteOptions } from "#shared/measures/suite-options.ts";
import { command, jsonFlag, type Values, valueFlag } from "../command-line/command.ts";
import { suiteOfRun } from "../command-line/suite-choice.ts";
import { variableName } from "../config/override-config.ts";
import type { Plan } from "../config/plan.ts";
import { usualFiles } from "../config/read-run-config.ts";
import { BadInput } from "../errors.ts";
import { gateEnvironment, gateFlags, gateOfFlags } from "../gate/gate-flags.ts";
import type { RunGate } from "../gate/gate-runs.ts";
import { withService } from "../local/with-service.ts";
import { withStoredKey } from "../remote/credentials.ts";
import { isThisMachine, KEY_VARIABLE, serviceAccess } from "../remote/service-access.ts";
import { serviceClient } from "../remote/service-client.ts";
import { keyVariable, namedService } from "../remote/service-flags.ts";
import { runResultSchema } from "../run/checked-run.ts";
import { endpointKeys, sharedKey } from "../run/endpoint-keys.ts";
import { executeRun, type RunTask } from "../run/execute-run.ts";
import { failUnderFlag, type Limit, limitsOfFlags, mergeLimits } from "../run/limit.ts";
import { startTargets } from "../run/programs/run-targets.ts";
import { requestedRun } from "../run/requested-run.ts";
import { LATEST } from "../run/resume-runs.ts";
import { relayOf } from "../run/run-notes.ts";
import { prepareFolder } from "../run/run-outputs.ts";

const modeHelp = (who: string) =>
  `live, or batch: ${who} in batches of OpenAI, Anthropic, Google or Mistral, within a day, at half the price (default: live)`;

const visibilityHelp = "Public: listed and ranked; unlisted: visible to everyone with the id";

/** Flags of a run that a schedule also has. */
export const runFlags = {
  "base-url": valueFlag("URL", "Endpoint of all models", {
    env: "ASSAY_BASE_URL",
  }),
  "api-key-env": valueFlag("NAME", "Environment variable that holds the endpoint's key", {
    env: "ASSAY_API_KEY_ENV",
  }),
  dataset: valueFlag(
    "NAME",
    "Dataset of the service, as name or name@version; a file, which is uploaded; or owner/name or hf:owner/name of Hugging Face, which a service on this machine imports",
    { env: "ASSAY_DATASET" },
  ),
  sample: valueFlag("N", "Evaluate only N samples; such a run is not ranked", {
    env: "ASSAY_SAMPLE",
  }),
  seed: valueFlag("N", "Seed that selects these samples", { env: "ASSAY_SEED", default: "0" }),
  concurrency: valueFlag("N", "Concurrent requests, 1 to 200", { env: "ASSAY_CONCURRENCY" }),
  mode: valueFlag("MODE", modeHelp("the model answers")),
  "judge-mode": valueFlag("MODE", modeHelp("the judges judge")),
  visibility: valueFlag("LEVEL", visibilityHelp, {
    choices: visibilitySchema.options,
    default: "unlisted",
  }),
} as const;

const flags = {
  config: valueFlag("FILE", "YAML file; assay init writes one, assay validate-config checks it"),
  model: valueFlag(
    "NAME",
    "Name of the model at the endpoint; replaces the models of the config file and uses the endpoint of its first model",
    { env: "ASSAY_MODEL", multiple: true },
  ),
  models: valueFlag("NAME,NAME,…", "Several model names at once"),
  exec: valueFlag(
    "COMMAND",
    "Evaluate a program instead of an endpoint: it reads a JSON line for each request and writes one with the answer. --model names it",
    { multiple: true },
  ),
  processes: valueFlag(
    "N",
    "Number of processes of the program (default: --concurrency); with fewer, each gets several lines at once",
  ),
  http: valueFlag(
    "FILE|URL",
    "Evaluate an HTTP interface of any form: a template with url, headers, body and reply; or its address, which receives the JSON of a request",
    { multiple: true },
  ),
  ...runFlags,
  rubric: valueFlag("FILE", "For the suite rubric: the criteria, YAML or JSON"),
  "fail-under": failUnderFlag("a run scores"),
  junit: valueFlag("FILE", "Write JUnit XML: a test case for each model and limit", {
    env: "ASSAY_JUNIT",
  }),
  baseline: valueFlag(
    "BASELINE",
    "Compare with a baseline: the id of a run, a file, or branch:NAME[:PATH] for a file of a git branch (default PATH: assay-baseline.json)",
    { section: "Gate" },
  ),
  ...gateFlags,
  "save-baseline": valueFlag(
    "FILE",
    "Write the runs with their scores to FILE, as a baseline; only if everything passed",
    { section: "Gate" },
  ),
  output: valueFlag(
    "DIR",
    "Write run.json of each run to DIR/<run id>, with samples.jsonl of finished runs; answers and report if the config requests them",
    { env: "ASSAY_OUTPUT" },
  ),
  "no-wait": { type: "boolean", help: "Submit, print the ids and exit" },
  "dry-run": { type: "boolean", help: "Check and estimate the cost, without submitting" },
  resume: valueFlag(
    "ID",
    "Continue an interrupted run or submission: the one with this id, else the newest with the same config or flags; without an id, config or flags, the newest",
    { bare: { value: LATEST, given: /^(latest|(run|sub)_)/ } },
  ),
  push: valueFlag(
    "URL",
    "Evaluate on this machine and publish the answers at the service at URL, marked as self-reported, with times, tokens and the prompt's hash",
  ),
  "push-dataset": { type: "boolean", help: "With --push: upload the dataset if it is missing" },
  server: valueFlag(
    "URL",
    "Address of the service; by default the one on this machine, which is started for the duration of the command if none is running",
    { env: "ASSAY_URL" },
  ),
  json: jsonFlag(
    runResultSchema,
    "Print {submission, passed, limits, runs} as JSON; for variants also verdicts, with --baseline also gates, with --push also pushed; with --no-wait only {submission, runs}, with --dry-run the estimate",
  ),
} as const;

type RunValues = Values<typeof flags>;

/** `assay run`: evaluates models at a service. */
export const runCommand = command({
  name: "run",
  summary: "evaluate models, from a config file or flags",
  description: [
    "Submits models to a service, follows the runs and prints their scores with 95% intervals. Starts a service on this machine if none is running.",
  ],
  usage: [
    "assay run [suite] --config FILE [options]",
    "assay run [suite] --model NAME --base-url URL --dataset NAME [options]",
    "assay run [suite] --exec COMMAND --dataset NAME [options]",
  ],
  positionals: [suiteOfRun],
  flags,
  environment: {
    ...keyVariable,
    ...gateEnvironment,
    ASSAY_FOLDER: "Data folder of a service started here; default .assay",
    ASSAY_PORT: "Port of a service started here; default 8787, or the next free one",
  },
  exitCodes: {
    0: "Every run finished with enough coverage, met its limits and is no worse than the baseline",
    1: "A run failed, missed a limit or has a coverage below 95% (or --min-sample-share), or is worse than the baseline or not shown to be no worse",
  },
  notes: [
    "Precedence: flags, then environment, then config file. Keys are taken only from the environment; with --push, ASSAY_API_KEY is the key of the service there.",
    "If --model or --models is given without --base-url or --dataset, the missing values are read from assay.yaml or config.yaml in the working folder, if there is one.",
    "A service started here has the stock datasets. Runs at any other service continue when this command is stopped.",
    "A run is shown to be no worse if the 95% interval of the difference (run minus baseline) on the samples of both is above -N, or below N where lower is better, or if no compared sample scores worse. Runs are refused if suite, dataset version, samples drawn, repeats or scoring differ from the baseline; changes of model, prompt and settings are listed. With several models or variants, each is compared with the baseline's run of the same model and variant, or with the baseline's only run.",
    "A program runs in a shell on this machine, in the folder of the config file, else in the current folder. Without --concurrency, 4 processes run at once. They end with the command. Its runs are self-reported.",
    "--resume never repeats a sample that has an answer. It follows an active run and resumes a paused one, with the config's max_cost_usd, which may be higher than before. For an ended run, failed samples are sent again with the rest of their unit, and missing judgments are added. A cancelled run stays cancelled. A submission without a reply is sent again under its idempotency key, within 24 hours. Endpoint keys are needed again if samples are sent again. State is stored in .assay/cli, without keys of endpoints.",
  ],
  examples: [
    "assay run --config assay.yaml --fail-under eqs=0.8 --junit out.xml",
    "assay run --config assay.yaml --fail-under target --fail-under latencyP95=5000",
    "assay run extraction --model llama3.1 --base-url http://localhost:11434/v1 --dataset stock --sample 20",
    "assay run slots --model a --model b --base-url https://api.example.com/v1 \\",
    "  --api-key-env EXAMPLE_KEY --dataset stock --fail-under f1=0.9 --output results",
    "assay run extraction --exec 'python answer.py' --dataset stock --sample 20",
    "assay run --config assay.yaml --save-baseline assay-baseline.json",
    "assay run --config assay.yaml --baseline branch:main --non-inferior eqs=0.02",
    "assay run --config assay.yaml --resume",
    "assay run --config assay.yaml --push https://assay.example.com",
  ],
  async run(values, [suite], terminal) {
    const { "no-wait": noWait, "dry-run": dryRun, server, json = false } = values;
    refuseUnmet(values);
    const gate = runGate(values);
    const mode: RunTask["mode"] = dryRun ? "estimate" : noWait ? "submit" : "follow";
    const { plan, folder, ...asked } = askedTask(values, suite, terminal.stderr);
    const push = pushTarget(values);
    const lasting = noWait ? "--no-wait needs one that keeps running" : null;
    const { stderr } = terminal;
    const why = whyHere(plan, push !== null);
    if (noWait && why === TARGET_HERE) throw new BadInput(`--no-wait: ${TARGET_HERE}`);
    const wanted = { server: why === null ? server : localServer(values, why), stderr, lasting };
    const isHere = why !== null;
    const { answersFolder } = asked.needs;
    const targets = plan && (await targetsOf(plan, folder, asked.resume, mode === "estimate"));
    try {
      const keys = targets?.keys ?? asked.keys;
      const saveBaseline = values["save-baseline"] ?? null;
      const task: RunTask = { ...asked, keys, mode, json, push, gate, saveBaseline, targets };
      const isKeyElsewhere = push !== null;
      await executeRun(task, terminal, (work) =>
        withService({ ...wanted, scope: "submit", isHere, isKeyElsewhere, answersFolder }, work),
      );
    } finally {
      await targets?.stop();
    }
  },
});

/** Starts the local targets of a plan; null without any. */
function targetsOf(plan: Plan, folder: string, resume: string | null, isDry: boolean) {
  const hasTargets = plan.targets.some((one) => one !== null);
  const isAgain = hasTargets && resume !== null;
  const access = isAgain ? relayOf(resume === LATEST ? null : resume, plan) : null;
  return startTargets(plan, { folder, env: process.env, access, isDry });
}

const PUSH_HERE = "--push evaluates on this machine";
const TARGET_HERE = "a program (exec) or template (http) is asked by this command, on this machine";

/** Why the service must be on this machine; null if it need not. */
function whyHere(plan: Plan | null, isPushed: boolean): string | null {
  if (isPushed) return PUSH_HERE;
  return plan?.targets.some((one) => one !== null) ? TARGET_HERE : null;
}

/** Refuses flags that exclude each other. */
function refuseUnmet(values: Partial<Record<string, unknown>>): void {
  const hasty = ["no-wait", "dry-run"].find((name) => values[name]);
  const late = ["fail-under", "junit", "output", "push", "baseline", "save-baseline"].find(
    (name) => values[name] !== undefined,
  );
  if (values["no-wait"] && values["dry-run"]) {
    throw new BadInput("--no-wait and --dry-run exclude each other");
  }
  if (values["dry-run"] && values["resume"] !== undefined) {
    throw new BadInput("--resume and --dry-run exclude each other");
  }
  if (hasty === undefined || late === undefined) return;
  throw new BadInput(`--${late} needs the results; --${hasty} does not wait for them`);
}

/** The comparison with a baseline; null without one. Throws BadInput. */
function runGate(values: RunValues): RunGate | null {
  const { baseline } = values;
  const gate = gateOfFlags(values);
  if (gate === null && baseline === undefined) return null;
  if (gate === null)
    throw new BadInput("--baseline needs --non-inferior METRIC=N, such as eqs=0.02");
  if (baseline === undefined) {
    throw new BadInput("--non-inferior needs --baseline: a run, a file, or branch:NAME");
  }
  return { baseline, ...gate };
}

/** The task described by flags, environment and file. */
function askedTask(
  values: RunValues,
  suite: string | undefined,
  stderr: Writable,
): Omit<RunTask, "mode" | "json" | "push" | "gate" | "saveBaseline" | "targets"> & {
  plan: Plan | null;
  folder: string;
} {
  const { resume = null, "api-key-env": variable } = values;
  const models = namedModels(values);
  const file = values.config ?? usualFile(values, models, stderr);
  const isAsked =
    [file, models, values.exec, values.http].some((one) => one !== undefined) ||
    process.env["ASSAY_MODEL"];
  const limitsOf = (plan: Plan | null) => (of: Suite) =>
    mergeLimits(limitsOfFlags(of, values["fail-under"] ?? []), plan?.limits ?? []);
  if (!isAsked) {
    if (resume === null) throw new BadInput(nothingAsked());
    refuseLoose(values, suite);
    const { output: results_dir, junit } = values;
    const output = { ...(results_dir && { results_dir }), ...(junit && { junit }) };
    const keys = sharedKey(variableName(variable), process.env);
    const needs = { source: { config: null, split: null, cacheFolder: null }, answersFolder: null };
    const none = { plan: null, folder: ".", request: null, shown: [] };
    return { ...none, keys, needs, limits: limitsOf(null), output, resume };
  }
  const { plan, config, folder } = requestedRun(file, { ...values, suite, models }, stderr);
  refuseUnmeasured(limitsOf(plan)(plan.suite), plan);
  return {
    plan,
    folder,
    request: plan.request,
    keys: endpointKeys(plan, process.env),
    needs: { source: plan.source, answersFolder: answersFolderOf(plan, config) },
    shown: plan.shown,
    limits: limitsOf(plan),
    output: config.output ?? {},
    resume,
  };
}

/** The folder that a config names for reused answers, created; null: none. Throws BadInput if that is not possible. */
function answersFolderOf({ request }: Plan, { performance }: RunConfig): string | null {
  const folder = performance?.cache_dir;
  if (folder === undefined || request.options?.reuseAnswers !== true) return null;
  prepareFolder(folder);
  return resolve(folder);
}

/** Throws BadInput for a limit on a metric that these options don't measure, before any request. */
function refuseUnmeasured(limits: readonly Limit[], { suite, request }: Plan): void {
  const own = suite.optionsSchema.safeParse(suiteOptions(request.options ?? {}));
  for (const { metric } of own.success ? limits : []) {
    const problem = passProblem(metric.id, own.data);
    if (problem !== null) throw new BadInput(`a threshold of ${metric.id} ${problem}`);
  }
}

/** The names of --model and --models, each once; undefined without any. */
function namedModels({ model = [], models }: RunValues): string[] | undefined {
  const listed = (models ?? "").split(",").map((name) => name.trim());
  const all = [...new Set([...model, ...listed.filter(Boolean)])];
  if (models !== undefined && all.length === 0) {
    throw new BadInput("--models must be names of models, such as model-a,model-b");
  }
  return all.length === 0 ? undefined : all;
}

/** The default config file, used if flags name a model, but neither its endpoint nor a dataset. */
function usualFile(
  { "base-url": url, exec, http, dataset }: RunValues,
  models: readonly string[] | undefined,
  stderr: Writable,
): string | undefined {
  const isSaid = (flag: string | undefined, variable: string) =>
    flag !== undefined || Boolean(process.env[variable]?.trim());
  const isLocal = exec !== undefined || http !== undefined;
  const isAddressed = isLocal || isSaid(url, "ASSAY_BASE_URL");
  const isWhole = isAddressed && isSaid(dataset, "ASSAY_DATASET");
  const found = usualFiles.find((name) => existsSync(name));
  if (models === undefined || isWhole || found === undefined) return undefined;
  stderr.write(`${found}: read for what the flags leave out\n`);
  return found;
}

function nothingAsked(): string {
  const found = usualFiles.find((name) => existsSync(name));
  const hint = found === undefined ? "--config FILE" : `--config ${found}`;
  return `give ${hint}, --model NAME --base-url URL --dataset NAME, or --exec COMMAND --dataset NAME; assay init writes a config file`;
}

/** Refuses flags that would change a resumed submission. */
function refuseLoose(values: RunValues, suite: string | undefined): void {
  const fixed = [
    "base-url",
    "dataset",
    "sample",
    "seed",
    "concurrency",
    "mode",
    "judge-mode",
  ] as const;
  const loose = fixed.find((name) => values[name] !== undefined);
  if (loose === undefined && suite === undefined) return;
  const what = loose === undefined ? `the suite ${suite}` : `--${loose}`;
  throw new BadInput(
    `${what} cannot change on --resume: leave it out, or repeat the original --config or --model`,
  );
}

/** The service where answers are published; null without --push. Throws BadInput. */
function pushTarget({ push, "push-dataset": mayUpload = false, visibility: level }: RunValues) {
  if (push === undefined) {
    if (mayUpload) throw new BadInput("--push-dataset needs --push URL");
    return null;
  }
  const access = withStoredKey(serviceAccess(push, process.env[KEY_VARIABLE], "--push"));
  const visibility = visibilitySchema.parse(level ?? "unlisted");
  return { service: serviceClient(access, "submit"), mayUpload, visibility };
}

/**
 * The named local service. With --push, the environment names the remote service. Throws BadInput for a remote
 * --server.
 */
function localServer({ server, push }: RunValues, why: string): string | undefined {
  const named = push === undefined ? namedService({ server }) : server;
  if (named === undefined) return undefined;
  const { origin } = serviceAccess(named, undefined);
  if (isThisMachine(new URL(origin).hostname)) return server;
  const source = server === undefined ? "ASSAY_URL" : "--server";
  const advice = push === undefined ? "leave it out, and publish with --push URL" : "leave one out";
  throw new BadInput(`${why}, but ${source} ${origin} is elsewhere: ${advice}`);
}
