import { readFileSync } from "node:fs";
import { type Document, LineCounter, parseDocument } from "yaml";
import { fieldErrors } from "#shared/contracts/field-errors.ts";
import { isJsonObject } from "#shared/contracts/json.ts";
import { type RunConfig, runConfigSchema } from "#shared/contracts/run-config.ts";
import { fileProblem } from "../score/open-file.ts";
import { suggestion } from "../suggestion.ts";
import { type Finding, failure, keyText, type PlacedFinding } from "./finding.ts";
import { knownKeys } from "./known-keys.ts";
import { lineOf } from "./line-of.ts";
import { tidied } from "./tidied.ts";

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
    return { config: null, findings: [failure([], "it must be keys with values, as dataset: …")] };
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
    return failure([...issue.path, key], `there is no such key${near}`);
  });
}
