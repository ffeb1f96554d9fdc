/**
 * How many tokens two lists share, each as often as it stands in both. Symmetric. Linear.
 * Source: docs/spec/slots.md, metrics.
 * @example sharedTokens(["a", "a", "b"], ["a", "c"]) // 1
 */
export function sharedTokens(expected: readonly string[], predicted: readonly string[]): number {
  const left = new Map<string, number>();
  for (const token of expected) left.set(token, (left.get(token) ?? 0) + 1);
  let shared = 0;
  for (const token of predicted) {
    const count = left.get(token) ?? 0;
    if (count === 0) continue;
    left.set(token, count - 1);
    shared++;
  }
  return shared;
}

/**
 * BLEU-1 of numbers of tokens, 0–1: the shared ones / the predicted ones, times exp(1 − expected /
 * predicted) where fewer are predicted than expected. 0 where none is predicted.
 * Source: Papineni et al. 2002; docs/spec/slots.md, metrics.
 * @example bleu1({ expected: 2, predicted: 1, shared: 1 }) // exp(-1)
 */
export function bleu1(tokens: { expected: number; predicted: number; shared: number }): number {
  const { expected, predicted, shared } = tokens;
  if (predicted === 0) return 0;
  const brevity = predicted < expected ? Math.exp(1 - expected / predicted) : 1;
  return (shared / predicted) * brevity;
}
