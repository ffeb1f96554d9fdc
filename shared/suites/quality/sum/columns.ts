import { columnAt, ratioOf } from "../../../measures/run-sums/named-sums.ts";
import type { Statistic } from "../../../stats/bootstrap/statistics.ts";
import { partIds, qualityMetricIds } from "../metrics.ts";
import type { QualityDetail } from "../score/score.ts";

/** Components of each metric. */
export const componentIds = {
  coherence: ["connector", "pronoun", "topic"],
  completeness: ["keyword", "question", "task"],
  length: [],
  structure: ["paragraph", "introduction", "conclusion"],
  vocabulary: ["diversity", "sophistication", "repetition"],
} as const satisfies Record<(typeof partIds)[number], readonly string[]>;

type Component = (typeof componentIds)[keyof typeof componentIds][number];

/** Values 0–1 of every sample: the headline, the five metrics and their components. */
export const scoredIds: readonly ScoredId[] = [
  ...qualityMetricIds,
  ...partIds.flatMap((part): readonly Component[] => componentIds[part]),
];
export type ScoredId = (typeof qualityMetricIds)[number] | Component;

export type QualityColumn =
  | ScoredId
  | "samples"
  | "answered"
  | "responseWords"
  | "empty"
  | "truncated"
  | "unsupported";

/** The summed columns, in order. */
export const qualityColumns: readonly QualityColumn[] = [
  "samples",
  "answered",
  "responseWords",
  "empty",
  "truncated",
  "unsupported",
  ...scoredIds,
];

/**
 * An answer's numbers.
 * @example numbersOf(detail).overall // 0–1
 */
export function numbersOf(detail: QualityDetail): Record<QualityColumn, number> {
  const { status, truncated, language, overall, length } = detail;
  const parts = partIds.map((id) => [id, detail[id].score]);
  const components = partIds.flatMap((part) =>
    componentIds[part].map((id) => [id, (detail[part] as unknown as Record<string, number>)[id]]),
  );
  return {
    samples: 1,
    answered: Number(status === "answered"),
    responseWords: status === "answered" ? length.responseWords : 0,
    empty: Number(status === "empty" || status === "refused"),
    truncated: Number(truncated),
    unsupported: Number(language === "unsupported"),
    ...(Object.fromEntries([...parts, ...components]) as Record<ScoredId, number>),
    overall,
  };
}

const at = columnAt(qualityColumns);

const meanOver = ratioOf(at);

/** Means over samples of the headline and the five metrics, by id. */
export const mainStatistics: Readonly<Record<string, Statistic>> = Object.fromEntries(
  qualityMetricIds.map((id) => [id, meanOver(id, "samples")]),
);

/** Every figure computed from sums, by metric id. */
export const runStatistics: Readonly<Record<string, Statistic>> = {
  ...Object.fromEntries(scoredIds.map((id) => [id, meanOver(id, "samples")])),
  responseWords: meanOver("responseWords", "answered"),
  emptyRate: meanOver("empty", "samples"),
  truncatedRate: meanOver("truncated", "samples"),
  unsupportedRate: meanOver("unsupported", "samples"),
};

/**
 * The value of a scored id in a row of numbers, 0–1.
 * @example valueAt(row.values, "overall") // 0.8
 */
export const valueAt = (values: readonly number[], id: ScoredId): number => values[at[id]]!;
