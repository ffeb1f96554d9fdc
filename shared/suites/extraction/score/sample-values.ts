import type { Share } from "../../../contracts/run-scores.ts";
import type { SampleScore } from "../../../contracts/suite.ts";
import { fieldCounts } from "../sum/tally.ts";
import { type ExtractionDetail, isScored, type UnscoredDetail } from "./score.ts";

/** Metrics that runs are compared by, the headline first. */
const compared = [
  ...(["eqs", "validity", "strictF1", "partialF1"] as const),
  ...(["typeAccuracy", "hallucinationRate", "exactMatch", "validAsIs"] as const),
] as const;
type Values = Record<(typeof compared)[number], number | Share | null>;

const unscored = Object.fromEntries(compared.map((metric) => [metric, null])) as Values;

/**
 * What an answer adds to each metric that runs are compared by; F1 as 2 · correct fields over expected and
 * predicted ones, summed over samples, as in the summary. All null for an answer without a score.
 * Source: docs/spec/extraction.md, sections 5 and 6.
 * @example sampleValues(score).eqs // 0–1
 */
export function sampleValues(score: SampleScore<ExtractionDetail | UnscoredDetail>): Values {
  if (!isScored(score)) return unscored;
  const { detail } = score;
  const { expected, predicted } = fieldCounts(detail);
  const over = expected + predicted;
  return {
    eqs: detail.eqs,
    validity: Number(detail.valid),
    strictF1: { of: 2 * detail.identical, over },
    partialF1: { of: 2 * detail.exact + detail.partial, over },
    typeAccuracy: detail.valid ? detail.typeAccuracy : 0,
    hallucinationRate: detail.hallucinationRate ?? 1,
    exactMatch: Number(detail.exactMatch),
    validAsIs: Number(detail.validAsIs),
  };
}
