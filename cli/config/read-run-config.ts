import { readFileSync } from "node:fs";
import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } from "yaml";
import { fieldErrors } from "#shared/contracts/field-errors.ts";
import { isJsonObject, type JsonObject } from "#shared/contracts/json.ts";
import {
  type RunConfig,
  runConfigJsonSchema,
  runConfigSchema,
} from "#shared/contracts/submissions/run-config.ts";
import { suggestion } from "../command-line/suggestion.ts";
import { fileProblem } from "../files/open-file.ts";
import {
  type Finding,
  failure,
  type KeyPath,
  keyText,
  type PlacedFinding,
  warning,
} from "./finding.ts";

/** A config file that was read. */
export interface ReadConfig {
  /** Null where an error stands among the findings. */
  config: RunConfig | null;
  findings: PlacedFinding[];
  /** Gives findings their lines. */
  place(findings: readonly Finding[]): PlacedFinding[];
}

/** Reads a config file by itself; what a suite makes of it is another matter. Throws BadInput where there is none. */
export function readRunConfig(path: string): ReadConfig {
  const lines = new LineCounter();
  // Its own messages would quote lines, and with them what may be a key.
  const doc = parseDocument(textOf(path), { lineCounter: lines, prettyErrors: false, merge: true });
  const place = (findings: readonly Finding[]): PlacedFinding[] =>
    findings.map(({ severity, path: at, message }) => ({
      severity,
      line: lineOf(doc, lines, at),
      key: keyText(at),
      message,
    }));
  if (doc.errors.length > 0) {
    const findings = doc.errors.map(({ pos, message }) => ({
      severity: "error" as const,

      line: Math.max(1, lines.linePos(pos[0]).line),
      key: "",
      message: `it is not YAML: ${message}`,
    }));
    return { config: null, findings, place };
  }
  const { config, findings } = checked(unfolded(doc));
  const placed = place(findings).sort((a, b) => a.line - b.line);
  return { config, findings: placed, place };
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw fileProblem(path, error);
  }
}

/** Undefined for what unfolds to more than a config can be. */
function unfolded(doc: Document): unknown {
  try {
    return doc.toJS() ?? {};
  } catch {
    return undefined;
  }
}

function checked(given: unknown): { config: RunConfig | null; findings: Finding[] } {
  if (!isJsonObject(given)) {
    return {
      config: null,
      findings: [failure([], "expected keys with values, such as dataset: …")],
    };
  }
  const { value, findings } = tidied(given);
  const parsed = runConfigSchema.safeParse(value);
  const wrong = parsed.success ? [] : parsed.error.issues.flatMap((issue) => ofIssue(issue, value));
  const all = [...findings, ...wrong];
  const isUsable = parsed.success && all.every(({ severity }) => severity === "warning");
  return { config: isUsable ? parsed.data : null, findings: all };
}

type Issue = Parameters<typeof fieldErrors>[0][number];

function ofIssue(issue: Issue, value: unknown): Finding[] {
  if (issue.code !== "unrecognized_keys") {
    return [failure(issue.path, fieldErrors([issue], value)[0]?.detail ?? issue.message)];
  }
  const known = knownKeys(issue.path);
  return issue.keys.map((key) => {
    const near = suggestion(key, known) || `; there is ${known.join(", ")}`;
    return failure([...issue.path, key], `unknown key${near}`);
  });
}

/** The line of a value's key; for a missing key, the line of its parent. */
function lineOf(doc: Document, lines: LineCounter, path: KeyPath): number {
  let node: unknown = doc.contents;
  let offset = doc.contents?.range?.[0] ?? 0;
  for (const [depth, part] of path.entries()) {
    if (isAlias(node)) node = node.resolve(doc);
    if (isMap(node)) {
      const names = [String(part), ...aliasesOf(path.slice(0, depth), String(part))];
      const pair = node.items.find(({ key }) => isScalar(key) && names.includes(String(key.value)));
      if (pair === undefined) break;
      offset = isScalar(pair.key) ? (pair.key.range?.[0] ?? offset) : offset;
      node = pair.value;
    } else if (isSeq(node)) {
      const item = node.items[Number(part)] as { range?: [number, number, number] } | undefined;
      offset = item?.range?.[0] ?? offset;
      node = item;
    } else break;
  }
  return Math.max(1, lines.linePos(offset).line);
}

/** `${NAME}`, `$NAME`, `env:NAME`, or a bare name of several words: no key looks so. */
const reference =
  /^(?:\$\{([A-Z_][A-Z0-9_]*)\}|(?:\$|env:)([A-Z_][A-Z0-9_]*)|([A-Z]+(?:_[A-Z]+)+))$/;

const literalKey =
  "never write a key in this file: set it in the environment or .env, and name the variable as api_key_env: MODEL_API_KEY";

/**
 * A file's values by our names: those of other programs are translated, keys without a value are left out,
 * and so are keys of a model or of prompts that nobody here knows, each with a warning.
 */
function tidied(given: JsonObject): { value: JsonObject; findings: Finding[] } {
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
          ? warning(where, "no effect: unknown key")
          : failure(where, `unknown key${near}`),
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

/** What other programs' files call a key of ours. */
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

/** Other names of the keys of a section. */
function sectionAliases(path: KeyPath): Record<string, readonly string[]> {
  if (path.length === 1 && path[0] === "prompts") return promptAliases;
  const isModel = path[0] === "model" ? path.length === 1 : path[0] === "models";
  return isModel && path.length <= 2 ? modelAliases : {};
}

/** Other names of one key. */
const aliasesOf = (path: KeyPath, key: string): readonly string[] =>
  Object.hasOwn(sectionAliases(path), key) ? sectionAliases(path)[key]! : [];

interface Described {
  properties?: Record<string, Described>;
  items?: Described;
}

/** The keys that a section of a config can have; empty where it takes any. */
function knownKeys(path: KeyPath): string[] {
  let at: Described | undefined = runConfigJsonSchema() as Described;
  for (const part of path) {
    at = typeof part === "number" ? at?.items : at?.properties?.[String(part)];
  }
  return Object.keys(at?.properties ?? {});
}
