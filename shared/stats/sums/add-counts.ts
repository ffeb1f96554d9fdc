/**
 * Adds every number of `other` to the one at the same place in `counts`, which gets what it lacks.
 * Linear in `other`.
 * @example addCounts({ a: 1, b: [1, 2] }, { b: [3, 4] }) // { a: 1, b: [4, 6] }
 */
export function addCounts(counts: object, other: object): void {
  const into = counts as Record<string, number | object | undefined>;
  const from = other as Record<string, number | object>;
  for (const name of Object.keys(from)) {
    const value = from[name]!;
    const known = into[name];
    if (typeof value === "number") into[name] = ((known as number | undefined) ?? 0) + value;
    else if (typeof known === "object") addCounts(known, value);
    else into[name] = structuredCopy(value);
  }
}

function structuredCopy(value: object): object {
  const copy = Array.isArray(value) ? [] : {};
  addCounts(copy, value);
  return copy;
}
