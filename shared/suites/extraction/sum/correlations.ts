import type { ScoredSample } from "../../../contracts/suite.ts";
import { type RunBasis, samplesOf } from "../../../measures/run-sums/run-basis.ts";
import {
  type Correlation,
  type PairSums,
  pearson,
  pearsonOfSums,
} from "../../../stats/correlation/pearson.ts";
import {
  addEach,
  type CompensatedSums,
  eachSum,
  noSums,
} from "../../../stats/sums/compensated-sum.ts";
import type { ExtractionDetail } from "../score/score.ts";
import { at } from "./columns.ts";

/** Data stored of an answer in addition to its numbers, for correlations and groups. */
export type KeptAnswer = ReturnType<typeof keptAnswer>;

/**
 * The data kept of an answer.
 * @example keptAnswer(scored).bin // "simple"
 */
export function keptAnswer({ id, tags, score, call }: ScoredSample<ExtractionDetail>) {
  const { complexity, inputChars, outputChars } = score.detail;
  return {
    id,
    cluster: tags["cluster"] ?? null,
    tags,
    bin: complexity.bin,
    totalFields: complexity.totalFields,
    maxDepth: complexity.maxDepth,
    requiredFields: complexity.requiredFields,
    inputChars,
    outputChars,
    /** Milliseconds; null for a failed request. */
    latencyMs: call.error === null ? call.latencyMs : null,
  };
}

/** The measures whose correlation is reported, and how an answer gives a pair of them. */
const pairs = [
  ofPartialF1("partialF1ByFields", "total fields", "totalFields"),
  ofPartialF1("partialF1ByDepth", "schema depth", "maxDepth"),
  ofPartialF1("partialF1ByRequired", "required fields", "requiredFields"),
  ofLatency("latencyByFields", "total fields", "totalFields"),
  ofLatency("latencyByDepth", "schema depth", "maxDepth"),
  ofLatency("latencyByRequired", "required fields", "requiredFields"),
  ofLatency("latencyByInput", "characters of the text", "inputChars"),
  ofLatency("latencyByOutput", "characters of the output", "outputChars"),
] as const;
type PairId = (typeof pairs)[number]["id"];

type Feature = Exclude<keyof KeptAnswer, "id" | "cluster" | "tags" | "bin">;
type PairOf = (answer: KeptAnswer, partialF1: number) => [number | null, number | null];

function ofPartialF1<Id extends string>(id: Id, by: string, feature: Feature) {
  const of: PairOf = (answer, partialF1) => [partialF1, answer[feature]];
  return { id, measure: "Partial F1", by, of };
}

function ofLatency<Id extends string>(id: Id, by: string, feature: Feature) {
  const of: PairOf = (answer) => [answer.latencyMs, answer[feature]];
  return { id, measure: "Latency", by, of };
}

/** By pair of measures, the number of values, and the sums of x, y, x², y² and x · y. */
export type Moments = Record<PairId, { n: number; sums: CompensatedSums }>;

/**
 * The moments without answers.
 * @example noMoments().latencyByDepth.n // 0
 */
export const noMoments = (): Moments =>
  Object.fromEntries(pairs.map(({ id }) => [id, { n: 0, sums: noSums(5) }])) as Moments;

/**
 * Adds an answer. Changes `moments`.
 * @example addMoments(noMoments(), keptAnswer(scored), 0.8)
 */
export function addMoments(moments: Moments, answer: KeptAnswer, partialF1: number): void {
  for (const { id, of } of pairs) {
    const [x, y] = of(answer, partialF1);
    if (x === null || y === null) continue;
    moments[id].n++;
    addEach(moments[id].sums, [x, y, x * x, y * y, x * y]);
  }
}

/**
 * The correlations of a run: over its samples, whose repeats are averaged, or over its answers if the run is too large
 * to be kept by sample.
 * Source: docs/spec/extraction.md, section 7; docs/spec/statistics.md, Pearson correlation.
 * @example correlationsOf(kept, moments, basis)[0] // { id: "partialF1ByFields", r, p, n, … }
 */
export function correlationsOf(
  kept: readonly KeptAnswer[],
  moments: Moments,
  { values }: Pick<RunBasis, "values">,
): (Correlation & { id: PairId; measure: string; by: string })[] {
  const samples = values === null ? null : samplesOf(kept);
  return pairs.map(({ id, measure, by, of }) => {
    if (samples === null) return { id, measure, by, ...pearsonOfSums(pairSums(moments[id])) };
    const points = samples.flatMap(({ rows }, k) => {
      const known = rows.map((row) => of(row, values![k]![at.partialF1]!)).filter(isKnown);
      const mean = (side: 0 | 1) => known.reduce((sum, one) => sum + one[side], 0) / known.length;
      return known.length === 0 ? [] : [[mean(0), mean(1)] as const];
    });
    const [x, y] = [points.map(([one]) => one), points.map(([, one]) => one)];
    return { id, measure, by, ...pearson(x, y) };
  });
}

function pairSums({ n, sums }: Moments[PairId]): PairSums {
  const [x = 0, y = 0, xx = 0, yy = 0, xy = 0] = eachSum(sums);
  return { n, x, y, xx, yy, xy };
}

const isKnown = (pair: [number | null, number | null]): pair is [number, number] =>
  pair[0] !== null && pair[1] !== null;
