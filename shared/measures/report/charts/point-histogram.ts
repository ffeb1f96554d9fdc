import type { Axis, HistogramBlock } from "../../../contracts/report.ts";
import type { RunPoints } from "../../../contracts/run-points.ts";
import { type PointAxis, pointsText } from "./point-scatter.ts";

/** Of a share, bins of a twentieth: fine enough for its shape, wide enough for some answers each. */
const binCount = 20;

/**
 * How a share (0–1) spreads over answers, in twenty bins, the last with its upper end; `lines` are named values
 * across. Nothing where fewer than two answers have it. Linear.
 * @example shareHistogram("Overall", points, { label: "Overall", format: "score", of }, [])[0]?.bins.length // 20
 */
export function shareHistogram(
  title: string,
  points: RunPoints | null,
  { of, ...axis }: PointAxis,
  lines: HistogramBlock["lines"],
): HistogramBlock[] {
  const values = (points?.points ?? []).map(of).filter((value) => value !== null);
  if (points === null || values.length < 2) return [];
  const counts = Array.from({ length: binCount }, () => 0);
  for (const value of values) counts[Math.min(binCount - 1, Math.floor(value * binCount))]!++;
  const x: Axis = { label: axis.label, format: axis.format };
  return [
    {
      kind: "histogram",
      title: `${title}${pointsText(points, values.length)}`,
      unit: "answers",
      x: { ...x, scale: "linear" },
      lines,
      bins: counts.map((count, i) => ({ from: i / binCount, to: (i + 1) / binCount, count })),
    },
  ];
}
