import { isJsonObject, type Json, type JsonObject } from "../../shared/contracts/json.ts";

/** Maximum references followed in a row: more are assumed to be circular. */
const maxHops = 16;

/** The target of a local `$ref`, or `schema` itself; `{}` if the target does not exist. */
export function resolveSchema(root: Json, schema: Json | undefined): JsonObject {
  let current = schema;
  for (let hop = 0; hop < maxHops; hop += 1) {
    if (!isJsonObject(current)) return {};
    if (typeof current.$ref !== "string") return current;
    current = atPointer(root, current.$ref);
  }
  return {};
}

function atPointer(root: Json, ref: string): Json | undefined {
  if (!ref.startsWith("#")) return undefined;
  let current: Json | undefined = root;
  for (const part of ref.split("/").slice(1)) {
    const name = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    current = Array.isArray(current)
      ? current[Number(name)]
      : isJsonObject(current)
        ? current[name]
        : undefined;
  }
  return current;
}

/** `schema` resolved, followed by all branches of its `allOf`, `anyOf` and `oneOf`. */
export function schemaBranches(root: Json, schema: Json | undefined, depth = 0): JsonObject[] {
  const resolved = resolveSchema(root, schema);
  const lists = [resolved.allOf, resolved.anyOf, resolved.oneOf].filter(Array.isArray);
  if (lists.length === 0 || depth > maxHops) return [resolved];
  const branches = lists.flat().flatMap((branch) => schemaBranches(root, branch, depth + 1));
  return [resolved, ...branches];
}

/** The resolved schema of property `name`; `{}` if no branch has it. */
export function propertySchema(root: Json, branches: readonly JsonObject[], name: string) {
  for (const { properties } of branches) {
    if (isJsonObject(properties) && Object.hasOwn(properties, name)) {
      return resolveSchema(root, properties[name]);
    }
  }
  return resolveSchema(
    root,
    branches.find((b) => isJsonObject(b.additionalProperties))?.additionalProperties,
  );
}

/** The names of all properties that the branches describe. */
export function propertyNames(branches: readonly JsonObject[]): string[] {
  const names = branches.flatMap(({ properties }) =>
    isJsonObject(properties) ? Object.keys(properties) : [],
  );
  return branches.length === 1 ? names : [...new Set(names)];
}

/** Whether any branch requires property `name`. */
export function isRequired(branches: readonly JsonObject[], name: string): boolean {
  return branches.some(({ required }) => Array.isArray(required) && required.includes(name));
}

/** The schema of the array element at `index`, resolved. */
export function itemSchema(root: Json, schema: JsonObject, index: number): JsonObject {
  const tuple = Array.isArray(schema.prefixItems) ? schema.prefixItems : schema.items;
  if (Array.isArray(tuple) && index < tuple.length) return resolveSchema(root, tuple[index]);
  return resolveSchema(root, Array.isArray(schema.items) ? schema.additionalItems : schema.items);
}
