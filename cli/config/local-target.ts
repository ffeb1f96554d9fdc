import { contentHash } from "#shared/contracts/content-hash.ts";
import { fieldErrors } from "#shared/contracts/field-errors.ts";
import type { Json } from "#shared/contracts/json.ts";
import {
  type HttpTemplate,
  httpTemplateSchema,
} from "#shared/contracts/submissions/http-template.ts";
import type { ConfigModel } from "#shared/contracts/submissions/run-config.ts";
import { type Finding, failure, type KeyPath } from "./finding.ts";

/** What this machine asks in place of an endpoint: a program, or an HTTP interface of any form. */
export type LocalTarget =
  | { kind: "program"; command: string; processes: number | null }
  | { kind: "http"; template: HttpTemplate };

/** Keys that say how an endpoint is called. */
const ofEndpoint = [
  "base_url",
  "provider",
  "protocol",
  "api_key_env",
  "api_key",
  "headers",
  "hybrid",
  "batches",
  "runner",
] as const satisfies (keyof ConfigModel)[];

/** Characters of a name. */
const MOST_NAME = 100;
/** Digits of a hash that name a target. */
const DIGITS = 12;

/** Whether this machine is to ask a model of a config. */
export const isLocal = ({ exec, http }: ConfigModel): boolean =>
  exec !== undefined || http !== undefined;

/** The target of a model of a config; null: it has an endpoint, or an error that is in `findings`. */
export function localTarget(
  [path, model]: readonly [KeyPath, ConfigModel],
  findings: Finding[],
): LocalTarget | null {
  const { exec, http, processes } = model;
  if (exec === undefined && processes !== undefined) {
    findings.push(failure([...path, "processes"], "needs exec, the command to run"));
  }
  if (!isLocal(model)) return null;
  const own = exec === undefined ? "http" : "exec";
  const other = [exec !== undefined && ("http" as const), ...ofEndpoint].find(
    (key) => key && model[key] !== undefined,
  );
  if (other) findings.push(failure([...path, other], `give either ${own} or ${other}`));
  if (exec?.trim() === "")
    findings.push(failure([...path, "exec"], "exec is empty: give the command to run"));
  if (exec !== undefined) return { kind: "program", command: exec, processes: processes ?? null };
  const parsed = httpTemplateSchema.safeParse(typeof http === "string" ? { url: http } : http);
  if (parsed.success) return { kind: "http", template: parsed.data };
  for (const issue of parsed.error.issues) {
    const [error] = fieldErrors([issue], http);
    findings.push(failure([...path, "http", ...issue.path], error?.detail ?? issue.message));
  }
  return null;
}

/**
 * The address at which a service calls a target, still without the port of the run: that of a target is always the same.
 * It contains no part of the command or template.
 */
export function relayAddress(name: string, target: LocalTarget): string {
  const hash = contentHash({ name, target: target as unknown as Json });
  return `http://127.0.0.1/${hash.slice(0, DIGITS)}/v1`;
}

/**
 * A name for what a command runs, or for an address: its file or host.
 * @example targetName("python -u answer.py --fast") // "answer.py"
 */
export function targetName(given: string): string {
  const url = /^https?:\/\//.test(given) ? URL.parse(given) : null;
  if (url !== null) return url.host;
  // Words with one of these may be secrets.
  const words = given
    .replaceAll(/["']/g, "")
    .split(/\s+/)
    .filter((word) => word !== "" && !/^-|[=@:]/.test(word));
  const file = words.find((word) => /\.\w/.test(word)) ?? words[0] ?? "program";
  return (file.split("/").at(-1) || file).slice(0, MOST_NAME);
}
