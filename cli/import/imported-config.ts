import { dirname, relative, sep } from "node:path";
import { stringify } from "yaml";
import type { Json, JsonObject } from "#shared/contracts/json.ts";
import { providerNames } from "#shared/contracts/submissions/providers.ts";
import { type ConfigModel, configModelSchema } from "#shared/contracts/submissions/run-config.ts";

/** How another tool asked its models. */
export interface ImportedSetup {
  models: readonly ImportedModel[];
  /** Messages before variables are filled in, with the text as `{text}`; null: the samples have them. */
  messages: readonly { role: string; content: string }[] | null;
}

/** A model of another tool. */
export interface ImportedModel {
  name: string;
  /** Provider, then its name there, such as `openai/gpt-5`, or a command, or an address. */
  id: string;
  /** What separates the parts of the id. */
  separator: ":" | "/";
  settings: JsonObject;
}

/** A config of Assay, and what to check in it. */
export interface ImportedConfig {
  yaml: string;
  notes: string[];
}

/** Files of an import, and what was imported. */
interface Imports {
  suite: string;
  /** The new config, and files that it names. */
  files: { config: string; samples: string; rubric: string | null };
  /** Answers of each sample. */
  repeats: number;
}

/** The config that asks the same models the same. */
export function importedConfig(
  { models, messages }: ImportedSetup,
  { suite, files, repeats }: Imports,
): ImportedConfig {
  const read = models.map(modelOf);
  const prompts = suite === "extraction" && messages !== null ? promptsOf(messages) : null;
  const fromConfig = (path: string) => relative(dirname(files.config), path).split(sep).join("/");
  const config = {
    suite,
    ...(files.rubric !== null && { rubric: fromConfig(files.rubric) }),
    models: read.map(({ model }) => model),
    dataset: { name: fromConfig(files.samples) },
    ...(prompts?.prompts && { prompts: prompts.prompts }),
    ...(repeats > 1 && { options: { repeats } }),
  };
  const notes = [...read.flatMap(({ note }) => note ?? []), ...(prompts?.notes ?? [])];
  return { yaml: stringify(config, { lineWidth: 0 }), notes };
}

/** Other names of providers. */
const aliases: Readonly<Record<string, string>> = {
  togetherai: "together",
  grok: "xai",
  "hf-inference-providers": "huggingface",
};

/** Parts of promptfoo's ids that name an interface. */
const interfaces = /^(chat|responses|messages|completion)$/;

function modelOf({ name, id, separator, settings }: ImportedModel): {
  model: JsonObject;
  note: string | null;
} {
  const [first = "", ...parts] = id.split(separator);
  const rest = parts.join(separator).trim();
  if (first === "exec") {
    const note = `model "${name}": its command must read a JSON line for each request: docs/programs.md`;
    return { model: { name, exec: rest }, note };
  }
  if (/^https?$/.test(first)) {
    const note = `model "${name}": describe what its address takes and returns: docs/programs.md`;
    return { model: { name, http: id }, note };
  }
  const own = settingsOf(settings);
  const provider = aliases[first] ?? first;
  const [kind = "", ...later] = parts;
  const model = separator === ":" && interfaces.test(kind) ? later.join(separator) : rest || id;
  const address = own["base_url"];
  if (address !== undefined) {
    const key = own["api_key_env"] ?? "no key: add api_key_env if it needs one";
    const note = `model "${name}": asked at ${address} with ${key}: check that you trust it`;
    return { model: { name, model, ...own }, note };
  }
  const isKnown = (providerNames as readonly string[]).includes(provider);
  const note = isKnown
    ? null
    : `model "${name}": "${id}" is no provider that Assay knows: add its base_url, or exec or http for a program`;
  return { model: { name, ...(isKnown && { provider }), model, ...own }, note };
}

/** Keys of a config, by the names that other tools have for them. */
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

/** The settings that a config has, where they are valid. */
function settingsOf(settings: JsonObject): JsonObject {
  const valid = Object.entries(settingNames).flatMap(([theirs, key]): [string, Json][] => {
    const value = settings[theirs];
    const isValid = value !== undefined && configModelSchema.shape[key].safeParse(value).success;
    return isValid && (value !== null || theirs === "temperature") ? [[key, value]] : [];
  });
  return Object.fromEntries(valid);
}

/** The prompts of a config; a template with other variables than the text can't be one. */
function promptsOf(messages: NonNullable<ImportedSetup["messages"]>): {
  prompts: JsonObject | null;
  notes: string[];
} {
  const system = messages.filter(({ role }) => role === "system" || role === "developer");
  const others = messages.filter((one) => !system.includes(one));
  const [user] = others;
  const isUsable = others.length === 1 && user?.role === "user" && user.content.includes("{text}");
  if (!isUsable || messages.some(({ content }) => content.includes("{{"))) {
    const note =
      "prompts: not mapped: the suite's own are used; write yours into the config, with {text} and {schema}";
    return { prompts: null, notes: [note] };
  }
  const prompts = {
    ...(system.length > 0 && { system: system.map(({ content }) => content).join("\n\n") }),
    user: user.content,
  };
  return { prompts, notes: [] };
}
