import { type Draws, drawNormal } from "./draws.ts";
import type { NamedModel } from "./model-name.ts";

/** The 95th percentile of the standard normal distribution. */
const z95 = 1.6448536269514722;

/** Tokens of an answer that takes the median time. */
const medianTokens = 150;

/** Longest answers take this many times the median length's share. */
const maxLengthFactor = 10;

/**
 * How long an answer of `tokens` takes, in ms: lognormal by the model's median and 95th percentile,
 * its length share proportional to the tokens, times `scale` unless the model's name fixes it.
 */
export function drawLatencyMs(
  { latency, scaled }: Pick<NamedModel, "latency" | "scaled">,
  tokens: number,
  scale: number,
  draws: Draws,
): number {
  const { medianMs, p95Ms, lengthShare } = latency;
  if (medianMs === 0) return 0;
  const sigma = Math.log(p95Ms / medianMs) / z95;
  const luck = sigma === 0 ? 1 : Math.exp(sigma * drawNormal(draws));
  const length = Math.min(maxLengthFactor, tokens / medianTokens);
  return medianMs * luck * (1 - lengthShare + lengthShare * length) * (scaled ? scale : 1);
}
