import { isJsonObject, type Json } from "../contracts/json.ts";

/**
 * The texts and numbers within a value, each with the path of its field; `[]` means the elements of a list. Linear.
 * @example leavesOf({ a: [1, "x"] }, "gold") // [["gold.a[]", 1], ["gold.a[]", "x"]]
 */
export function leavesOf(value: Json, path: string): [path: string, value: string | number][] {
  const leaves: [string, string | number][] = [];
  const open: [string, Json][] = [[path, value]];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const [at, its] = one;
    if (typeof its === "string" || typeof its === "number") leaves.push([at, its]);
    else if (Array.isArray(its)) {
      for (let i = its.length - 1; i >= 0; i--) open.push([`${at}[]`, its[i]!]);
    } else if (isJsonObject(its)) {
      const entries = Object.entries(its);
      for (let i = entries.length - 1; i >= 0; i--) {
        const [name, member] = entries[i]!;
        open.push([`${at}.${name}`, member]);
      }
    }
  }
  return leaves;
}
