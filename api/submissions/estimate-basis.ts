import type { ModelEstimate } from "#shared/contracts/estimate.ts";
import type { Prices } from "#shared/contracts/prices.ts";
import type { RunRecord } from "../platform/ports.ts";
import { CHARACTERS_PER_TOKEN } from "./estimate.ts";

/** An earlier run that a figure is taken from. */
type Precedent = Pick<RunRecord, "id" | "modelSlug">;

/** What an estimate of one model was made from. */
export interface BasisFacts {
  /** Of the model that is estimated. */
  slug: string;
  units: { probed: number; all: number };
  requests: number;
  concurrency: number;
  /** Whose answers say how long answers are; null: nothing does. */
  metered: Precedent | null;
  /** Whose latency is reckoned with; without a run it is assumed. */
  latency: { meanMs: number; run: Precedent | null };
  prices: Prices | null;
}

/** What each figure of an estimate rests on, for a submitter who knows nothing of how it is made. */
export const estimateBasis = (facts: BasisFacts): ModelEstimate["basis"] => ({
  requests: `asked of the suite for ${facts.units.probed} of ${facts.units.all} units, each reply taken as empty; retries come on top`,
  inputTokens: `characters of prompts, schemas and tools / ${CHARACTERS_PER_TOKEN}, of the same units`,
  outputTokens: `expected: ${answerLength(facts)}; max: the requests' maxTokens`,
  costUsd: costBasis(facts.prices),
  expectedWallSeconds: `${facts.requests} requests × ${Math.round(facts.latency.meanMs)} ms each, ${facts.concurrency} at once; ${latencySource(facts)}`,
});

/** Nothing is asked where answers were made elsewhere. */
export function answeredBasis(): ModelEstimate["basis"] {
  const none = "answers made elsewhere: nothing is asked";
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
  if (metered === null) return "no finished run on this dataset to go by";
  const mean = `mean of ${named(metered)} on this dataset`;
  return metered.modelSlug === slug
    ? mean
    : `${mean}, another model, whose answers may be longer or shorter`;
}

function latencySource({ slug, latency: { run } }: BasisFacts): string {
  if (run === null) return "that latency is assumed, since no run of this suite was timed yet";
  return run.modelSlug === slug
    ? `that is the mean latency of this model in its newest run, ${run.id}`
    : `that is the mean latency of another model, in ${named(run)}, since this one was not timed yet: it may be faster or slower`;
}

/** Vendors quote by the million. */
function costBasis(prices: BasisFacts["prices"]): string {
  if (prices === null) return "no prices were given";
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 10 };
  const usd = (price: number) => `$${price.toLocaleString("en", digits)}`;
  return `the tokens above at ${usd(prices.inputPerMillion)} per million input tokens and ${usd(prices.outputPerMillion)} per million output tokens; the cost of judges is not in it`;
}
