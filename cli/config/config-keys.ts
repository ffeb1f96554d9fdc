import { isJsonObject, type JsonObject } from "#shared/contracts/json.ts";
import { runConfigJsonSchema } from "#shared/contracts/submissions/run-config.ts";
import { suggestion } from "#shared/contracts/text/suggestion.ts";
import { type Finding, failure, type KeyPath, warning } from "./finding.ts";

type Names = Readonly<Record<string, readonly string[]>>;

/** Our keys by their names in the files of other programs. */
const modelAliases: Names = {
  base_url: ["api_base", "api_url", "endpoint", "endpoint_url"],
  model: ["model_name", "model_id"],
  timeout: ["timeout_seconds", "request_timeout"],
  max_retries: ["retries"],
  headers: ["extra_headers", "default_headers"],
  reasoning_effort: ["reasoning"],
};
const aliases: Readonly<Record<string, Names>> = {
  model: modelAliases,
  prompts: {
    system: ["system_prompt", "system_message"],
    user: ["user_prompt", "user_template", "user_prompt_template", "template"],
  },
  dataset: {
    config: ["subset", "config_name"],
    sample_size: ["sample", "num_samples", "limit"],
    random_seed: ["seed"],
  },
  performance: { num_workers: ["concurrency", "workers"] },
};

/** Advice on model keys of other programs. */
const foreignKeys: ReadonlyMap<string, string> = new Map([
  ...["top_k", "top_a", "min_p", "repetition_penalty", "chat_template_kwargs"].map(
    (key) => [key, `write it under extra_body: { ${key}: … }`] as const,
  ),
  ["organization", "write it under headers: { OpenAI-Organization: … }"],
  ["project", "write it under headers: { OpenAI-Project: … }"],
  ["stream", "Assay streams answers wherever the endpoint can; remove it"],
]);

/** References to a variable instead of a key: `${NAME}`, `$NAME`, `env:NAME`, or a bare name of several words. */
const variableReference =
  /^(?:\$\{([A-Z_][A-Z0-9_]*)\}|(?:\$|env:)([A-Z_][A-Z0-9_]*)|([A-Z]+(?:_[A-Z]+)+))$/;

const ADVICE = "set it in the environment or in .env, and write api_key_env: MODEL_API_KEY";
const LITERAL_KEY = `a key in the file is used, but not shown or stored; better ${ADVICE}`;
const NO_KEY = `it is neither a key nor the name of an environment variable: ${ADVICE}`;
const LITERAL_HEADER =
  "its value may be a secret, which is not shown or stored; better set it in the environment or in .env, and name the variable as $NAME here";

/**
 * Translates a file's keys to ours. Keys without a value are left out. Unknown keys
 * are left out with a warning; a key that is similar to a known key is an error.
 */
export function translateKeys(given: JsonObject): { value: JsonObject; findings: Finding[] } {
  const findings: Finding[] = [];
  const translate = (value: unknown, path: KeyPath): unknown => {
    if (Array.isArray(value)) return value.map((one, i) => translate(one, [...path, i]));
    const isOther = ["options", "rubric"].includes(String(path[0])) || path.at(-1) === "http";
    if (!isJsonObject(value) || isOther) return value;
    // For the temperature, null means that requests omit it; for other keys, null means no value.
    const kept = Object.entries(value).filter(
      ([key, one]) => one !== null || key === "temperature",
    );
    const section = translateSection(Object.fromEntries(kept), path, findings);
    return Object.fromEntries(
      Object.entries(section).map(([key, one]) => [key, translate(one, [...path, key])]),
    );
  };
  return { value: translate(given, []) as JsonObject, findings };
}

/** The keys of one section, without those in sections below it. Adds to `findings`. */
function translateSection(value: JsonObject, path: KeyPath, findings: Finding[]): JsonObject {
  if (path.at(-1) === "headers") findings.push(...literalHeaders(value, path));
  const known = knownKeys(path);
  // The user chooses the keys of this section.
  if (known.length === 0) return value;
  const others = Object.entries(aliasesAt(path));
  const result: JsonObject = {};
  for (const [key, one] of Object.entries(value)) {
    const ours = others.find(([, aliases]) => aliases.includes(key))?.[0] ?? key;
    const read = readSpecial(key, one, [...path, key]);
    if (read !== null) {
      Object.assign(result, read.value);
      findings.push(...read.findings);
    } else if (known.includes(ours) && (ours === key || value[ours] === undefined)) {
      result[ours] = one;
    } else {
      findings.push(unknownKey([...path, key], key, known));
    }
  }
  return known.includes("name") && isModel(path) ? withName(result) : result;
}

