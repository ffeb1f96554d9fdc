import { isJsonObject, type JsonObject } from "#shared/contracts/json.ts";

/** Nested options as dotted names with JSON values, in order. */
export function flatOptions(
  options: Record<string, unknown>,
  prefix = "",
): { name: string; value: string }[] {
  return Object.entries(options).flatMap(([key, value]) => {
    const name = `${prefix}${key}`;
    return isJsonObject(value) && Object.keys(value).length > 0
      ? flatOptions(value as JsonObject, `${name}.`)
      : [{ name, value: JSON.stringify(value) ?? "" }];
  });
}
