import { dirname, relative, sep } from "node:path";
import { stringify } from "yaml";
import { cutText } from "#shared/contracts/bounds.ts";
import type { Json, JsonObject } from "#shared/contracts/json.ts";
import { providerNames } from "#shared/contracts/submissions/providers.ts";
import { type ConfigModel, configModelSchema } from "#shared/contracts/submissions/run-config.ts";
import type { ImportedPrompts } from "./imported-tests.ts";

/** A model of another tool. */
export interface ImportedModel {
  name: string;
  /** Provider and model name, such as `openai/gpt-5`, or a command, or an address. */
  id: string;
  /** Separator of the id's parts. */
  separator: ":" | "/";
  settings: JsonObject;
}

/** A config for Assay, with notes on what to check. */
export interface ImportedConfig {
  yaml: string;
  notes: string[];
}

/** Facts about an import that the config needs. */
interface Imports {
  suite: string;
  /** Paths of the new config and of the files that it names. */
  files: { config: string; samples: string; rubric: string | null };
  /** Number of answers per sample. */
  repeats: number;
}

/** A config with the same models and requests. `prompts`: the common prompts; null if they differ between samples. */
export function importedConfig(
  models: readonly ImportedModel[],
  prompts: ImportedPrompts | null,
  { suite, files, repeats }: Imports,
): ImportedConfig {
  const isRubric = suite === "rubric";
  const read = models.map((one) => modelOf(one, !isRubric));
  // In extraction, an empty system prompt prevents the suite's default prompt.
  const shown = prompts !== null && (isRubric ? changedPrompts(prompts) : prompts);
  const fromConfig = (path: string) => relative(dirname(files.config), path).split(sep).join("/");
  const config = {
    suite,
    ...(files.rubric !== null && { rubric: fromConfig(files.rubric) }),
    models: read.map(({ model }) => model),
    dataset: { name: fromConfig(files.samples) },
    ...(shown && { prompts: shown }),
    ...((isRubric || repeats > 1) && {
      options: { ...(repeats > 1 && { repeats }), ...(isRubric && { passScore: 1 }) },
    }),
    output: { results_dir: "results", generate_report: true, save_predictions: true },
  };
  const lack = prompts === null ? [isRubric ? wholeQueries : ownPrompts] : [];
  const notes = [...read.flatMap((one) => one.notes), ...lack];
  return { yaml: stringify(config, { lineWidth: 0 }), notes };
}

/** Other names of providers. */
const aliases: Readonly<Record<string, string>> = {
  togetherai: "together",
  grok: "xai",
  "hf-inference-providers": "huggingface",
};

/** Parts of promptfoo's ids that name an API. */
const interfaces = /^(chat|responses|messages|completion)$/;

function modelOf(
  one: ImportedModel,
  isExtraction: boolean,
): { model: JsonObject; notes: string[] } {
  const { name, id, separator } = one;
  const about = (text: string) => `model ${JSON.stringify(name)}: ${text}`;
  const [first = "", ...parts] = id.split(separator);
  const rest = parts.join(separator).trim();
  if (first === "exec" && separator === ":") {
    const note = `asked by the command ${JSON.stringify(cutText(rest, LONGEST_COMMAND))}: check that you trust it; it must read a JSON line for each request: docs/programs.md`;
    return { model: { name, exec: rest }, notes: [about(note)] };
  }
  if (/^https?:\/\//.test(id)) {
    const note = "describe what its address takes and returns: docs/programs.md";
    return { model: { name, http: id }, notes: [about(note)] };
  }
  const { own, notes } = askedWith(one, isExtraction);
  const [kind = "", ...later] = parts;
  const model = separator === ":" && interfaces.test(kind) ? later.join(separator) : rest || id;
  const { base_url: address, api_key_env: key } = own;
  if (address !== undefined) {
    const note =
      key === undefined
        ? `asked at ${address} without a key; add api_key_env if it needs one, and check that you trust the address`
        : `asked at ${address} with the key in ${key}; check that you trust the address`;
    return { model: { name, model, ...own }, notes: [...notes, note].map(about) };
  }
  const provider = aliases[first] ?? first;
  const isElsewhere = separator === "/" && /^(azure|vertex|bedrock)\//.test(rest);
  if ((providerNames as readonly string[]).includes(provider) && !isElsewhere) {
    return { model: { name, provider, model, ...own }, notes: notes.map(about) };
  }
  const note = `"${id}" is not a provider that Assay knows: add its base_url, or exec or http for a program`;
  return { model: { name, model, ...own }, notes: [...notes, note].map(about) };
}

