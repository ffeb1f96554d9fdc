import type { z } from "zod";
import { fieldErrors } from "#shared/contracts/field-errors.ts";
import { isJsonObject } from "#shared/contracts/json.ts";
import type { ConfigModel, RunConfig } from "#shared/contracts/submissions/run-config.ts";
import { runOptionsSchema } from "#shared/contracts/submissions/submission.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { suggestion } from "#shared/contracts/text/suggestion.ts";
import { type Finding, failure, type KeyPath, warning } from "./finding.ts";
import { isLocal } from "./local-target.ts";

/** Keys and the submission option that each sets. */
const optionOf: readonly (readonly [KeyPath, string])[] = [
  [["prompts", "system"], "systemPrompt"],
  [["prompts", "user"], "userPrompt"],
  [["rubric"], "rubric"],
  [["metrics", "weights"], "weights"],
  [["metrics", "field_matching", "string_fuzzy_threshold"], "stringFuzzyThreshold"],
  [["metrics", "field_matching", "numeric_tolerance"], "numericTolerance"],
  [["metrics", "field_matching", "case_sensitive"], "fieldCaseSensitive"],
  [["metrics", "field_matching", "normalize_whitespace"], "fieldNormalizeWhitespace"],
  [["metrics", "field_matching", "coerce_types"], "coerceTypes"],
  [["metrics", "exact_match", "case_sensitive"], "caseSensitive"],
  [["metrics", "exact_match", "normalize_whitespace"], "normalizeWhitespace"],
  [["metrics", "exact_match", "array_order"], "arrayOrder"],
  [["metrics", "assert_formats"], "assertFormats"],
  [["performance", "num_workers"], "concurrency"],
  [["performance", "max_cost_usd"], "maxCostUsd"],
];

/** Options that apply to all models of a run but are keys of each model in the file. */
const askedWith = {
  temperature: "temperature",
  max_tokens: "maxTokens",
  structured_output: "structuredOutput",
  timeout: "timeoutMs",
  max_retries: "maxRetries",
} as const satisfies Partial<Record<keyof ConfigModel, string>>;

/** Options that may differ between models; then they become inference settings. */
const settable: readonly string[] = ["temperature", "max_tokens"];

const MS_PER_SECOND = 1000;

const runOptions = Object.keys(runOptionsSchema.shape);

/** The submission options of a config, and errors by the suite. */
export function suiteOptions(suite: Suite, config: RunConfig) {
  const options: Record<string, unknown> = {};
  const from: Record<string, KeyPath> = {};
  const findings: Finding[] = [];
  const known = knownOptions(suite);
  const set = (path: KeyPath, name: string, value: unknown) => {
    if (!known.includes(name)) {
      findings.push(warning(path, `no effect: the suite ${suite.id} has no such option`));
      return;
    }
    options[name] = value;
    from[name] = path;
  };
  for (const [path, name] of optionOf) {
    const value = valueAt(config, path);
    if (value !== undefined) set(path, name, camelCased(value));
  }
  for (const [path, name, value] of [...asking(config, findings), ...subsetAndPrompts(config)]) {
    set(path, name, value);
  }
  const reuse = reuseOf(suite, config);
  if (reuse === null) set(CACHING, "reuseAnswers", true);
  else if (reuse !== "") findings.push(warning(CACHING, `no effect: ${reuse}`));
  for (const [name, value] of Object.entries(config.options ?? {})) {
    if (known.includes(name)) set(["options", name], name, value);
    else {
      const near = suggestion(name, known) || `; there is ${known.join(", ")}`;
      findings.push(failure(["options", name], `${suite.id} has no such option${near}`));
    }
  }
  const unfit = problems(suite, options, from);
  const ofVariants = variantProblems(suite, config, unfit.length === 0 ? options : null);
  return { options, findings: [...findings, ...ofVariants, ...unfit] };
}

/**
 * Errors in prompts of variants: unknown to the suite, or refused with the other `options`; null: these have errors.
 */
function variantProblems(
  suite: Suite,
  { variants = {} }: RunConfig,
  options: Record<string, unknown> | null,
): Finding[] {
  const { id, promptOptions = [] } = suite;
  return Object.entries(variants).flatMap(([name, prompts]) => {
    const at = (part: string) => ["variants", name, ...(part in prompts ? [part] : [])];
    const unknown = Object.keys(prompts).filter((part) => !promptOptions.includes(`${part}Prompt`));
    if (unknown.length > 0 || options === null) {
      return unknown.map((part) => failure(at(part), `the suite ${id} has no ${part} prompt`));
    }
    const from = promptOptions.map((option) => [option, at(option.replace(/Prompt$/, ""))]);
    const own = { ...options, ...promptsOf({ [name]: prompts })[name] };
    return problems(suite, own, Object.fromEntries(from));
  });
}

const CACHING = ["performance", "enable_caching"];

