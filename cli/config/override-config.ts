import { visibilitySchema } from "#shared/contracts/datasets/dataset.ts";
import type { ConfigModel, RunConfig } from "#shared/contracts/submissions/run-config.ts";
import { hasUserInfo } from "#shared/contracts/text/web-address.ts";
import { BadInput } from "../errors.ts";
import { readHttpTemplate, readRubric } from "../files/yaml-file.ts";
import { targetName } from "./local-target.ts";

/** The flag that each environment variable replaces. */
export const runVariables = {
  ASSAY_MODEL: "model",
  ASSAY_BASE_URL: "base-url",
  ASSAY_API_KEY_ENV: "api-key-env",
  ASSAY_DATASET: "dataset",
  ASSAY_SAMPLE: "sample",
  ASSAY_SEED: "seed",
  ASSAY_CONCURRENCY: "concurrency",
  ASSAY_OUTPUT: "output",
  ASSAY_JUNIT: "junit",
} as const;

/** Unparsed values of flags and environment. */
export interface ConfigOverrides {
  suite?: string | undefined;
  models?: readonly string[] | undefined;
  exec?: readonly string[] | undefined;
  processes?: string | undefined;
  http?: readonly string[] | undefined;
  "base-url"?: string | undefined;
  "api-key-env"?: string | undefined;
  dataset?: string | undefined;
  rubric?: string | undefined;
  sample?: string | undefined;
  seed?: string | undefined;
  concurrency?: string | undefined;
  mode?: string | undefined;
  "judge-mode"?: string | undefined;
  output?: string | undefined;
  junit?: string | undefined;
  visibility?: string | undefined;
}

/** A config in which the given values replace the file's values. Throws BadInput. */
export function overrideConfig(config: RunConfig, given: ConfigOverrides): RunConfig {
  const n = wholeNumber(given.sample, "--sample", 1);
  const seed = wholeNumber(given.seed, "--seed", 0);
  const workers = wholeNumber(given.concurrency, "--concurrency", 1, 200);
  const { suite, dataset, rubric, output, junit, visibility } = given;
  const { models, model, ...rest } = withModels(config, given);
  const result: RunConfig = {
    ...rest,
    ...(models && { models }),
    ...(model && { model }),
    ...(suite !== undefined && { suite }),
    ...(rubric !== undefined && { rubric: readRubric(rubric) }),
    dataset: {
      ...config.dataset,
      ...(dataset !== undefined && { name: dataset }),
      ...(n !== undefined && { sample_size: n }),
      ...(seed !== undefined && { random_seed: seed }),
    },
    output: {
      ...config.output,
      ...(output !== undefined && { results_dir: output }),
      ...(junit !== undefined && { junit }),
    },
    performance: { ...config.performance, ...(workers !== undefined && { num_workers: workers }) },
    ...(visibility !== undefined && { visibility: visibilitySchema.parse(visibility) }),
    ...withModes(config, given),
  };
  if (seed !== undefined && result.dataset?.sample_size === undefined) {
    throw new BadInput("--seed needs --sample");
  }
  return result;
}

/** The options with the given modes. */
function withModes({ options }: RunConfig, given: ConfigOverrides): Pick<RunConfig, "options"> {
  const mode = askingMode(given.mode, "--mode");
  const judgeMode = askingMode(given["judge-mode"], "--judge-mode");
  const modes = { ...(mode && { mode }), ...(judgeMode && { judgeMode }) };
  return Object.keys(modes).length === 0 ? {} : { options: { ...options, ...modes } };
}

function askingMode(given: string | undefined, flag: string): string | undefined {
  if (given === undefined || given === "live" || given === "batch") return given;
  throw new BadInput(`${flag} must be live or batch, not "${given}"`);
}

function wholeNumber(
  text: string | undefined,
  flag: string,
  min: number,
  max = Number.MAX_SAFE_INTEGER,
): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  const range = max === Number.MAX_SAFE_INTEGER ? `from ${min} on` : `from ${min} to ${max}`;
  throw new BadInput(`${flag} must be a whole number ${range}, not "${text}"`);
}

