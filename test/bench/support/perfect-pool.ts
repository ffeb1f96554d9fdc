/**
 * Time of a pool without overhead, ms: each of `size` workers takes the next of `latenciesMs` as soon as it has finished
 * the one before.
 * @example perfectPoolMs([3, 1, 2], 2) // 3
 */
export function perfectPoolMs(latenciesMs: readonly number[], size: number): number {
  const freeAt = new Float64Array(size);
  for (const latency of latenciesMs) {
    let first = 0;
    for (let i = 1; i < size; i++) if (freeAt[i]! < freeAt[first]!) first = i;
    freeAt[first]! += latency;
  }
  return Math.max(...freeAt);
}
