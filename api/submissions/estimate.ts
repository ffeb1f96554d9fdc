import { emptyAnswer } from "#shared/contracts/answer.ts";
import type { ChatRequest } from "#shared/contracts/chat-request.ts";
import type { UnitTask } from "#shared/contracts/runs/unit.ts";
import type { Expense, ModelEstimate } from "#shared/contracts/submissions/estimate.ts";
import type { Prices } from "#shared/contracts/submissions/prices.ts";
import { BATCH_PRICE_RATIO } from "#shared/contracts/submissions/providers.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { tokenCostUsd } from "#shared/measures/performance/token-cost.ts";
import { roundUsd } from "../runs/run-cost.ts";
import type { RunRecord } from "../runs/schema.ts";

/** For English text and common tokenizers; other languages and JSON need more tokens. */
export const CHARACTERS_PER_TOKEN = 4;

export interface EstimateFacts {
  samples: number;
  units: number;
  probe: Probe;
  /** Mean of an earlier run; null if there is none. */
  outputTokensPerSample: number | null;
  meanLatencyMs: number;
  concurrency: number;
  prices: Prices | null;
  /** Whether the endpoint has batches, at half the price. */
  hasBatches: boolean;
  /** The model's own token limit, which replaces the suite's. */
  maxTokens?: number | undefined;
  /** Tokens for thoughts in addition to the limit of each request. */
  thoughtTokens?: number;
}

/** Extrapolates the expense of one model from the sampled units. */
export function estimateExpense(facts: EstimateFacts): Expense {
  const { samples, units, probe, prices, meanLatencyMs, concurrency } = facts;
  const scale = probe.units === 0 ? 0 : units / probe.units;
  const requests = Math.round(probe.requests * scale);
  const inputTokens = Math.round((probe.characters / CHARACTERS_PER_TOKEN) * scale);
  const perSample = facts.outputTokensPerSample;
  const { maxTokens, thoughtTokens = 0 } = facts;
  const ofSuite = probe.maxTokens === null ? null : probe.maxTokens * scale;
  const said = maxTokens === undefined ? ofSuite : maxTokens * requests;
  const outputTokens = {
    expected: perSample === null ? null : Math.round(perSample * samples),
    max: said === null ? null : Math.round(said + thoughtTokens * requests),
  };
  const cost = (output: number | null) =>
    output === null || prices === null ? null : roundUsd(tokenCostUsd(inputTokens, output, prices));
  const costUsd =
    prices === null ? null : { expected: cost(outputTokens.expected), max: cost(outputTokens.max) };
  return {
    samples,
    units,
    requests,
    inputTokens,
    outputTokens,
    costUsd,
    batchCostUsd: facts.hasBatches ? costUsd && halved(costUsd) : null,
    expectedWallSeconds: (requests * meanLatencyMs) / concurrency / 1000,
  };
}

const inBatch = (usd: number | null) => usd && roundUsd(usd * BATCH_PRICE_RATIO);

const halved = ({ expected, max }: NonNullable<Expense["costUsd"]>): Expense["costUsd"] => ({
  expected: inBatch(expected),
  max: inBatch(max),
});

/** Scoring submitted answers makes no requests. */
export const answeredExpense = (samples: number, units: number): Expense => ({
  samples,
  units,
  requests: 0,
  inputTokens: 0,
  outputTokens: { expected: 0, max: 0 },
  costUsd: { expected: 0, max: 0 },
  batchCostUsd: null,
  expectedWallSeconds: 0,
});

/** Sum over models; null if a part is unknown. Models run in parallel. */
export function totalExpense(parts: readonly Expense[]): Expense {
  const sum = <T extends number | null>(of: (part: Expense) => T): number | null =>
    parts.reduce<number | null>((total, part) => plus(total, of(part)), 0);
  const known = (of: (part: Expense) => number) => sum(of) ?? 0;
  const usd = (name: "costUsd" | "batchCostUsd"): Expense["costUsd"] => {
    if (parts.some((part) => part[name] === null)) return null;
    const rounded = (total: number | null) => total && roundUsd(total);
    return {
      expected: rounded(sum((part) => part[name]?.expected ?? null)),
      max: rounded(sum((part) => part[name]?.max ?? null)),
    };
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
    costUsd: usd("costUsd"),
    batchCostUsd: usd("batchCostUsd"),
    expectedWallSeconds: Math.max(0, ...parts.map((part) => part.expectedWallSeconds)),
  };
}

/** An earlier run that provides a figure. */
type Precedent = Pick<RunRecord, "id" | "modelSlug">;

/** Sources of one model's estimate. */
export interface BasisFacts {
  slug: string;
  units: { probed: number; all: number };
  requests: number;
  concurrency: number;
  /** Run that provides the length of answers; null if there is none. */
  metered: Precedent | null;
  /** Run that provides the latency; null if it is assumed. */
  latency: { meanMs: number; run: Precedent | null };
  prices: Prices | null;
}

