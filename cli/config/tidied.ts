import { isJsonObject, type JsonObject } from "#shared/contracts/json.ts";
import { suggestion } from "../suggestion.ts";
import { sectionAliases } from "./aliases.ts";
import { type Finding, failure, type KeyPath, warning } from "./finding.ts";
import { knownKeys } from "./known-keys.ts";

/** `${NAME}`, `$NAME`, `env:NAME`, or a bare name of several words: no key looks so. */
const reference =
  /^(?:\$\{([A-Z_][A-Z0-9_]*)\}|(?:\$|env:)([A-Z_][A-Z0-9_]*)|([A-Z]+(?:_[A-Z]+)+))$/;

const literalKey =
  "a key does not stand in this file: put it into an environment variable or .env, and give the variable's name as api_key_env: MODEL_API_KEY";

/**
 * A file's values by our names: those of other programs are translated, keys without a value are left out,
 * and so are keys of a model or of prompts that nobody here knows, each with a warning.
 */
export function tidied(given: JsonObject): { value: JsonObject; findings: Finding[] } {
  const findings: Finding[] = [];
  const section = (value: unknown, path: KeyPath): unknown => {
    if (Array.isArray(value)) return value.map((one, i) => section(one, [...path, i]));
    if (!isJsonObject(value) || path[0] === "options") return value;
    // Null leaves the temperature out of requests; elsewhere it is a key without a value.
    const kept = Object.entries(value).filter(
      ([key, one]) => one !== null || key === "temperature",
    );
    const named = renamed(Object.fromEntries(kept), path, findings);
    return Object.fromEntries(
      Object.entries(named).map(([key, one]) => [key, section(one, [...path, key])]),
    );
  };
  return { value: section(given, []) as JsonObject, findings };
}

function renamed(value: JsonObject, path: KeyPath, findings: Finding[]): JsonObject {
  const aliases = Object.entries(sectionAliases(path));
  if (aliases.length === 0) return value;
  const known = knownKeys(path);
  const result: JsonObject = {};
  for (const [key, one] of Object.entries(value)) {
    const ours = aliases.find(([, others]) => others.includes(key))?.[0] ?? key;
    if (key === "api_key") {
      const name =
        typeof one === "string" ? reference.exec(one)?.slice(1).find(Boolean) : undefined;
      if (name === undefined) findings.push(failure([...path, key], literalKey));
      else result["api_key_env"] = name;
    } else if (known.includes(ours) && (ours === key || value[ours] === undefined)) {
      result[ours] = one;
    } else {
      const near = suggestion(key, known);
      const where = [...path, key];
      findings.push(
        near === ""
          ? warning(where, "no effect: nothing here is called so")
          : failure(where, `there is no such key${near}`),
      );
    }
  }
  return known.includes("name") ? named(result) : result;
}

/** A file that has only what the endpoint calls a model means its name, too. */
function named({ name, ...model }: JsonObject): JsonObject {
  const known = name ?? model["model"];
  return known === undefined ? model : { name: known, ...model };
}
