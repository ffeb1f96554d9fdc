import type { Prices } from "../../contracts/submissions/prices.ts";
import type { Interval } from "../../stats/bootstrap/bootstrap.ts";
import { wilsonInterval } from "../../stats/significance/wilson-interval.ts";
import { figureOf, figuresOf } from "./call-figures.ts";
import { type CallTotals, type RequestRate, requestRates } from "./call-totals.ts";
import { type Distributions, quantityNames } from "./distributions.ts";
import { tokenCostUsd } from "./token-cost.ts";

/** A figure and the number of calls it is based on. */
export interface PerformanceFigure {
  value: number | null;
  n: number;
  /** 95% interval of a share of requests. */
  interval?: Interval | null;
}

/** Design effects of shares of requests, at least 1: their variance over that of independent requests. */
export type DesignEffects = Partial<Record<RequestRate, number>>;

/**
 * The performance figures of a run's calls, by metric id. Null if nothing was measured: no latency, token count, wall
 * time, prices or requests. `effects`: design effects of repeats on shares of requests.
 * Source: docs/spec/extraction.md, section 10.
 * @example performanceFigures(totals, distributions, null, null)["latencyP95"]?.value
 */
export function performanceFigures(
  totals: CallTotals,
  distributions: Distributions,
  wallMs: number | null,
  prices: Prices | null,
  effects: DesignEffects = {},
): Record<string, PerformanceFigure> {
  return {
    ...quantityFigures(distributions),
    ...rateFigures(totals, effects),
    ...throughputFigures(totals, wallMs),
    inputTokens: { value: known(totals.input), n: totals.input.n },
    outputTokens: { value: known(totals.output), n: totals.output.n },
    inputTokensMean: mean(totals.input),
    outputTokensMean: mean(totals.output),
    cachedTokens: { value: known(totals.cached), n: totals.cached.n },
    audioTokens: { value: known(totals.audio), n: totals.audio.n },
    thinkingShare: {
      value: totals.thinkers.sum === 0 ? null : totals.reasoning.sum / totals.thinkers.sum,
      n: totals.reasoning.n,
    },
    reasoningTokens: { value: known(totals.reasoning), n: totals.reasoning.n },
    ...costFigures(totals, prices),
  };
}

function quantityFigures(distributions: Distributions): Record<string, PerformanceFigure> {
  const figures = quantityNames.flatMap((name) => {
    const its = distributions[name];
    return figuresOf[name].map(
      (figure) => [name + figure, { value: figureOf(its, figure), n: its.n }] as const,
    );
  });
  return Object.fromEntries(figures);
}

const rateFigures = (
  { rates }: CallTotals,
  effects: DesignEffects,
): Record<string, PerformanceFigure> =>
  Object.fromEntries(requestRates.map((name) => [name, share(rates[name], effects[name] ?? 1)]));

function throughputFigures(
  { requests, rates, output }: CallTotals,
  wallMs: number | null,
): Record<string, PerformanceFigure> {
  const per = (count: number, unitMs: number, n: number) => ({
    value: wallMs === null || wallMs <= 0 || n === 0 ? null : (count * unitMs) / wallMs,
    n,
  });
  return {
    requestsPerSecond: per(requests, 1000, requests),
    samplesPerMinute: per(rates.successRate.sum, 60_000, requests),
    tokensPerSecond: per(output.sum, 1000, output.n),
  };
}

function costFigures(
  { metered }: CallTotals,
  prices: Prices | null,
): Record<string, PerformanceFigure> {
  const { n, input, output } = metered;
  if (prices === null || n === 0) {
    return { costUsd: { value: null, n: 0 }, costPer1kUsd: { value: null, n: 0 } };
  }
  const cost = tokenCostUsd(input, output, prices, metered);
  return { costUsd: { value: cost, n }, costPer1kUsd: { value: (cost * 1000) / n, n } };
}

const mean = ({ n, sum }: { n: number; sum: number }): PerformanceFigure => ({
  value: n === 0 ? null : sum / n,
  n,
});

function known({ n, sum }: { n: number; sum: number }): number | null {
  return n === 0 ? null : sum;
}

/**
 * The endpoint causes failures, so requests of different samples are treated as independent even if these share
 * sources. If a request can count as a half, the interval is at least as wide as necessary.
 */
function share({ n, sum }: { n: number; sum: number }, effect: number): PerformanceFigure {
  const interval = n < 2 ? null : wilsonInterval(sum / effect, n / effect);
  return { ...mean({ n, sum }), interval };
}
