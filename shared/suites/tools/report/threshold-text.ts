import type { ToolsBreakdown } from "../sum/breakdown.ts";

type Point = NonNullable<ToolsBreakdown["hybrid"]>["curve"][number];
type Routing = Pick<Point, "threshold">;

const fewestDecimals = 3;
const mostDecimals = 12;

/**
 * A threshold in as few decimals, three or more, as route like it: rounded down, since an answer stands at its own
 * confidence, and no further than the next lower threshold of the curve. Confidences crowd near 0 and 1, where
 * three decimals are those of many.
 * @example thresholdDigits(0.0034, [{ threshold: 0.0031 }]) // "0.0034"
 */
export function thresholdDigits(threshold: number, curve: readonly Routing[]): string {
  const lower = curve.flatMap(({ threshold: one }) =>
    one !== null && one < threshold ? [one] : [],
  );
  const floor = Math.max(Number.NEGATIVE_INFINITY, ...lower);
  for (let decimals = fewestDecimals; decimals <= mostDecimals; decimals += 1) {
    const scale = 10 ** decimals;
    const down = Math.floor(threshold * scale + 1e-9) / scale;
    if (down > floor && down <= threshold) return down.toFixed(decimals);
  }
  return String(threshold);
}

/**
 * The way that a point of the curve routes, within a sentence.
 * @example thresholdText({ threshold: null }, []) // "the cloud alone"
 */
export const thresholdText = ({ threshold }: Routing, curve: readonly Routing[]): string =>
  threshold === null ? "the cloud alone" : `a threshold of ${thresholdDigits(threshold, curve)}`;
