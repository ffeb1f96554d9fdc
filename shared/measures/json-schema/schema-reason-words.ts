import { isJsonObject, type Json } from "../../contracts/json.ts";
import { jsonType } from "../matching/json-type.ts";

/**
 * What is wrong with `value`, which `keyword` with the value `asked` refuses, in a few words.
 * @example whyRefused("type", "string", 5) // "is number, not string"
 */
export function whyRefused(keyword: string, asked: Json, value: Json): string {
  switch (keyword) {
    case "type":
      return `is ${jsonType(value)}, not ${Array.isArray(asked) ? asked.join(" or ") : asked}`;
    case "required":
      return `${quoted(missing(asked as string[], value))} is missing`;
    case "enum":
      return `${quoted(value)} is none of ${quoted(asked)}`;
    case "const":
      return `${quoted(value)} is not ${quoted(asked)}`;
    case "uniqueItems":
      return "an element occurs twice";
    case "minLength":
    case "maxLength":
      return `has ${[...(value as string)].length} characters, the limit is ${asked}`;
    case "minItems":
    case "maxItems":
      return `has ${(value as Json[]).length} elements, the limit is ${asked}`;
    case "minProperties":
    case "maxProperties":
      return `has ${Object.keys(value as object).length} properties, the limit is ${asked}`;
    default:
      return `${quoted(value)} does not meet ${quoted(asked)}`;
  }
}

function missing(names: readonly string[], value: Json): string {
  return names.find((name) => !isJsonObject(value) || !Object.hasOwn(value, name)) ?? "";
}

/** As JSON, shortened: a value may be a whole document. */
function quoted(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
