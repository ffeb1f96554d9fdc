/**
 * How far two sets agree: |A∩B| / |A∪B|, 0–1, symmetric; 0 when both are empty. Linear.
 * Source: Jaccard 1912; docs/spec/extraction.md, section 3.
 * @example jaccard(new Set(["a", "b"]), new Set(["b", "c"])) // 1/3
 */
export function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const element of a) if (b.has(element)) shared++;
  const union = a.size + b.size - shared;
  return union === 0 ? 0 : shared / union;
}
