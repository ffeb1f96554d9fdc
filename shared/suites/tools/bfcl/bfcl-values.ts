import { isJsonObject, type Json, type JsonObject } from "../../../contracts/json.ts";
import { itemsOf, propertyOf } from "./bfcl-schema.ts";

/** Deeper values are taken as they are; `checkSample` then refuses the sample. */
const mostDepth = 64;

/**
 * What an argument is expected to be, of BFCL's list of accepted values: the one value there is, else
 * `{"any_of": […]}`, in which `""` and null say that it may be left out, and `""` that it may be empty in its own type. In an object that is accepted each
 * key holds such a list again, as in each object of a list; objects within these are compared as they
 * are, but for lists where the schema wants no array. An empty list stands for the empty array where the
 * schema wants one, which may be left out then; else it is null: no value is right.
 * Source: BFCL, `ast_checker.py` (`dict_checker`, `list_dict_checker`).
 * @example expectedOf(["NYC", "New York", ""], { type: "string" }) // { any_of: ["NYC", "New York", ""] }
 * @example expectedOf([{ x: [1, ""] }], { type: "object" }) // { x: { any_of: [1, ""] } }
 */
export function expectedOf(accepted: readonly Json[], schema: JsonObject): Json | null {
  if (accepted.length === 0) return schema["type"] === "array" ? { any_of: [[], ""] } : null;
  return oneOf(accepted.map((value) => read(value, schema, 0)));
}

function oneOf(values: Json[]): Json {
  const [first] = values;
  const isOne = values.length === 1 && first !== "" && first !== null;
  return isOne ? first! : { any_of: values };
}

/** `depth` counts the objects around it: keys of the outermost alone hold lists of accepted values. */
function read(value: Json, schema: JsonObject, depth: number): Json {
  if (depth > mostDepth) return value;
  if (Array.isArray(value)) return value.map((one) => read(one, itemsOf(schema), depth));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, held]) => {
    const below = propertyOf(schema, key);
    const { type } = below;
    const isList = depth === 0 || (type !== undefined && type !== "array");
    if (!Array.isArray(held) || !isList) return [key, read(held, below, depth + 1)];
    return [key, oneOf(held.map((one) => read(one, below, depth + 1)))];
  });
  return Object.fromEntries(entries);
}
