import type { Share } from "../../../contracts/run-scores.ts";
import type { SampleScore } from "../../../contracts/suite.ts";
import { levels } from "../sample.ts";
import { levelScoreOf, type ToolsDetail } from "./score.ts";

/**
 * What an answer adds to each metric that runs are compared by, the headline first, and to the parts that
 * the total follows from: a sample adds nothing to those of other levels.
 * Source: docs/spec/tools.md, metrics.
 * @example sampleValues(score)["hard.f1"] // { of: 0.5, over: 1 }
 */
export function sampleValues({
  detail,
}: SampleScore<ToolsDetail>): Record<string, number | Share | null> {
  const { level, f1, precision, recall, slowness, onDevice } = detail;
  const parts = levels.map((one): Record<string, Share> => {
    const over = +(one === level);
    return {
      [`${one}.f1`]: { of: over * f1, over },
      [`${one}.slowness`]: { of: over * (slowness ?? 0), over: over * +(slowness !== null) },
      [`${one}.onDevice`]: { of: over * +onDevice, over },
    };
  });
  return {
    avgF1: f1,
    total: levelScoreOf(detail),
    precision,
    recall,
    allRight: +(f1 === 1),
    onDeviceRatio: +onDevice,
    ...Object.assign({}, ...parts),
  };
}
