import { isJsonObject, type JsonObject } from "#shared/contracts/json.ts";
import { runConfigJsonSchema } from "#shared/contracts/submissions/run-config.ts";
import { suggestion } from "../command-line/suggestion.ts";
import { type Finding, failure, type KeyPath, warning } from "./finding.ts";

/** Names of our keys in the files of other programs. */
const modelAliases: Record<string, readonly string[]> = {
  base_url: ["api_base", "api_url", "endpoint", "endpoint_url"],
  model: ["model_name", "model_id"],
  api_key_env: ["api_key"],
  timeout: ["timeout_seconds", "request_timeout"],
  max_retries: ["retries"],
};
const promptAliases: Record<string, readonly string[]> = {
  system: ["system_prompt", "system_message"],
  user: ["user_prompt", "user_template", "user_prompt_template", "template"],
};

/** `${NAME}`, `$NAME`, `env:NAME`, or a bare name of several words: these are not keys. */
const variableReference =
  /^(?:\$\{([A-Z_][A-Z0-9_]*)\}|(?:\$|env:)([A-Z_][A-Z0-9_]*)|([A-Z]+(?:_[A-Z]+)+))$/;

const LITERAL_KEY =
  "never write a key in this file: set it in the environment or .env, and name the variable as api_key_env: MODEL_API_KEY";

/**
 * A file's values with our keys. Keys of other programs are translated. Keys without a value are left out, and so
 * are unknown keys of a model or of prompts, each with a warning.
 */
export function translateKeys(given: JsonObject): { value: JsonObject; findings: Finding[] } {
  const findings: Finding[] = [];
  const translate = (value: unknown, path: KeyPath): unknown => {
    if (Array.isArray(value)) return value.map((one, i) => translate(one, [...path, i]));
    const isOther = ["options", "rubric"].includes(String(path[0])) || path.at(-1) === "http";
    if (!isJsonObject(value) || isOther) return value;
    // Null leaves the temperature out of requests; elsewhere it is a key without a value.
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
  const aliases = Object.entries(sectionAliases(path));
  if (aliases.length === 0) return value;
  const known = knownKeys(path);
  const result: JsonObject = {};
  for (const [key, one] of Object.entries(value)) {
    const ours = aliases.find(([, others]) => others.includes(key))?.[0] ?? key;
    if (key === "api_key") {
      const variable = variableIn(one);
      if (variable === undefined) findings.push(failure([...path, key], LITERAL_KEY));
      else result["api_key_env"] = variable;
    } else if (known.includes(ours) && (ours === key || value[ours] === undefined)) {
      result[ours] = one;
    } else {
      findings.push(unknownKey([...path, key], suggestion(key, known)));
    }
  }
  return known.includes("name") ? withName(result) : result;
}

/** The environment variable that a value refers to. */
const variableIn = (value: unknown): string | undefined =>
  typeof value === "string" ? variableReference.exec(value)?.slice(1).find(Boolean) : undefined;

const unknownKey = (path: KeyPath, near: string): Finding =>
  near === "" ? warning(path, "no effect: unknown key") : failure(path, `unknown key${near}`);

/** Other names of the keys of a section. */
function sectionAliases(path: KeyPath): Record<string, readonly string[]> {
  if (path.length === 1 && path[0] === "prompts") return promptAliases;
  const isModel = path[0] === "model" ? path.length === 1 : path[0] === "models";
  return isModel && path.length <= 2 ? modelAliases : {};
}

/** A model without a name gets its name at the endpoint. */
function withName({ name, ...model }: JsonObject): JsonObject {
  const known = name ?? model["model"];
  return known === undefined ? model : { name: known, ...model };
}

/** Other names of one key. */
export const aliasesOf = (path: KeyPath, key: string): readonly string[] =>
  Object.hasOwn(sectionAliases(path), key) ? sectionAliases(path)[key]! : [];

/** A part of the config's JSON Schema. */
interface SchemaPart {
  properties?: Record<string, SchemaPart>;
  items?: SchemaPart;
}

/** The keys that a section of a config can have; empty if any are allowed. */
export function knownKeys(path: KeyPath): string[] {
  let at: SchemaPart | undefined = runConfigJsonSchema() as SchemaPart;
  for (const part of path) {
    at = typeof part === "number" ? at?.items : at?.properties?.[String(part)];
  }
  return Object.keys(at?.properties ?? {});
}