function withModels(config: RunConfig, given: ConfigOverrides): RunConfig {
  const processes = wholeNumber(given.processes, "--processes", 1, 200);
  if (processes !== undefined && given.exec === undefined) {
    throw new BadInput("--processes needs --exec");
  }
  const targets = [
    ...(given.exec ?? []).map((exec) => ({ named: exec, exec, ...(processes && { processes }) })),
    ...(given.http ?? []).map((named) => ({ named, http: readHttpTemplate(named) })),
  ];
  return targets.length > 0 ? withTargets(config, given, targets) : withEndpoints(config, given);
}

/** Local targets replace the file's models; the first --model names the first target, and so on. */
function withTargets(
  config: RunConfig,
  given: ConfigOverrides,
  targets: readonly ({ named: string } & Partial<ConfigModel>)[],
): RunConfig {
  const { models: names = [], "base-url": url, "api-key-env": variable } = given;
  const loose = url !== undefined ? "--base-url" : variable !== undefined ? "--api-key-env" : null;
  if (loose !== null) throw new BadInput(`${loose} is of an endpoint, not of --exec or --http`);
  if (names.length > targets.length) {
    throw new BadInput(
      `there are ${names.length} names (--model) for ${targets.length} of --exec and --http`,
    );
  }
  const { model, models, ...rest } = config;
  const { provider, base_url, protocol, batches, api_key_env, api_key, headers, ...first } = asked(
    model ?? models?.[0],
  );
  const { exec, processes, http, runner, ...usual } = first;
  const made = targets.map(({ named, ...target }, i) => ({
    ...usual,
    name: names[i] ?? targetName(named),
    ...target,
  }));
  return { ...rest, models: made };
}

/** Named models replace the file's models, and use the endpoint of the file's first model. */
function withEndpoints(config: RunConfig, given: ConfigOverrides): RunConfig {
  const { "base-url": url, "api-key-env": variable } = given;
  if (url !== undefined) refuseUserInfo(url, "--base-url");
  if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? "")) {
    throw new BadInput(
      `--base-url must be an address such as https://api.example.com/v1, not "${url}"`,
    );
  }
  variableName(variable);
  const change = {
    ...(url !== undefined && { base_url: url }),
    ...(variable !== undefined && { api_key_env: variable }),
  };
  // The file's secrets are not sent to another address, and its key is not sent if a flag names a variable.
  const kept = ({ api_key, ...model }: ConfigModel): ConfigModel => {
    if (url === undefined) {
      return { ...model, ...(api_key && variable === undefined && { api_key }) };
    }
    const { provider, protocol, headers, hybrid, runner, ...own } = model;
    return own;
  };
  const named = given.models ?? [];
  if (named.length === 0) {
    const { model, models } = config;
    return {
      ...config,
      ...(model && { model: { ...kept(model), ...change } }),
      ...(models && { models: models.map((one) => ({ ...kept(one), ...change })) }),
    };
  }
  const { model, models, ...rest } = config;
  const first = model ?? models?.[0];
  const usual = first && kept(first);
  return { ...rest, models: named.map((name) => ({ ...asked(usual), name, ...change })) };
}

/** Throws BadInput if an address contains a user name or password, which is not repeated. */
export function refuseUserInfo(address: string, source: string): void {
  if (!hasUserInfo(address)) return;
  throw new BadInput(
    `${source} must not contain a user name or password: remove them, and give a key with --api-key-env`,
  );
}

/** The name of a variable with an endpoint's key, as given. Throws BadInput. */
export function variableName(given: string | undefined): string | undefined {
  if (given === undefined || /^[A-Z_][A-Z0-9_]*$/.test(given)) return given;
  // The value may be the key itself, so the message does not quote it.
  throw new BadInput(
    "--api-key-env must be the name of an environment variable, such as MODEL_API_KEY",
  );
}

/** Request settings of a model in the file, without its identity. */
function asked(model: ConfigModel | undefined): Partial<ConfigModel> {
  if (model === undefined) return {};
  const { name, model: _, slug, url, license, parameters, quantization, prices, ...its } = model;
  const { hybrid, ...rest } = its;
  return rest;
}

/** Values of the environment; empty variables are ignored. */
export function environmentOverrides(env: NodeJS.ProcessEnv): ConfigOverrides {
  const set = Object.entries(runVariables).flatMap(([variable, name]) => {
    const value = env[variable]?.trim();
    if (!value) return [];
    return [name === "model" ? ["models", [value]] : [name, value]];
  });
  return Object.fromEntries(set) as ConfigOverrides;
}
