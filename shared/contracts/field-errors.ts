import type { z } from "zod";
import { bounds, cutText } from "./bounds.ts";
import type { FieldError } from "./problem.ts";
import { counted } from "./text/counted.ts";
import { suggestion } from "./text/suggestion.ts";

/** Longest quote of an invalid value, in characters. */
const MAX_QUOTED = 61;

/** Maximum number of errors returned for one request. */
const mostErrors = 100;

/** Values of fields with these names are never quoted. */
const secretNames = new Set(["apiKey", "api_key", "api_key_env", "headers"]);

/**
 * Converts zod issues to field errors, at most 100. Each has a JSON pointer below `base`, the requirement, and the
 * given value; both are cut if long. Each unknown field is one error at its own pointer.
 * @example fieldErrors(schema.safeParse(body).error.issues, body)
 */
export function fieldErrors(
  issues: readonly z.core.$ZodIssue[],
  value: unknown,
  base = "",
): FieldError[] {
  const errors = issues.slice(0, mostErrors).flatMap((issue) => {
    if (issue.code === "unrecognized_keys") {
      const said = issue.message.startsWith(noField) ? issue.message.split("\n") : [];
      return issue.keys.slice(0, mostErrors).map((key, i) => ({
        pointer: base + shownPointer([...issue.path, key]),
        detail: said[i] ?? `${noField} "${cutText(key, MAX_QUOTED)}" here`,
      }));
    }
    const detail = `${cutText(wording(issue), bounds.message)}${quoted(issue.path, value)}`;
    return [{ pointer: base + shownPointer(issue.path), detail }];
  });
  return errors.slice(0, mostErrors);
}

const noField = "there is no field";

/**
 * For `z.config`: the message of unknown fields names, line by line, the nearest known field of each. Only this function
 * sees the schema; `fieldErrors` sees the issue.
 */
export function nearestFields(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== "unrecognized_keys" || issue.keys.join("").includes("\n")) return undefined;
  const { shape = {} } = (issue.inst?._zod.def ?? {}) as { shape?: object };
  const known = Object.keys(shape);
  const near = (key: string) => (key.length > MAX_QUOTED ? "" : suggestion(key, known));
  return issue.keys
    .slice(0, mostErrors)
    .map((key) => `${noField} "${cutText(key, MAX_QUOTED)}" here${near(key)}`)
    .join("\n");
}

/** A JSON pointer for messages: long names in it are cut like values. */
export const shownPointer = (path: readonly PropertyKey[]): string =>
  cutText(
    pointerOf(path.map((part) => (typeof part === "string" ? cutText(part, MAX_QUOTED) : part))),
    bounds.message,
  );

/**
 * JSON pointer (RFC 6901) of a path into a document; "" for the whole document.
 * @example pointerOf(["models", 0, "a/b"]) // "/models/0/a~1b"
 */
export function pointerOf(path: readonly PropertyKey[]): string {
  const escaped = path.map((part) => String(part).replaceAll("~", "~0").replaceAll("/", "~1"));
  return escaped.map((part) => `/${part}`).join("");
}

/** How zod's own messages begin; they are replaced. A message set by a schema is kept. */
const generic = /^(Invalid input|Invalid option|Invalid ISO datetime|Too small|Too big)/;

const unitOf: Record<string, string> = { array: "item", string: "character" };

/** @example boundText(1, "array") // "1 item" */
const boundText = (bound: number | bigint, origin: string): string =>
  origin in unitOf ? counted(Number(bound), unitOf[origin]!) : `${bound}`;

function wording(issue: z.core.$ZodIssue): string {
  if (!generic.test(issue.message)) return issue.message;
  switch (issue.code) {
    case "invalid_type":
      return `must be ${named(issue.expected)}`;
    case "invalid_format":
      return issue.format === "datetime"
        ? "must be a time such as 2027-01-31T00:00:00Z"
        : issue.message;
    case "invalid_value":
      return `must be one of ${issue.values.map(String).join(", ")}`;
    case "too_small":
      return `must be ${issue.inclusive === false ? "more than" : "at least"} ${boundText(issue.minimum, issue.origin)}`;
    case "too_big":
      return `must be ${issue.inclusive === false ? "less than" : "at most"} ${boundText(issue.maximum, issue.origin)}`;
    default:
      return issue.message;
  }
}

function named(type: string): string {
  if (type === "int") return "a whole number";
  // Where any value is allowed, zod reports "nonoptional" as the expected type.
  if (type === "nonoptional") return "given";
  return `${/^[aeio]/.test(type) ? "an" : "a"} ${type}`;
}

function quoted(path: readonly PropertyKey[], root: unknown): string {
  if (path.some((part) => secretNames.has(String(part)))) return "";
  const value = path.reduce<unknown>(
    (inner, part) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[part],
    root,
  );
  if (value === undefined || (typeof value === "object" && value !== null)) return "";
  // Text before the @ of an address may be a password, even in an invalid address.
  if (typeof value === "string" && /:.*@/s.test(value)) return "";
  const text = JSON.stringify(value);
  return `, not ${cutText(text, MAX_QUOTED)}`;
}