/** Explains each figure to submitters without knowledge of the method. */
export const estimateBasis = (facts: BasisFacts): ModelEstimate["basis"] => ({
  requests: `estimated from ${facts.units.probed} of ${facts.units.all} samples (each repeat, and each group of samples that is asked in order, counts as one) with empty replies; retries are not included`,
  inputTokens: `characters of prompts, schemas and tools / ${CHARACTERS_PER_TOKEN}, of the same samples`,
  outputTokens: `expected: ${answerLength(facts)}; max: the requests' limits of tokens`,
  costUsd: costBasis(facts.prices),
  expectedWallSeconds: `${facts.requests} requests × ${Math.round(facts.latency.meanMs)} ms each, ${facts.concurrency} at once; ${latencySource(facts)}`,
});

/** Submitted answers make no requests. */
export function answeredBasis(): ModelEstimate["basis"] {
  const none = "answers made elsewhere: no requests";
  return {
    requests: none,
    inputTokens: none,
    outputTokens: none,
    costUsd: none,
    expectedWallSeconds: none,
  };
}

const named = ({ id, modelSlug }: Precedent): string => `run ${id} of ${modelSlug}`;

function answerLength({ slug, metered }: BasisFacts): string {
  if (metered === null) return "no finished run on this dataset to estimate from";
  return metered.modelSlug === slug
    ? `mean of this model's newest run on this dataset, ${metered.id}`
    : `mean of ${named(metered)} on this dataset, another model, whose answers may be longer or shorter`;
}

function latencySource({ slug, latency: { run } }: BasisFacts): string {
  if (run === null) return "that latency is assumed, because this suite has no timed run yet";
  return run.modelSlug === slug
    ? `that is the mean latency of this model in its newest run, ${run.id}`
    : `that is the mean latency of another model, in ${named(run)}: this model has no timed run yet, and may be faster or slower`;
}

/** Vendors quote prices per million tokens. */
function costBasis(prices: BasisFacts["prices"]): string {
  if (prices === null) return "no prices were given";
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 10 };
  const usd = (price: number) => `$${price.toLocaleString("en", digits)}`;
  return `the tokens above at ${usd(prices.inputPerMillion)} per million input tokens and ${usd(prices.outputPerMillion)} per million output tokens; the cost of judges is not included`;
}

/** No suite makes more requests per unit. */
const MAX_REQUESTS = 1_000;

/** Requests of some units: number, characters, and maximum reply length. */
export interface Probe {
  units: number;
  requests: number;
  characters: number;
  /** Null if a request has no limit. */
  maxTokens: number | null;
}

/** The requests of one unit if every reply is empty; real requests may be longer. */
export function probeUnit(suite: Suite, task: UnitTask<unknown, unknown>): Probe {
  const empty = { ...emptyAnswer, output: "" };
  const probe: Probe = { units: 1, requests: 0, characters: 0, maxTokens: 0 };
  while (probe.requests < MAX_REQUESTS) {
    const step = suite.next(task, Array(probe.requests).fill(empty));
    if (step.kind === "done") break;
    probe.requests += 1;
    probe.characters += charactersOf(step.request);
    probe.maxTokens = plus(probe.maxTokens, step.request.maxTokens ?? null);
  }
  return probe;
}

/** Messages, schema and tools: the model reads all of them. */
export function charactersOf({ messages, structured, tools }: ChatRequest): number {
  const contents = messages.reduce((sum, { content }) => sum + content.length, 0);
  const extras = [structured?.schema, tools].filter((extra) => extra !== undefined);
  return contents + extras.reduce((sum: number, extra) => sum + JSON.stringify(extra).length, 0);
}

export const mergeProbes = (probes: readonly Probe[]): Probe =>
  probes.reduce(
    (sum, probe) => ({
      units: sum.units + probe.units,
      requests: sum.requests + probe.requests,
      characters: sum.characters + probe.characters,
      maxTokens: plus(sum.maxTokens, probe.maxTokens),
    }),
    { units: 0, requests: 0, characters: 0, maxTokens: 0 },
  );

/**
 * At most `count` positions below `length`, one in each of as many equal parts; `placeIn` is the position within a
 * part, 0 to 1.
 * @example evenlySpaced(10, 3) // [1, 5, 8]
 */
export function evenlySpaced(length: number, count: number, placeIn = (_part: number) => 0.5) {
  const n = Math.min(length, count);
  return Array.from({ length: n }, (_, i) => Math.floor(((i + placeIn(i)) * length) / n));
}

/** A sum; null if a part is unknown. */
export const plus = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? null : a + b;
