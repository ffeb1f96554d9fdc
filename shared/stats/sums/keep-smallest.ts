/**
 * Adds an item if it is among the `most` ≥ 1 smallest ever added, and returns whether it was kept. Selects a bounded
 * subset of a stream that does not depend on the order, if `compare` distinguishes all items. Changes `kept`, which
 * is sorted. Constant time for an item that is not kept, else linear in `most`.
 * @example keepSmallest(kept, 7, 3, (a, b) => a - b)
 */
export function keepSmallest<T>(
  kept: T[],
  item: T,
  most: number,
  compare: (a: T, b: T) => number,
): boolean {
  const last = kept.at(-1);
  if (kept.length >= most && last !== undefined && compare(item, last) >= 0) return false;
  let [low, high] = [0, kept.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(kept[middle] as T, item) <= 0) low = middle + 1;
    else high = middle;
  }
  kept.splice(low, 0, item);
  if (kept.length > most) kept.pop();
  return true;
}
