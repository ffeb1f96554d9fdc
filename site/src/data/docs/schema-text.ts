import type { Schema } from "./openapi.ts";
import { refName } from "./operations.ts";

/** A schema's type in a few words: `array of Run`, `"asc" or "desc"`, `integer or null`. */
export function typeText(schema: Schema): string {
  if (schema.$ref) return refName(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" or ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map(typeText))].join(" or ");
  if (schema.allOf) return schema.allOf.map(typeText).join(" and ");
  if (schema.items) return `array of ${typeText(schema.items)}`;
  const type = [schema.type ?? "any"].flat().join(" or ");
  return schema.format ? `${type} (${schema.format})` : type;
}

/** The limits of a value, in words: `1 to 200`, `at most 80 characters`. */
export function limitsText(schema: Schema): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  const parts = [
    range(minimum, maximum, ""),
    range(minLength, maxLength, " characters"),
    range(minItems, maxItems, " items"),
    schema.default === undefined ? "" : `default ${JSON.stringify(schema.default)}`,
  ];
  return parts.filter(Boolean).join(", ");
}

// zod writes the safe-integer bounds into every integer; they are of no use to readers.
const isBound = (value: number | undefined): value is number =>
  value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER;

function range(low: number | undefined, high: number | undefined, what: string): string {
  if (isBound(low) && isBound(high))
    return low === high ? `${low}${what}` : `${low} to ${high}${what}`;
  if (isBound(low)) return low > 0 || what === "" ? `at least ${low}${what}` : "";
  return isBound(high) ? `at most ${high}${what}` : "";
}

export const exampleOf = (schema: Schema): unknown => schema.example ?? schema.examples?.[0];

/** The object schema whose properties are listed: itself, its items, or the only choice that has any. */
export function listedSchema(schema: Schema): Schema | null {
  if (schema.properties) return schema;
  if (schema.items) return listedSchema(schema.items);
  const parts = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? [];
  const listed = parts.map(listedSchema).filter((part) => part !== null);
  if (schema.allOf && listed.length > 0) return merged(listed);
  return listed.length === 1 ? (listed[0] ?? null) : null;
}

const merged = (parts: Schema[]): Schema => ({
  properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
  required: parts.flatMap(({ required }) => required ?? []),
});

/** Names of the components that a schema mentions, for links. */
export function refsOf(schema: Schema): string[] {
  const own = schema.$ref ? [refName(schema.$ref)] : [];
  const inner = [
    schema.items,
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...(schema.allOf ?? []),
  ];
  if (typeof schema.additionalProperties === "object") inner.push(schema.additionalProperties);
  return [...new Set([...own, ...inner.flatMap((part) => (part ? refsOf(part) : []))])];
}
