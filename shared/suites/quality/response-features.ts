import type { SampleScore } from "../../contracts/suite.ts";
import { partIds } from "./metric-ids.ts";
import type { QualityDetail } from "./score.ts";

/** Charts show no more than this. */
const digits = 4;

/**
 * What charts of single responses show: words, words / ideal words (0 for a prompt without a word), and the five
 * metrics.
 * @example responseFeatures(score)["responseWords"] // 120
 */
export function responseFeatures({ detail }: SampleScore<QualityDetail>): Record<string, number> {
  const { responseWords, idealWords } = detail.length;
  const parts = partIds.map((id) => [id, Number(detail[id].score.toFixed(digits))] as const);
  const lengthRatio = idealWords === 0 ? 0 : Number((responseWords / idealWords).toFixed(digits));
  return { responseWords, lengthRatio, ...Object.fromEntries(parts) };
}
