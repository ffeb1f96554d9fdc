import { dirname, resolve } from "node:path";
import { type Document, isAlias, isMap, isScalar, isSeq, type LineCounter, type Node } from "yaml";
import { fieldErrors } from "#shared/contracts/field-errors.ts";
import { isJsonObject } from "#shared/contracts/json.ts";
import {
  type ConfigModel,
  type RunConfig,
  runConfigSchema,
} from "#shared/contracts/submissions/run-config.ts";
import { BadInput } from "../errors.ts";
import { openYaml, plainValue, readHttpTemplate, readRubric } from "../files/yaml-file.ts";
import { aliasesOf, translateKeys } from "./config-keys.ts";
import { type Finding, failure, type KeyPath, keyText, type PlacedFinding } from "./finding.ts";

/** Default config files: from assay init, and of other programs. */
export const usualFiles = ["assay.yaml", "config.yaml"];

/** A parsed config file. */
export interface ReadConfig {
  /** Null if a finding is an error. */
  config: RunConfig | null;
  findings: PlacedFinding[];
  /** Adds line numbers to findings. */
  locate(findings: readonly Finding[]): PlacedFinding[];
}

/** Reads a config file without checking the suite's options. Throws BadInput if the file does not exist. */
export function readRunConfig(path: string): ReadConfig {
  const { doc, lines } = openYaml(path);
  const locate = (findings: readonly Finding[]): PlacedFinding[] =>
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
    return { config: null, findings, locate };
  }
  const given = plainValue(doc);
  const { config, findings } = checkConfig(given === null ? {} : given);
  const whole = config && withFiles(config, dirname(path));
  const all = whole?.finding ? [...findings, whole.finding] : findings;
  const located = locate(all).sort((a, b) => a.line - b.line);
  return { config: whole?.config ?? null, findings: located, locate };
}

/** A config with the contents of the files that it names, relative to the config's folder. */
function withFiles(
  config: RunConfig,
  folder: string,
): { config: RunConfig | null; finding?: Finding } {
  let at: KeyPath = ["rubric"];
  const filled = (one: ConfigModel, path: KeyPath): ConfigModel => {
    at = [...path, "http"];
    if (typeof one.http !== "string" || /^https?:/.test(one.http)) return one;
    return { ...one, http: readHttpTemplate(resolve(folder, one.http)) };
  };
  const { rubric, model, models } = config;
  try {
    return {
      config: {
        ...config,
        ...(typeof rubric === "string" && { rubric: readRubric(resolve(folder, rubric)) }),
        ...(model && { model: filled(model, ["model"]) }),
        ...(models && { models: models.map((one, i) => filled(one, ["models", i])) }),
      },
    };
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    return { config: null, finding: failure(at, error.message) };
  }
}

function checkConfig(given: unknown): { config: RunConfig | null; findings: Finding[] } {
  if (!isJsonObject(given)) {
    return {
      config: null,
      findings: [failure([], "expected keys with values, such as dataset: …")],
    };
  }
  const { value, findings } = translateKeys(given);
  const parsed = runConfigSchema.safeParse(value);
  const errors = parsed.success
    ? []
    : parsed.error.issues.flatMap((issue) => issueFindings(issue, value));
  const all = [...findings, ...errors];
  const isUsable = parsed.success && all.every(({ severity }) => severity === "warning");
  return { config: isUsable ? parsed.data : null, findings: all };
}

type Issue = Parameters<typeof fieldErrors>[0][number];

/** Errors of values; unknown keys were removed before. */
const issueFindings = (issue: Issue, value: unknown): Finding[] => [
  failure(issue.path, fieldErrors([issue], value)[0]?.detail ?? issue.message),
];

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
      offset = (pair.key as Node).range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      const item = node.items[Number(part)] as Node | undefined;
      offset = item?.range?.[0] ?? offset;
      node = item;
    } else break;
  }
  return Math.max(1, lines.linePos(offset).line);
}