/** Settings of a model in the config, with notes on settings that are not mapped. */
function askedWith({ settings }: ImportedModel, isExtraction: boolean) {
  const { own, left } = settingsOf(settings);
  const isPlain = isExtraction && !formats.some((key) => isSet(settings[key]));
  const notes = [
    ...(left.length > 0 ? [`not mapped: ${left.join(", ")}`] : []),
    ...(own["max_tokens"] === undefined
      ? ["no limit of tokens was set; the suite's own is sent unless you set max_tokens"]
      : []),
    ...(own["api_key_env"] === undefined
      ? []
      : [`its key is read from the variable ${own["api_key_env"]}: check that this is intended`]),
  ];
  return { own: { ...own, ...(isPlain && { structured_output: "none" }) } as JsonObject, notes };
}

/** Settings that request JSON or a schema. */
const formats = ["response_format", "response_schema", "responseMimeType", "responseSchema"];

/** Settings that do not affect answers, or are secret. */
const irrelevant =
  /key|token$|secret|password|header|cache|retries|timeout|connections|max_tasks|env|cost|showThinking/i;

const isSet = (value: Json | undefined): boolean => value !== undefined && value !== null;

/** Config keys by their names in other tools. */
const settingNames = {
  temperature: "temperature",
  max_tokens: "max_tokens",
  max_completion_tokens: "max_tokens",
  top_p: "top_p",
  seed: "seed",
  reasoning_effort: "reasoning_effort",
  base_url: "base_url",
  apiBaseUrl: "base_url",
  apiKeyEnvar: "api_key_env",
} as const satisfies Record<string, keyof ConfigModel>;
type SettingName = keyof typeof settingNames;

/** Maximum length of a command in a message. */
const LONGEST_COMMAND = 200;

/** Maximum unmapped settings that are named. */
const MOST_LEFT = 20;
const LONGEST_NAME = 40;

/** Valid settings that a config can have, and the names of all others. */
function settingsOf(settings: JsonObject): { own: JsonObject; left: string[] } {
  const own: JsonObject = {};
  const left: string[] = [];
  for (const [theirs, value] of Object.entries(settings)) {
    const key = Object.hasOwn(settingNames, theirs) ? settingNames[theirs as SettingName] : null;
    const isValid = key !== null && configModelSchema.shape[key].safeParse(value).success;
    if (key !== null && isValid && (isSet(value) || theirs === "temperature")) own[key] = value;
    else if (isSet(value) && !formats.includes(theirs) && !irrelevant.test(theirs)) {
      left.push(cutText(theirs, LONGEST_NAME));
    }
  }
  return { own, left: left.slice(0, MOST_LEFT) };
}

const ownPrompts =
  "prompts: not mapped: more than the input differs between samples, so the suite's own are used; write yours into the config, with {text} and {schema}";

const wholeQueries =
  "prompts: not mapped: more than the input differs between samples, so each query is a whole prompt, and another prompt makes another dataset";

/** Prompts that differ from the rubric suite's defaults; null if none differs. */
function changedPrompts({ system, user }: ImportedPrompts): Partial<ImportedPrompts> | null {
  const changed = { ...(system !== "" && { system }), ...(user !== "{query}" && { user }) };
  return Object.keys(changed).length === 0 ? null : changed;
}
