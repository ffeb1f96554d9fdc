import type { z } from "zod";
import { suiteFor } from "#shared/contracts/boards/ranking.ts";
import type { Metric } from "#shared/contracts/metric.ts";
import type { Run } from "#shared/contracts/run.ts";
import type { ConfigModel, RunConfig } from "#shared/contracts/submissions/run-config.ts";
import type { submissionRequestSchema } from "#shared/contracts/submissions/submission.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { suggestion } from "#shared/contracts/text/suggestion.ts";
import { passProblem } from "#shared/measures/passes/pass-metrics.ts";
import { suiteOptions as optionsOfSuite } from "#shared/measures/suite-options.ts";
import { suiteById, suites } from "#shared/suites/registry.ts";
import {
  type Limit,
  limitProblem,
  metricNamed,
  noMetric,
  noTiers,
  tierLimits,
} from "../run/limit.ts";
import {
  endpointsOf,
  hasAddress,
  hybridProblems,
  type ModelSecrets,
  runnerProblems,
  secretsOf,
  submittedModel,
} from "./endpoints.ts";
import { type Finding, failure, type KeyPath, warning } from "./finding.ts";
import { isLocal, type LocalTarget, localTarget } from "./local-target.ts";
import { modelsOf, suiteOptions } from "./suite-options.ts";

/** The default suite. */
const USUAL_SUITE = "extraction";

/** Default number of parallel programs, which a small machine can run. */
const USUAL_PROGRAMS = 4;

/** Our metrics by their names in the source of the extraction suite; ignored by suites without them. */
const sourceMetrics: ReadonlyMap<string, string> = new Map([
  ["schema_compliance", "validity"],
  ["schema_validity", "validity"],
  ["json_validity", "validity"],
  ["quality_score", "eqs"],
  ["field_f1", "partialF1"],
  ["field_precision", "partialPrecision"],
  ["field_recall", "partialRecall"],
  ["f1", "partialF1"],
  ["f1_micro", "partialF1"],
  ["f1_macro", "partialF1Macro"],
  ["f1_weighted", "partialF1Weighted"],
  ["precision", "partialPrecision"],
  ["recall", "partialRecall"],
  ["latency", "latencyP95"],
  ["throughput", "samplesPerMinute"],
  ["cost", "costPer1kUsd"],
  ["hallucination", "hallucinationRate"],
  ["omission", "omissionRate"],
]);

/** Aggregations refer to the partial F1, the source's main metric. */
const usual: Record<string, string> = {
  micro: "partialF1",
  macro: "partialF1Macro",
  weighted: "partialF1Weighted",
};

/** A submission without the keys of its endpoints. */
export type SubmissionInput = z.input<typeof submissionRequestSchema>;

/** What a config asks for. */
export interface Plan {
  suite: Suite;
  request: SubmissionInput;
  /** The secrets of each model's endpoints. */
  secrets: ModelSecrets[];
  /** Local target by model; null: the service calls the model's endpoint. */
  targets: (LocalTarget | null)[];
  /** The part to import if the dataset is from Hugging Face. */
  source: DatasetSource;
  limits: Limit[];
  /** Metrics of the summary, in order. */
  shown: Metric[];
}

/** The part of a Hugging Face dataset to import; null: the only part. */
export interface DatasetSource {
  config: string | null;
  split: string | null;
  /** Null: the default folder. */
  cacheFolder: string | null;
}

/** A plan with findings; null if there is an error, or a missing value that flags may set. */
export interface Planned {
  plan: Plan | null;
  findings: Finding[];
  lacking: Finding[];
}

/** What a config asks for. */
export function planOf(config: RunConfig): Planned {
  const id = config.suite ?? USUAL_SUITE;
  const known = suiteById(id);
  if (known === undefined) {
    const ids = suites.map((one) => one.id);
    const near = suggestion(id, ids) || `; there is ${ids.join(", ")}`;
    const findings = [failure(["suite"], `unknown suite "${id}"${near}`)];
    return { plan: null, findings, lacking: [] };
  }
  const { options, findings: ofOptions } = suiteOptions(known, config);
  const own = known.optionsSchema.safeParse(optionsOfSuite(options as Run["options"]));
  const suite = own.success ? suiteFor(known, own.data) : known;
  const { limits, findings: ofLimits } = limitsOf(suite, config, options);
  const { shown, findings: ofShown } = shownOf(suite, config);
  const models = modelsOf(config);
  const both = config.model && config.models;
  const twice = both ? [failure(["models"], "give either model or models, not both")] : [];
  const ofEndpoints = models.flatMap(([path, model]) => [
    ...hybridProblems(config, path, model),
    ...runnerProblems(path, model),
  ]);
  const ofPrices = unpricedModels(models, options["maxCostUsd"]);
  const findings = [...twice, ...ofEndpoints, ...ofOptions, ...ofLimits, ...ofShown, ...ofPrices];
  const targets = models.map((one) => localTarget(one, findings));
  const lacking = lackingOf(config, models);
  const request: SubmissionInput = {
    suite: suite.id,
    dataset: config.dataset?.name ?? "",
    options: withConcurrency(options, targets),
    models: models.map(([, model], i) => submittedModel(config, model, targets[i] ?? null)),
    ...(config.visibility && { visibility: config.visibility }),
  };
  const { split = null, config: part = null, cache_dir: cacheFolder = null } = config.dataset ?? {};
  const source = { split, config: part, cacheFolder };
  const secrets = models.map(([, model]) => secretsOf(model));
  const isWrong = findings.some(({ severity }) => severity === "error");
  const plan = { suite, request, secrets, targets, source, limits, shown };
  return { plan: isWrong || lacking.length > 0 ? null : plan, findings, lacking };
}