/** Why stored answers can't be reused; empty if not requested, null if they can. */
function reuseOf({ id, scoresLatency }: Suite, config: RunConfig): string | null {
  if (config.performance?.enable_caching !== true) return "";
  if (scoresLatency) return `the suite ${id} scores latency, which a stored answer does not have`;
  if (config.options?.["mode"] === "batch") return "batches are always asked";
  const isCold = ({ temperature = 0 }: ConfigModel) => temperature === 0;
  const models = modelsOf(config);
  const called = models.filter(([, model]) => !isLocal(model));
  if (called.length < models.length && called.length === 0) {
    return "programs and templates are always asked, because they may have changed";
  }
  return models.length === 0 || called.some(([, model]) => isCold(model))
    ? null
    : "only answers at temperature 0 are reused";
}
function subsetAndPrompts({
  dataset,
  variants,
}: RunConfig): (readonly [KeyPath, string, unknown])[] {
  const { sample_size: n, random_seed: seed } = dataset ?? {};
  const sample = { n, ...(seed !== undefined && { seed }) };
  return [
    ...(n === undefined ? [] : [[["dataset", "sample_size"], "sample", sample] as const]),
    ...(variants === undefined ? [] : [[["variants"], "prompts", promptsOf(variants)] as const]),
  ];
}

/** Prompts by name, as options of a suite. */
const promptsOf = (variants: NonNullable<RunConfig["variants"]>) =>
  Object.fromEntries(
    Object.entries(variants).map(([name, { system, user }]) => [
      name,
      {
        ...(system !== undefined && { systemPrompt: system }),
        ...(user !== undefined && { userPrompt: user }),
      },
    ]),
  );

/** Names of the suite's options and of the options of every suite. */
function knownOptions({ optionsSchema }: Suite): string[] {
  const { shape } = optionsSchema as unknown as { shape?: Record<string, unknown> };
  return [...Object.keys(shape ?? (optionsSchema.parse({}) as object)), ...runOptions];
}

const valueAt = (config: RunConfig, path: KeyPath): unknown =>
  path.reduce<unknown>(
    (at, part) => (isJsonObject(at) ? (at as Record<PropertyKey, unknown>)[part] : undefined),
    config,
  );

/** Converts names of weights such as `partial_f1` to `partialF1`. */
function camelCased(value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  const camel = (name: string) => name.replace(/_([a-z0-9])/g, (_, one) => one.toUpperCase());
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [camel(name), one]));
}

/** Request options, which must be equal for all models. */
function asking(config: RunConfig, findings: Finding[]): [KeyPath, string, unknown][] {
  const models = modelsOf(config);
  return Object.entries(askedWith).flatMap(([key, name]) => {
    const values = models.map(([, model]) => model[key as keyof typeof askedWith]);
    const [value] = values;
    const other = values.findIndex((one) => one !== value);
    if (other > 0 && settable.includes(key)) return [];
    if (other > 0) {
      const path = [...models[other]![0], key];
      findings.push(failure(path, "must be the same for every model; use separate runs"));
    }
    if (value === undefined) return [];
    const sent = key === "timeout" ? Math.round(Number(value) * MS_PER_SECOND) : value;
    return [[[...models[0]![0], key], name, sent] as [KeyPath, string, unknown]];
  });
}

/** Whether the models of a config differ in a key. */
export const differIn = (config: RunConfig, key: keyof ConfigModel): boolean =>
  new Set(modelsOf(config).map(([, model]) => model[key])).size > 1;

/** The models of a config, each with its position in the file. */
export const modelsOf = ({ model, models = [] }: RunConfig): [KeyPath, ConfigModel][] => [
  ...(model === undefined ? [] : [[["model"], model] as [KeyPath, ConfigModel]]),
  ...models.map((one, i): [KeyPath, ConfigModel] => [["models", i], one]),
];

function problems(
  suite: Suite,
  options: Record<string, unknown>,
  from: Record<string, KeyPath>,
): Finding[] {
  const parts: [z.ZodType, Record<string, unknown>][] = [
    [
      suite.newOptionsSchema ?? suite.optionsSchema,
      picked(options, (name) => !runOptions.includes(name)),
    ],
    [runOptionsSchema, picked(options, (name) => runOptions.includes(name))],
  ];
  return parts.flatMap(([schema, value]) => {
    const parsed = schema.safeParse(value);
    if (parsed.success) return [];
    return parsed.error.issues.flatMap((issue) => {
      const [name = "", ...rest] = issue.path;
      const path = [...(from[String(name)] ?? ["options", name]), ...rest];
      if (issue.code !== "unrecognized_keys") {
        return fieldErrors([issue], value).map(({ detail }) => failure(path, detail));
      }
      const usual = (schema.parse({}) as Record<string, unknown>)[String(name)];
      const names = isJsonObject(usual) ? Object.keys(usual) : [];
      return issue.keys.map((key) =>
        failure([...path, key], `unknown key${suggestion(key, names)}`),
      );
    });
  });
}

const picked = (options: Record<string, unknown>, wanted: (name: string) => boolean) =>
  Object.fromEntries(Object.entries(options).filter(([name]) => wanted(name)));
