import type { FieldTree } from "./flatten.ts";

/** Elements paired because they are the same, and the indices of those that are not. */
export interface SamePairs {
  /** For each expected element the index of its predicted one, or −1. */
  predictedOf: Int32Array;
  rows: Int32Array;
  columns: Int32Array;
}

/**
 * Pairs each expected element with the first unused predicted element that holds the very same
 * fields; null elements stay unpaired. For arrays too long to compare every element with every other.
 * Linear in the fields.
 * @example pairSame(list([1, 2]).elements, list([2, 3]).elements) // predictedOf [-1, 0], rows [0], columns [1]
 */
export function pairSame(
  expected: readonly (FieldTree | null)[],
  predicted: readonly (FieldTree | null)[],
): SamePairs {
  const unused = new Map<string, number[]>();
  predicted.forEach((element, j) => {
    const name = key(element);
    const same = unused.get(name);
    if (same === undefined) unused.set(name, [j]);
    else same.push(j);
  });
  for (const indices of unused.values()) indices.reverse();
  const predictedOf = Int32Array.from(expected, (element) =>
    element === null ? -1 : (unused.get(key(element))?.pop() ?? -1),
  );
  const used = new Set(predictedOf);
  const rows = Int32Array.from(expected.keys()).filter((i) => predictedOf[i]! < 0);
  const columns = Int32Array.from(predicted.keys()).filter((j) => !used.has(j));
  return { predictedOf, rows, columns };
}

/** Equal for equal fields, whatever the order of properties. */
function key(tree: FieldTree | null): string {
  if (tree === null) return "null";
  if (tree.kind === "field") return JSON.stringify(tree.value);
  if (tree.kind === "list") return `[${tree.elements.map(key).join()}]`;
  const named = [...tree.children].map(([name, child]) => `${JSON.stringify(name)}:${key(child)}`);
  return `{${named.sort().join()}}`;
}
