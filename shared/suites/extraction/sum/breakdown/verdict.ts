/** How good an EQS is in a word; consecutive zones from 0 to 1. */
export const eqsBands = [
  { label: "Poor", from: 0, to: 0.6, tone: "poor" },
  { label: "Moderate", from: 0.6, to: 0.75, tone: "fair" },
  { label: "Good", from: 0.75, to: 0.9, tone: "good" },
  { label: "Excellent", from: 0.9, to: 1, tone: "excellent" },
] as const;
export type EqsBand = (typeof eqsBands)[number]["label"];

/**
 * The band an EQS falls in: ≥ 0.90 Excellent, ≥ 0.75 Good, ≥ 0.60 Moderate, else Poor.
 * Source: docs/spec/extraction.md, section 6.
 * @example eqsBand(0.8) // "Good"
 */
export function eqsBand(eqs: number): EqsBand {
  return eqsBands.findLast((band) => eqs >= band.from)?.label ?? "Poor";
}

/** What a run's quality allows, best first: the least EQS, and the hallucination rate to stay below. */
const recommendations = [
  { eqs: 0.9, hallucinationRate: 0.02, advice: "deploy without human review" },
  { eqs: 0.8, hallucinationRate: 0.05, advice: "spot-check" },
  { eqs: 0.7, hallucinationRate: 0.1, advice: "mandatory review" },
] as const;
export type Recommendation = (typeof recommendations)[number]["advice"] | "not recommended";

/**
 * What a run's EQS and headline hallucination rate allow.
 * Source: docs/spec/extraction.md, section 6.
 * @example recommend(0.85, 0.03) // "spot-check"
 */
export function recommend(eqs: number, hallucinationRate: number): Recommendation {
  const fits = recommendations.find(
    (one) => eqs >= one.eqs && hallucinationRate < one.hallucinationRate,
  );
  return fits?.advice ?? "not recommended";
}
