import * as Plot from "@observablehq/plot";
import type { Estimate, Metric } from "#shared/contracts/metric.ts";
import { formatValue } from "../format/number.ts";
import { lyingIntervals, margins, valuesBelow } from "./parts/axis-marks.ts";
import { plotSvg } from "./parts/plot-svg.ts";
import { cutLabel } from "./parts/wrap-label.ts";

/** Shares and rates of several models, a group of bars for each. */
export interface GroupedBars {
  metrics: readonly Pick<Metric, "label" | "format">[];
  groups: readonly { label: string; estimates: readonly (Estimate | undefined)[] }[];
}

const nameHeight = 20;
const barHeight = 11;
const gap = 10;
const axisHeight = 24;
const longestName = 52;

/** Hues of metrics next to each other: not the green of "right", nor the neutral grey. */
export const metricHues = [1, 2, 4, 3, 9, 5];

/** The colour of the metric at this position, the same in every chart of a page. */
export const metricFill = (place: number): string => `var(--hue-${metricHues[place]})`;

function barsLabel({ metrics, groups }: GroupedBars): string {
  const descriptions = groups.map(({ label, estimates }) => {
    const values = metrics.map(
      ({ label: name, format }, i) => `${name} ${formatValue(estimates[i]?.value, format)}`,
    );
    return `${label}: ${values.join(", ")}`;
  });
  return `Key metrics by model. ${descriptions.join("; ")}`;
}

/** A group for each model: its name, then a bar for each metric with its interval at the end. */
export function groupedBarsSvg(chart: GroupedBars): string {
  const { metrics, groups } = chart;
  const groupHeight = nameHeight + metrics.length * barHeight + gap;
  const height = groups.length * groupHeight;
  const bars = groups.flatMap(({ estimates }, group) =>
    estimates.flatMap((estimate, place) => {
      if (estimate === undefined || estimate.value === null) return [];
      const top = group * groupHeight + nameHeight + place * barHeight;
      return [{ top, place, value: estimate.value, interval: estimate.interval }];
    }),
  );
  const middle = ({ top }: { top: number }) => top + barHeight / 2 - 1;
  // Axes are in percent if all metrics are.
  const format = metrics.every((metric) => metric.format === "percent") ? "percent" : "score";
  return plotSvg(barsLabel(chart), {
    height: height + axisHeight,
    ...margins(0, 14, axisHeight, 4),
    x: { domain: [0, 1], label: null },
    y: { domain: [0, height], reverse: true, axis: null },
    color: { type: "identity" },
    marks: [
      ...valuesBelow(format),
      Plot.rect(bars, {
        x1: 0,
        x2: "value",
        y1: "top",
        y2: ({ top }) => top + barHeight - 2,
        fill: ({ place }) => metricFill(place),
      }),
      // Ink alone would not be visible on the bars, which are light in the dark scheme.
      lyingIntervals(bars, middle, { stroke: "var(--paper)", strokeWidth: 4 }),
      lyingIntervals(bars, middle, { stroke: "var(--ink)", strokeWidth: 1.25 }),
      Plot.text(groups, {
        frameAnchor: "left",
        textAnchor: "start",
        fontWeight: "600",
        y: (_, group) => group * groupHeight + nameHeight / 2 + 2,
        text: ({ label }) => cutLabel(label, longestName),
      }),
    ],
  });
}
