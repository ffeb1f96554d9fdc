import type { MatchRules } from "../composite.ts";
import { exactMatch } from "../exact-match.ts";
import type { FieldTree } from "../fields/flatten.ts";
import { treeHash } from "./tree-hash.ts";

/** The elements of an array, null for one without fields. */
export type Elements = readonly (FieldTree | null)[];

/**
 * For each expected element the index of its predicted one, or −1: pairs each with the first unused predicted element that holds the very same fields
 * after normalisation; null elements stay unpaired. Linear in the fields.
 * @example pairSame(list([1, 2]).elements, list([2, 3]).elements, rules) // [-1, 0]
 */
export function pairSame(expected: Elements, predicted: Elements, rules: MatchRules): Int32Array {
  const unused = new Map<number, number[]>();
  predicted.forEach((element, j) => {
    if (element === null) return;
    const hash = treeHash(element, rules);
    const same = unused.get(hash);
    if (same === undefined) unused.set(hash, [j]);
    else same.push(j);
  });
  for (const indices of unused.values()) indices.reverse();
  const sameness = { ...rules, arrayOrder: true };
  return Int32Array.from(expected, (element) => {
    const same = element === null ? undefined : unused.get(treeHash(element, rules));
    const j = same?.at(-1);
    if (same === undefined || j === undefined) return -1;
    if (!exactMatch(element, predicted[j]!, sameness)) return -1;
    same.pop();
    return j;
  });
}

/**
 * The indices on either side that an alignment leaves over.
 * @example unpaired(Int32Array.of(1, -1), 2) // { rows: [1], columns: [0] }
 */
export function unpaired(
  predictedOf: Int32Array,
  columns: number,
): { rows: Int32Array; columns: Int32Array } {
  const used = new Uint8Array(columns);
  for (const j of predictedOf) if (j >= 0) used[j] = 1;
  return {
    rows: predictedOf.map((_, i) => i).filter((i) => predictedOf[i]! < 0),
    columns: new Int32Array(columns).map((_, j) => j).filter((j) => used[j] === 0),
  };
}
