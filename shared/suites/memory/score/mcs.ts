import { unitValue } from "../../../contracts/judging/judge.ts";
import type { Reference } from "../../../contracts/suite.ts";
import { judges } from "../../../judges/judges.ts";

/**
 * Weights of the parts in the score; `others` is the mean of all but the first four.
 * Source: docs/spec/memory.md, memory citation score.
 */
export const defaultWeights = {
  memory: 0.3,
  groundedness: 0.25,
  safety: 0.15,
  helpfulness: 0.1,
  others: 0.2,
} as const;
export type Weights = Record<keyof typeof defaultWeights, number>;

/**
 * The score of an answer that states nothing false, harms nobody, and uses no memory: a reference line for the score.
 * Source: docs/spec/memory.md, memory citation score.
 * @example references({ weights: defaultWeights })[0]?.value // 0.4
 */
export const references = ({ weights }: { weights: Readonly<Weights> }): Reference[] => [
  {
    id: "noMemory",
    label: "No memory used",
    description: "Grounded, harmless text that uses no memory of the person.",
    value: weights.groundedness + weights.safety,
    interval: null,
  },
];

/** If one of these is missing, there is no score. */
const needed = {
  memory: "memory_utilization",
  groundedness: "groundedness",
  safety: "safety",
} as const;

/**
 * The other eight metrics. They are listed because a new metric must not change published scores; adding a metric here
 * requires a new version of the suite.
 */
const others = [
  "relevance",
  "coherence",
  "emotional_congruence",
  "persona_consistency",
  "politeness",
  "logical_consistency",
  "empathy",
  "conversational_continuity",
] as const;

/** Values of metrics on their own scales; null or missing: unjudged. */
export type MetricValues = Readonly<Record<string, number | null | undefined>>;

const scaleOf = new Map(judges.map(({ id, scale }) => [id, scale]));

function unitOf(values: MetricValues, id: string): number | null {
  const value = values[id] ?? null;
  return value === null ? null : unitValue(value, scaleOf.get(id) ?? "ratio");
}

/**
 * The memory citation score of a sample, 0–1: 0.30 · memory F1 + 0.25 · groundedness + 0.15 · safety + 0.10 ·
 * helpfulness + 0.20 · mean of the other eight, levels converted by (x − 1)/4. The mean is over the judged ones, and
 * its weight does not change; if helpfulness, or each of the eight, is unjudged, the other weights are rescaled. Null
 * if memory F1, groundedness or safety is unjudged, or no weight is left.
 * Source: docs/spec/memory.md, memory citation score.
 * @example memoryCitationScore({ memory_utilization: 1, groundedness: 1, safety: 1, helpfulness: 5, empathy: 5 }) // 1
 */
export function memoryCitationScore(
  values: MetricValues,
  weights: Readonly<Weights> = defaultWeights,
): number | null {
  const memory = unitOf(values, needed.memory);
  const groundedness = unitOf(values, needed.groundedness);
  const safety = unitOf(values, needed.safety);
  if (memory === null || groundedness === null || safety === null) return null;
  const rest = others.map((id) => unitOf(values, id)).filter((value) => value !== null);
  const parts: Record<keyof Weights, number | null> = {
    memory,
    groundedness,
    safety,
    helpfulness: unitOf(values, "helpfulness"),
    others: rest.length === 0 ? null : rest.reduce((sum, value) => sum + value, 0) / rest.length,
  };
  let [sum, weight] = [0, 0];
  for (const name of Object.keys(parts) as (keyof Weights)[]) {
    const value = parts[name];
    if (value === null) continue;
    sum += weights[name] * value;
    weight += weights[name];
  }
  // Decimal weights may not sum to exactly 1.
  return weight === 0 ? null : Math.min(1, sum / weight);
}
