import type { Axis, HistogramBlock, ScatterBlock, Tone } from "../../../contracts/report.ts";
import type { RunPoints } from "../../../contracts/runs/run-points.ts";
import { figureText } from "../figures/figure-text.ts";

type Point = RunPoints["points"][number];

/** A quantity of answers; null if unknown. */
export interface PointAxis extends Axis {
  of(point: Point): number | null;
}

/**
 * Text after a chart's title if it shows a subset of the answers; else empty.
 * @example pointsText({ answers: 1200, points: three }, 3) // ", 3 random answers of 1,200"
 */
export function pointsText({ answers, points }: RunPoints, shown: number): string {
  if (points.length >= answers) return "";
  return `, ${shown} random answers of ${figureText(answers, "count")}`;
}

/**
 * Answers as points in two quantities; an x axis of times is logarithmic unless a time is 0. Empty if fewer than two
 * answers have both.
 * @example pointScatter("Latency against EQS", points, { x: latency, y: score })[0]?.kind // "scatter"
 */
export function pointScatter(
  title: string,
  points: RunPoints | null,
  {
    x,
    y,
    tone = () => "neutral",
    legend = [],
  }: {
    x: PointAxis;
    y: PointAxis;
    tone?(point: Point): Tone;
    legend?: ScatterBlock["legend"];
  },
): ScatterBlock[] {
  if (points === null) return [];
  const dots = points.points.flatMap((point) => {
    const [at, value] = [x.of(point), y.of(point)];
    return at === null || value === null
      ? []
      : [{ x: at, y: value, label: point.id, tone: tone(point) }];
  });
  if (dots.length < 2) return [];
  return [
    {
      kind: "scatter",
      title: `${title}${pointsText(points, dots.length)}`,
      x: { label: x.label, format: x.format, scale: scaleOf(dots, x) },
      y: { label: y.label, format: y.format },
      points: dots,
      areSamples: true,
      legend,
    },
  ];
}

function scaleOf(dots: readonly { x: number }[], { format }: Axis): "linear" | "log" {
  if (format !== "ms") return "linear";
  return dots.every(({ x }) => x > 0) ? "log" : "linear";
}

/** Bin width of a share: fine enough for the shape, wide enough for several answers in a bin. */
const binCount = 20;

/**
 * The distribution of a share (0–1) over answers, in twenty bins; the last includes 1. `lines` are labelled values.
 * Empty for fewer than two such answers. Linear.
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
