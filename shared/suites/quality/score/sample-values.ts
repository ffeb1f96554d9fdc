import type { SampleScore } from "../../../contracts/suite.ts";
import { partIds, type QualityMetric } from "../metric-ids.ts";
import type { QualityDetail } from "./score.ts";

/**
 * What an answer adds to each metric that runs are compared by, the headline first.
 * Source: docs/spec/quality.md, overall.
 * @example sampleValues(score).overall // 0–1
 */
export function sampleValues({
  detail,
}: SampleScore<QualityDetail>): Record<QualityMetric, number> {
  const parts = partIds.map((id) => [id, detail[id].score]);
  return { overall: detail.overall, ...Object.fromEntries(parts) };
}
