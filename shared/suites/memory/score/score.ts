import type { Answer } from "../../../contracts/answer.ts";
import type { JudgeFigure } from "../../../contracts/judging/judge.ts";
import type { StageFindings } from "../../../contracts/judging/judgment.ts";
import { labelsOf } from "../../../contracts/judging/rating.ts";
import type { Composite, SampleScore } from "../../../contracts/suite.ts";
import { weightedSum } from "../../../judges/figures.ts";
import { judges } from "../../../judges/judges.ts";
import { type JudgedDetail, judgedDetail } from "../../../judges/metric-detail.ts";
import { exchangeOf } from "../ask/exchange-of.ts";
import type { MemoryOptions } from "../options.ts";
import type { HumanScores, MemorySample } from "../sample.ts";
import { memoryCitationScore } from "./mcs.ts";

/** The scoring of one answer, as sample pages show it. */
export interface MemoryDetail extends JudgedDetail {
  /** Memory citation score, 0–1; null: unscored. */
  mcs: number | null;
  /** Facts that were inferred before the answer, if the sample does not have them. */
  stages: StageFindings | null;
  /** The sample's ratings of this answer. */
  human: HumanScores;
}

type ScoringOptions = Pick<MemoryOptions, "weights" | "panelRule" | "speechWeight" | "textWeight">;

/**
 * Scores one answer by its judgments: the memory citation score, 0–1, unscored if a required metric is unjudged. A
 * blank answer scores 0, while each metric has its fixed value. A failed request scores 0, has no metrics, and is
 * not covered. Never throws; the detail is bounded for any judgments.
 * Source: docs/spec/memory.md, the twelve metrics.
 * @example scoreMemory(sample, { ...emptyAnswer, output: "Hi.", judgments }, options).score // 0–1
 */
export function scoreMemory(
  sample: MemorySample,
  answer: Answer,
  options: ScoringOptions,
): SampleScore<MemoryDetail> {
  const exchange = exchangeOf(sample, answer, options);
  const judged = judgedDetail(judges, answer, exchange, options.panelRule);
  const { status, metrics } = judged;
  const values = Object.fromEntries(Object.entries(metrics).map(([id, { value }]) => [id, value]));
  const hasText = status === "answered" || status === "refused";
  const mcs = hasText ? memoryCitationScore(values, options.weights) : 0;
  const detail: MemoryDetail = {
    ...judged,
    mcs,
    stages: answer.stages ?? null,
    human: labelsOf(sample.human, answer) ?? {},
  };
  return {
    status: mcs === null ? "unscored" : "scored",
    score: mcs,
    covered: answer.error === null,
    detail,
  };
}

/**
 * Whether a figure's value over samples is not the mean of the samples' values.
 * @example isComposite(figure) // true for a ratio of sums
 */
const isComposite = ({ empty }: JudgeFigure): boolean => empty !== null;

/**
 * Numerator and denominator of a figure for one answer's numbers.
 * @example sidesOf(figure, { tp: 1, judged: 1 }).of // 2
 */
function sidesOf({ of, over }: JudgeFigure, numbers: Readonly<Record<string, number>>) {
  const sum = (name: string) => numbers[name] ?? 0;
  return { of: weightedSum(of, sum), over: over === null ? 1 : weightedSum(over, sum) };
}

/** Micro figures over samples, from the means of numerator and denominator. */
export const composites: Readonly<Record<string, Composite>> = Object.fromEntries(
  judges.flatMap(({ figures: [main] }) =>
    isComposite(main)
      ? [[main.metric.id, { parts: partsOf(main), value: compositeValue(main) }] as const]
      : [],
  ),
);

/**
 * Ids of a micro figure's numerator and denominator; no metric has such an id.
 * @example partsOf(figure) // ["groundedness.of", "groundedness.over"]
 */
function partsOf({ metric }: JudgeFigure): [of: string, over: string] {
  return [`${metric.id}.of`, `${metric.id}.over`];
}

function compositeValue({ empty }: JudgeFigure) {
  return ([of, over]: readonly (number | null)[]): number | null => {
    if (of === null || of === undefined || over === null || over === undefined) return null;
    return over === 0 ? empty : of / over;
  };
}

/**
 * An answer's contribution to each metric by which runs are compared, the headline first, and to the numerators and
 * denominators of metrics that are shares over all samples; null if unjudged.
 * Source: docs/spec/memory.md, the twelve metrics.
 * @example sampleValues(score)["empathy"] // 1–5
 */
export function sampleValues({
  score,
  detail,
}: SampleScore<MemoryDetail>): Record<string, number | null> {
  const values: Record<string, number | null> = { mcs: score };
  for (const { id, figures } of judges) {
    const [main] = figures;
    const { value = null, numbers = {} } = detail.metrics[id] ?? {};
    values[main.metric.id] = value;
    if (!isComposite(main)) continue;
    const [of, over] = partsOf(main);
    const sides = value === null ? null : sidesOf(main, { ...numbers, value, judged: 1 });
    values[of] = sides?.of ?? null;
    values[over] = sides?.over ?? null;
  }
  return values;
}
