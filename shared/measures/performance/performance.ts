import type { Prices } from "../../contracts/submissions/prices.ts";
import type { Interval } from "../../stats/bootstrap/bootstrap.ts";
import { wilsonInterval } from "../../stats/significance/wilson-interval.ts";
import { figureOf, figuresOf } from "./call-figures.ts";
import type { CallTotals } from "./call-totals.ts";
import { type Distributions, quantityNames } from "./distributions.ts";
import { tokenCostUsd } from "./token-cost.ts";

/** A figure and the number of calls it is based on. */
export interface PerformanceFigure {
  value: number | null;
  n: number;
  /** 95% interval of a share of requests. */
  interval?: Interval | null;
}

/**
 * The performance figures of a run's calls, by metric id. Null if nothing was measured: no latency, token count, wall
 * time, prices or requests.
 * Source: docs/spec/extraction.md, section 10.
 * @example performanceFigures(totals, distributions, null, null)["latencyP95"]?.value
 */
export function performanceFigures(
  totals: CallTotals,
  distributions: Distributions,
  wallMs: number | null,
  prices: Prices | null,
): Record<string, PerformanceFigure> {
  return {
    ...quantityFigures(distributions),
    ...rateFigures(totals),
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
    thoughtsRate: share(totals.thoughts, totals.answered),
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

function rateFigures(totals: CallTotals): Record<string, PerformanceFigure> {
  const { requests, answered, timeouts, sent } = totals;
  const halves = totals.answeredAtOnce + totals.answeredSent;
  return {
    successRate: share(answered, requests),
    timeoutRate: share(timeouts, requests),
    retryRate: share(totals.retried, sent),
    reliability: share(halves / 2, sent),
  };
}

function throughputFigures(
  { requests, answered, output }: CallTotals,
  wallMs: number | null,
): Record<string, PerformanceFigure> {
  const per = (count: number, unitMs: number, n: number) => ({
    value: wallMs === null || wallMs <= 0 || n === 0 ? null : (count * unitMs) / wallMs,
    n,
  });
  return {
    requestsPerSecond: per(requests, 1000, requests),
    samplesPerMinute: per(answered, 60_000, requests),
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
 * Failures are caused by the endpoint, so requests are treated as independent even if samples share sources. If a
 * request can count as a half, the interval is at least as wide as necessary.
 */
function share(part: number, whole: number): PerformanceFigure {
  const interval = whole < 2 ? null : wilsonInterval(part, whole);
  return { value: whole === 0 ? null : part / whole, n: whole, interval };
}
