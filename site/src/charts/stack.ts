import * as Plot from "@observablehq/plot";
import type { StackBlock } from "#shared/contracts/report.ts";
import { formatCount, formatShare, formatTick } from "../format/number.ts";
import { margins } from "./parts/axis-marks.ts";
import { plotSvg } from "./parts/plot-svg.ts";
import { toneFill } from "./parts/tone.ts";

export const stackTotal = ({ parts }: StackBlock): number =>
  parts.reduce((sum, { count }) => sum + count, 0);

function stackLabel(stack: StackBlock): string {
  const total = stackTotal(stack);
  const parts = stack.parts.map(
    ({ label, count }) => `${label} ${total > 0 ? formatShare(count / total) : "–"}`,
  );
  return `${stack.title}, ${formatCount(total)} ${stack.unit}: ${parts.join(", ")}`;
}

/** One bar, its parts in order; the legend has every number. */
export function stackSvg(stack: StackBlock): string {
  const total = stackTotal(stack);
  return plotSvg(stackLabel(stack), {
    height: 62,
    ...margins(4, 14, 22, 14),
    x: { domain: [0, 1], label: null },
    y: { axis: null },
    color: { type: "identity" },
    marks: [
      Plot.axisX({
        ticks: [0, 0.25, 0.5, 0.75, 1],
        tickFormat: (t: number) => formatTick(t, "percent"),
        tickSize: 3,
      }),
      Plot.barX(stack.parts, {
        x: ({ count }) => (total > 0 ? count / total : 0),
        fill: ({ tone }) => toneFill(tone),
        order: null,
        inset: 0.5,
      }),
    ],
  });
}
