import { bounds, cutText } from "../../../../contracts/bounds.ts";

/** What would make a bare name ambiguous in a path. */
const special = /[.[\]"]|^$/;

/** Objects in objects make paths of any length, of which an answer of megabytes has as many as it has fields. */
const shortPath = (path: string): string => cutText(path, bounds.fieldName);

/**
 * The path of property `name` within the value at `path`: joined by a dot, or quoted in brackets
 * where the name holds a dot, a bracket or a quote, so that no two fields share a path. Cut after 500 characters.
 * Source: docs/spec/extraction.md, section 2.3.
 * @example propertyPath("items[0]", "price") // "items[0].price"
 */
export function propertyPath(path: string, name: string): string {
  if (special.test(name)) return shortPath(`${path}[${JSON.stringify(name)}]`);
  return path === "" ? name : shortPath(`${path}.${name}`);
}

/**
 * The path of the element at `index` of the array at `path`.
 * @example elementPath("items", 0) // "items[0]"
 */
export function elementPath(path: string, index: number): string {
  return shortPath(`${path}[${index}]`);
}

/**
 * The name path of the elements of the array at name path `path`.
 * @example namedElementPath("items") // "items[]"
 */
export function namedElementPath(path: string): string {
  return shortPath(`${path}[]`);
}
