import { contentHash } from "#shared/contracts/content-hash.ts";
import { fieldErrors } from "#shared/contracts/field-errors.ts";
import type { Json } from "#shared/contracts/json.ts";
import {
  type HttpTemplate,
  httpTemplateSchema,
} from "#shared/contracts/submissions/http-template.ts";
import type { ConfigModel } from "#shared/contracts/submissions/run-config.ts";
import { type Finding, failure, type KeyPath } from "./finding.ts";

/** What this machine calls instead of an endpoint: a program, or any HTTP interface. */
export type LocalTarget =
  | { kind: "program"; command: string; processes: number | null }
  | { kind: "http"; template: HttpTemplate };

/** Keys that define how an endpoint is called. */
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

/** Maximum length of a name. */
const MOST_NAME = 100;
/** Digits of the hash in a target's address. */
const DIGITS = 12;

/** Whether this machine calls a model of a config. */
export const isLocal = ({ exec, http }: ConfigModel): boolean =>
  exec !== undefined || http !== undefined;

/** The local target of a model; null if it has an endpoint, or an error that is added to `findings`. */
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
 * The address at which a service calls a target, without the port, so that it is the same for every run.
 * The address contains no part of the command or template.
 */
export function relayAddress(name: string, target: LocalTarget): string {
  const hash = contentHash({ name, target: target as unknown as Json });
  return `http://127.0.0.1/${hash.slice(0, DIGITS)}/v1`;
}

/**
 * A name for a command or an address: the file or the host.
 * @example targetName("python -u answer.py --fast") // "answer.py"
 */
export function targetName(given: string): string {
  const url = /^https?:\/\//.test(given) ? URL.parse(given) : null;
  if (url !== null) return url.host;
  // Words with =, @ or : may contain secrets.
  const words = given
    .replaceAll(/["']/g, "")
    .split(/\s+/)
    .filter((word) => word !== "" && !/^-|[=@:]/.test(word));
  const file = words.find((word) => /\.\w/.test(word)) ?? words[0] ?? "program";
  return (file.split("/").at(-1) || file).slice(0, MOST_NAME);
}
