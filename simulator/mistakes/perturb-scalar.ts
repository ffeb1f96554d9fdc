import type { Json, JsonObject } from "../../shared/contracts/json.ts";
import type { Draws } from "../draws.ts";
import type { MistakeKind, Mistakes } from "./mistakes.ts";

type Scalar = string | number | boolean;

/** A wrong version of a scalar; undefined if impossible for this value. */
interface ScalarMistake {
  kind: MistakeKind;
  change(value: Scalar, schema: JsonObject, draws: Draws): Json | undefined;
}

/** Keywords that constrained decoding enforces, and that a mistake could violate. */
const enforced = [
  "pattern",
  "format",
  "const",
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
] as const;

const whole: ScalarMistake[] = [
  { kind: "wrong_enum", change: wrongEnum },
  { kind: "wrong_boolean", change: (value) => (typeof value === "boolean" ? !value : undefined) },
];
const free: ScalarMistake[] = [
  { kind: "swapped_date", change: swapDate },
  { kind: "wrong_number", change: wrongNumber },
  { kind: "typo", change: misspell },
  { kind: "cut_string", change: cutString },
  { kind: "wrong_type", change: wrongType },
];
const all = [...whole, ...free];

/** `value` with at most one mistake, which is added to `mistakes.made`. */
export function perturbScalar(value: Json, schema: JsonObject, mistakes: Mistakes): Json {
  if (value === null || typeof value === "object") return value;
  const isBound = mistakes.constrained && enforced.some((keyword) => schema[keyword] !== undefined);
  for (const { kind, change } of isBound ? whole : all) {
    if (!mistakes.draws.chance(mistakes.rates[kind])) continue;
    const changed = change(value, schema, mistakes.draws);
    if (changed === undefined) continue;
    mistakes.made.push(kind);
    return changed;
  }
  return value;
}

function wrongEnum(value: Scalar, schema: JsonObject, draws: Draws): Json | undefined {
  const others = Array.isArray(schema.enum) ? schema.enum.filter((other) => other !== value) : [];
  return others.length > 0 ? draws.pick(others) : undefined;
}

/** Swaps day and month, in the two most common formats. */
function swapDate(value: Scalar): string | undefined {
  if (typeof value !== "string") return undefined;
  const swapped = value
    .replace(/^(\d{4})-(\d\d)-(\d\d)/, "$1-$3-$2")
    .replace(/^(\d\d?)\/(\d\d?)\/(\d{4})/, "$2/$1/$3");
  return swapped === value ? undefined : swapped;
}

function wrongNumber(value: Scalar, _: JsonObject, draws: Draws): number | undefined {
  if (typeof value !== "number") return undefined;
  const sign = draws.chance(0.5) ? 1 : -1;
  const share = 0.01 + 0.19 * draws.unit();
  if (Number.isInteger(value))
    return value + sign * Math.max(1, Math.round(Math.abs(value) * share));
  const decimals = Math.min(12, String(value).split(".")[1]?.length ?? 2);
  const step = Math.max(Math.abs(value) * share, 10 ** -decimals);
  return Number((value + sign * step).toFixed(decimals));
}

/** Swaps two neighbouring letters. */
function misspell(value: Scalar, schema: JsonObject, draws: Draws): string | undefined {
  if (typeof value !== "string" || value.length < 3 || schema.enum !== undefined) return undefined;
  const at = draws.index(value.length - 1);
  const swapped =
    value.slice(0, at) + value.charAt(at + 1) + value.charAt(at) + value.slice(at + 2);
  return swapped === value ? value.slice(0, at) + value.slice(at + 1) : swapped;
}

/** The first 40–80% of the string. */
function cutString(value: Scalar, schema: JsonObject, draws: Draws): string | undefined {
  if (typeof value !== "string" || value.length < 6 || schema.enum !== undefined) return undefined;
  return value.slice(0, Math.ceil(value.length * (0.4 + 0.4 * draws.unit()))).trimEnd();
}

function wrongType(value: Scalar, schema: JsonObject): Json | undefined {
  if (typeof schema.type !== "string") return undefined;
  return typeof value === "string" ? [value] : String(value);
}