/** A value whose key is translated to other keys. */
interface ReadKey {
  value: JsonObject;
  findings: Finding[];
}

/** Translates a key with special rules; null for any other key. */
function readSpecial(key: string, given: unknown, path: KeyPath): ReadKey | null {
  if (key === "api_key") return readKey(given, path);
  return key === "reasoning" && isJsonObject(given) ? readReasoning(given, path) : null;
}

/** An endpoint's key, or the variable that contains it; an empty text means no key. */
function readKey(given: unknown, path: KeyPath): ReadKey {
  if (given === "") return { value: {}, findings: [] };
  const variable = variableIn(given);
  if (variable !== undefined) return { value: { api_key_env: variable }, findings: [] };
  const isKey = typeof given === "string" && !/^[$%{<]|^env:/.test(given);
  return isKey
    ? { value: { api_key: given }, findings: [warning(path, LITERAL_KEY)] }
    : { value: {}, findings: [failure(path, NO_KEY)] };
}

/** The environment variable that a value refers to. */
const variableIn = (value: unknown): string | undefined =>
  typeof value === "string" ? variableReference.exec(value)?.slice(1).find(Boolean) : undefined;

/** Translates the object of OpenRouter and OpenAI to our keys. */
function readReasoning(given: JsonObject, path: KeyPath): ReadKey {
  const { effort, max_tokens, budget_tokens, enabled, ...more } = given;
  const budget = max_tokens ?? budget_tokens;
  const isOff = enabled === false && effort === undefined && budget === undefined;
  const value: JsonObject = {
    ...(effort !== undefined && { reasoning_effort: effort }),
    ...(budget !== undefined && { thinking_budget: budget }),
    ...(isOff && { reasoning_effort: "none" }),
  };
  const known = ["effort", "max_tokens", "budget_tokens", "enabled"];
  const findings = Object.keys(more).map((key) => unknownKey([...path, key], key, known));
  return { value, findings };
}

/** Warnings of header values that look like secrets and are not read from the environment. */
const literalHeaders = (headers: JsonObject, path: KeyPath): Finding[] =>
  Object.entries(headers).flatMap(([name, value]) =>
    /key|token|secret|auth|password/i.test(name) && !/\$\{?[A-Z_]/.test(String(value))
      ? [warning([...path, name], LITERAL_HEADER)]
      : [],
  );

function unknownKey(path: KeyPath, key: string, known: readonly string[]): Finding {
  const foreign = foreignKeys.get(key);
  const isOfModel = known.includes("extra_body");
  if (foreign !== undefined && isOfModel) return warning(path, `no effect: ${foreign}`);
  const near = suggestion(key, known);
  if (near !== "") return failure(path, `unknown key${near}`);
  return warning(path, `no effect: unknown key; remove it, or use one of ${known.join(", ")}`);
}

const isModel = (path: KeyPath): boolean =>
  path[0] === "model" ? path.length === 1 : path[0] === "models" && path.length === 2;

/** Other names of the keys of a section. */
function aliasesAt(path: KeyPath): Names {
  if (isModel(path) || path.at(-2) === "hybrid") return modelAliases;
  const section = path.length === 1 ? String(path[0]) : "";
  return Object.hasOwn(aliases, section) ? aliases[section]! : {};
}

/** A model without a name gets its name at the endpoint. */
function withName({ name, ...model }: JsonObject): JsonObject {
  const known = name ?? model["model"];
  return known === undefined ? model : { name: known, ...model };
}

/** Other names of one key. */
export function aliasesOf(path: KeyPath, key: string): readonly string[] {
  if (key === "api_key_env") return ["api_key"];
  const aliases = aliasesAt(path);
  return Object.hasOwn(aliases, key) ? aliases[key]! : [];
}

/** A part of the config's JSON Schema. */
interface SchemaPart {
  properties?: Record<string, SchemaPart>;
  items?: SchemaPart;
}

/** The keys that a section of a config can have; empty if any are allowed. */
function knownKeys(path: KeyPath): string[] {
  let at: SchemaPart | undefined = runConfigJsonSchema() as SchemaPart;
  for (const part of path) {
    at = typeof part === "number" ? at?.items : at?.properties?.[String(part)];
  }
  return Object.keys(at?.properties ?? {});
}