/** Errors for a cost limit without prices, which services also refuse. */
const unpricedModels = (models: readonly [KeyPath, ConfigModel][], limit: unknown): Finding[] =>
  limit === undefined
    ? []
    : models
        .filter(([, { prices }]) => prices === undefined)
        .map(([path, { name }]) =>
          failure(
            [...path, "prices"],
            `${name} needs prices { input_per_million, output_per_million }, USD per million tokens: without them max_cost_usd (${limit}) can't be enforced`,
          ),
        );

/** Limits concurrency for local programs: by default, few run in parallel over all variants. */
function withConcurrency(
  options: Record<string, unknown>,
  targets: readonly (LocalTarget | null)[],
): Record<string, unknown> {
  const programs = targets.filter((one) => one?.kind === "program").length;
  if (programs === 0 || options["concurrency"] !== undefined) return options;
  const runs = programs * variantsOf(options);
  return { ...options, concurrency: Math.max(1, Math.floor(USUAL_PROGRAMS / runs)) };
}

/** Number of runs per model that the options request. */
export function variantsOf({ sweep, prompts }: Record<string, unknown>): number {
  const lists = Object.values((sweep ?? {}) as Record<string, unknown[]>);
  const product = lists.reduce((count, { length }) => count * length, 1);
  return product * (prompts === undefined ? 1 : Object.keys(prompts as object).length);
}

function limitsOf(suite: Suite, { metrics }: RunConfig, options: object) {
  const { thresholds = {} } = metrics ?? {};
  if (typeof thresholds === "string") {
    const limits = tierLimits(suite, thresholds);
    const none = failure(["metrics", "thresholds"], noTiers(suite));
    return { limits, findings: limits.length === 0 ? [none] : [] };
  }
  const own = suite.optionsSchema.safeParse(optionsOfSuite(options as Run["options"]));
  const unmeasured = ({ id }: Metric) => (own.success ? passProblem(id, own.data) : null);
  const findings: Finding[] = [];
  const limits = Object.entries(thresholds).flatMap(([name, value]): Limit[] => {
    const path = ["metrics", "thresholds", name];
    const metric = metricNamed(suite, name);
    const problem =
      metric === undefined
        ? noMetric(suite, name)
        : (limitProblem(metric, value) ?? unmeasured(metric));
    if (problem !== null) findings.push(failure(path, problem));
    return metric === undefined ? [] : [{ metric, value }];
  });
  return { limits, findings };
}

/** Metrics of the summary. Names of other programs without an equivalent are left out with a warning. */
function shownOf(suite: Suite, { metrics }: RunConfig) {
  const findings: Finding[] = [];
  const shown = (metrics?.enabled ?? []).flatMap((name, i): Metric[] => {
    const other = sourceMetrics.get(name.toLowerCase().replace(/[\s-]+/g, "_"));
    const metric = metricNamed(suite, name) ?? metricNamed(suite, other ?? name);
    const path = ["metrics", "enabled", i];
    if (metric === undefined) findings.push(warning(path, `no effect: ${noMetric(suite, name)}`));
    return metric === undefined ? [] : [metric];
  });
  const type = metrics?.aggregation?.f1_type;
  if (type !== undefined) {
    const f1 = f1Metric(suite, type);
    const path = ["metrics", "aggregation", "f1_type"];
    if (f1 === undefined) {
      findings.push(warning(path, `no effect: ${suite.id} has no F1 called "${type}"`));
    } else shown.unshift(f1);
  }
  return { shown: [...new Set(shown)], findings };
}

const f1Metric = (suite: Suite, type: string): Metric | undefined =>
  metricNamed(suite, usual[type.toLowerCase()] ?? `${type}F1`);

function lackingOf({ dataset }: RunConfig, models: readonly [KeyPath, ConfigModel][]): Finding[] {
  return [
    ...(models.length === 0 ? [failure([], "no model is given: model, or the flag --model")] : []),
    ...models.flatMap(([path, model]) =>
      endpointsOf(model).flatMap(([place, endpoint]) =>
        hasAddress(endpoint) || isLocal(model)
          ? []
          : [
              failure(
                [...path, ...place],
                `${model.name} has no endpoint: provider, base_url${place.length === 0 ? ", exec or http" : ""}, or the flag --base-url`,
              ),
            ],
      ),
    ),
    ...(dataset?.name === undefined
      ? [failure(["dataset"], "no dataset is given: name, or the flag --dataset")]
      : []),
  ];
}
