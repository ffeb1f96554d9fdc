/**
 * The column among `known` that has the same values; where there is none, `column` itself, which is known
 * from then on. Columns that runs share so take memory, and are resampled, once. Changes `known`.
 * O(known · values) where they differ late.
 * @example sharedColumn([ones], Float64Array.of(1, 1)) // ones
 */
export function sharedColumn(known: Float64Array[], column: Float64Array): Float64Array {
  const same = known.find((other) => isSame(other, column));
  if (same === undefined) known.push(column);
  return same ?? column;
}

function isSame(a: Float64Array, b: Float64Array): boolean {
  for (let i = 0; i < b.length; i++) {
    if (a[i] !== b[i]) return false;
  }
  return a.length === b.length;
}
