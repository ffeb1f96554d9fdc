/**
 * Holm's step-down correction of the p-values of one family, in their order: it limits the probability of any false
 * rejection to the level. Each is 0–1 and at least its raw value; null (no test possible) stays null and is not
 * counted. O(n log n).
 * Source: Holm 1979; docs/spec/statistics.md, many models.
 * @example holm([0.01, 0.04, 0.03]) // [0.03, 0.06, 0.06]
 */
export function holm(pValues: readonly (number | null)[]): (number | null)[] {
  const order = pValues
    .flatMap((p, index) => (p === null ? [] : [{ p, index }]))
    .sort((a, b) => a.p - b.p);
  const adjusted: (number | null)[] = pValues.map(() => null);
  let highest = 0;
  order.forEach(({ p, index }, step) => {
    highest = Math.max(highest, Math.min(1, p * (order.length - step)));
    adjusted[index] = highest;
  });
  return adjusted;
}
