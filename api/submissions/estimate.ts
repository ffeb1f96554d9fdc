import type { Expense } from "#shared/contracts/estimate.ts";
import type { Prices } from "#shared/contracts/prices.ts";
import { costUsd, roundUsd } from "../runs/run-cost.ts";
import { type Probe, plus } from "./probe-unit.ts";

/** English text of common tokenizers; other languages and JSON take more tokens. */
export const CHARACTERS_PER_TOKEN = 4;

/** What an estimate rests on. */
export interface EstimateFacts {
  samples: number;
  units: number;
  probe: Probe;
  /** Mean of an earlier run; null without one. */
  outputTokensPerSample: number | null;
  meanLatencyMs: number;
  concurrency: number;
  prices: Prices | null;
}

/** What asking one model will take: the probed units stand for all. */
export function estimateExpense(facts: EstimateFacts): Expense {
  const { samples, units, probe, prices, meanLatencyMs, concurrency } = facts;
  const scale = probe.units === 0 ? 0 : units / probe.units;
  const requests = Math.round(probe.requests * scale);
  const inputTokens = Math.round((probe.characters / CHARACTERS_PER_TOKEN) * scale);
  const perSample = facts.outputTokensPerSample;
  const outputTokens = {
    expected: perSample === null ? null : Math.round(perSample * samples),
    max: probe.maxTokens === null ? null : Math.round(probe.maxTokens * scale),
  };
  const cost = (output: number | null) =>
    output === null || prices === null ? null : costUsd(inputTokens, output, prices);
  return {
    samples,
    units,
    requests,
    inputTokens,
    outputTokens,
    costUsd:
      prices === null
        ? null
        : { expected: cost(outputTokens.expected), max: cost(outputTokens.max) },
    expectedWallSeconds: (requests * meanLatencyMs) / concurrency / 1000,
  };
}

/** Scoring answers made elsewhere asks nobody. */
export const answeredExpense = (samples: number, units: number): Expense => ({
  samples,
  units,
  requests: 0,
  inputTokens: 0,
  outputTokens: { expected: 0, max: 0 },
  costUsd: { expected: 0, max: 0 },
  expectedWallSeconds: 0,
});

/** Sums over models, null where a part is not known; models run side by side. */
export function totalExpense(parts: readonly Expense[]): Expense {
  const sum = <T extends number | null>(of: (part: Expense) => T): number | null =>
    parts.reduce<number | null>((total, part) => plus(total, of(part)), 0);
  const known = (of: (part: Expense) => number) => sum(of) ?? 0;
  const usd = (of: (cost: NonNullable<Expense["costUsd"]>) => number | null) => {
    const total = sum((part) => part.costUsd && of(part.costUsd));
    return total === null ? null : roundUsd(total);
  };
  return {
    samples: known((part) => part.samples),
    units: known((part) => part.units),
    requests: known((part) => part.requests),
    inputTokens: known((part) => part.inputTokens),
    outputTokens: {
      expected: sum((part) => part.outputTokens.expected),
      max: sum((part) => part.outputTokens.max),
    },
    costUsd: parts.some((part) => part.costUsd === null)
      ? null
      : {
          expected: usd((cost) => cost.expected),
          max: usd((cost) => cost.max),
        },
    expectedWallSeconds: Math.max(0, ...parts.map((part) => part.expectedWallSeconds)),
  };
}
