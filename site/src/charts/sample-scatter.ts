import * as Plot from "@observablehq/plot";
import type { Metric } from "#shared/contracts/metric.ts";
import { formatCount } from "../format/number.ts";
import { axisMarks, frame } from "./parts/axis-marks.ts";
import { chartWidth, type Linked, plotSvg, withLinks } from "./parts/plot-svg.ts";
import { cutLabel } from "./parts/wrap-label.ts";

/** The scores of samples in two runs. */
export interface SampleScatter {
  metric: Pick<Metric, "label">;
  first: string;
  second: string;
  /** Scores 0–1 of the first run (x) and of the second (y). */
  points: readonly { x: number; y: number; id?: string }[];
  /** Address of both answers to a sample; missing: dots have no links. */
  hrefOf?: (id: string) => string | undefined;
}

/** Dots at the same position, drawn as one; `id`: the sample of a single dot. */
interface Spot {
  x: number;
  y: number;
  count: number;
  id?: string;
}

/** Positions per axis: closer scores, less than a dot's width apart, count as equal. */
const places = 50;
const smallest = 3;
const largest = 14;
const longestName = 34;
// As high as it is wide between the axes, so that equal scores lie on a diagonal of 45°.
const height =
  chartWidth - frame.marginLeft - frame.marginRight + frame.marginTop + frame.marginBottom;

/** Samples by position, the largest dot first, so that smaller dots are drawn above larger ones. */
export function mergePoints(points: SampleScatter["points"]): Spot[] {
  const spots = new Map<string, Spot>();
  for (const { x, y, id } of points) {
    const [column, row] = [Math.round(x * places), Math.round(y * places)];
    const key = `${column} ${row}`;
    const spot = spots.get(key);
    const at = { x: column / places, y: row / places };
    spots.set(
      key,
      spot
        ? { ...at, count: spot.count + 1 }
        : { ...at, count: 1, ...(id !== undefined && { id }) },
    );
  }
  return [...spots.values()].sort((a, b) => b.count - a.count);
}

function scatterLabel({ metric, first, second, points }: SampleScatter): string {
  const higher = points.filter(({ x, y }) => x > y).length;
  const lower = points.filter(({ x, y }) => x < y).length;
  return `${metric.label} of ${formatCount(points.length)} samples: ${first} is higher on ${formatCount(higher)}, ${second} on ${formatCount(lower)}, the same on ${formatCount(points.length - higher - lower)}`;
}

/** A dot for samples with the same two scores, with an area by their number; equal scores lie on the diagonal. */
export function sampleScatterSvg(scatter: SampleScatter): string {
  const spots = mergePoints(scatter.points);
  const most = Math.max(1, ...spots.map(({ count }) => count));
  const radius = ({ count }: Spot) =>
    most === 1 ? smallest : smallest + (largest - smallest) * Math.sqrt((count - 1) / (most - 1));
  const axis = (name: string) => ({ label: cutLabel(name, longestName), format: "score" as const });
  const svg = plotSvg(scatterLabel(scatter), {
    height,
    ...frame,
    x: { domain: [0, 1], label: null },
    y: { domain: [0, 1], label: null },
    r: { type: "identity" },
    marks: [
      ...axisMarks(axis(scatter.first), axis(scatter.second)),
      Plot.line(
        [
          [0, 0],
          [1, 1],
        ],
        { stroke: "var(--line-strong)", strokeDasharray: "4 4" },
      ),
      Plot.dot(spots, {
        x: "x",
        y: "y",
        r: radius,
        fill: "var(--accent)",
        fillOpacity: 0.55,
        stroke: "var(--paper)",
        strokeWidth: 1,
      }),
    ],
  });
  return withLinks(svg, {
    links: spots.flatMap(linkOf),
    height,
    hrefOf: (samples) => samples?.sample && scatter.hrefOf?.(samples.sample),
  });
}

const left = frame.marginLeft;
const width = chartWidth - left - frame.marginRight;
const bottom = height - frame.marginBottom;

/** The position of a dot for a single sample. */
const linkOf = ({ x, y, id }: Spot): Linked[] =>
  id === undefined
    ? []
    : [
        {
          samples: { sample: id },
          shape: `<path d="M${left + x * width},${bottom - y * (bottom - frame.marginTop)}h0"/>`,
        },
      ];
