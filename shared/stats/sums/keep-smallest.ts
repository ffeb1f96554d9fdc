/**
 * Adds an item to those kept if it is among the `most` ≥ 1 least of all that were ever added, and says whether
 * it is: so a part of any number of items is chosen in bounded room, the same part in whatever order they
 * come, as long as `compare` tells any two apart. Changes `kept`, which is in order. Constant time for an
 * item that is not kept, else linear in `most`.
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
