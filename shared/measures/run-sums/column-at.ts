/**
 * Index of each column among the sums that statistics take.
 * @example columnAt(["hits", "score"]).score // 1
 */
export function columnAt<Name extends string>(columns: readonly Name[]): Record<Name, number> {
  return Object.fromEntries(columns.map((name, k) => [name, k])) as Record<Name, number>;
}
