import type { SampleScore } from "../../contracts/suite.ts";
import { groundedness } from "../../judges/metrics/groundedness.ts";
import { memoryUtilization } from "../../judges/metrics/memory-utilization.ts";
import type { MemoryDetail } from "./score.ts";

/**
 * What charts of single answers show: required keys and claims, of answers that were judged by them.
 * @example answerFeatures(score)["requiredKeys"] // 2
 */
export function answerFeatures({ detail }: SampleScore<MemoryDetail>): Record<string, number> {
  const { numbers: keys = {} } = detail.metrics[memoryUtilization.id] ?? {};
  const { numbers: claimed = {} } = detail.metrics[groundedness.id] ?? {};
  const { tp, fn } = keys;
  return {
    ...(tp !== undefined && fn !== undefined && { requiredKeys: tp + fn }),
    ...(claimed["claims"] !== undefined && { claims: claimed["claims"] }),
  };
}
