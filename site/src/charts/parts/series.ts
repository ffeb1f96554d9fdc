import * as Plot from "@observablehq/plot";
import type { SeriesBlock } from "#shared/contracts/report.ts";
import { formatTick, formatValue } from "../../format/number.ts";
import { axisDomain, axisMarks, frame } from "./axis-marks.ts";
import { plotSvg } from "./plot-svg.ts";
import { toneFill } from "./tone.ts";

const height = 240;

type Series = SeriesBlock["series"][number];

const seriesFill = (tone: Series["tone"]): string =>
  tone === "neutral" ? "var(--accent)" : toneFill(tone);

function seriesLabel({ title, x, y, series }: SeriesBlock): string {
  const shown = series.map(({ label, points }) => {
    const values = points.flatMap((point) => (point.y === null ? [] : [point.y]));
    if (values.length === 0) return `${label}: nothing measured`;
    return `${label} from ${formatValue(Math.min(...values), y.format)} to ${formatValue(Math.max(...values), y.format)}`;
  });
  const until = Math.max(0, ...series.flatMap(({ points }) => points.map((point) => point.x)));
  return `${title}, ${y.label} by ${x.label} up to ${formatTick(until, x.format)}: ${shown.join("; ")}`;
}

/** Maximum points of a line that gets dots, because it is easily overlooked without. */
const fewPoints = 3;

/** Values that a line can't show, because both neighbours are missing. */
const lonePoints = ({ tone, points }: Series) =>
  points.flatMap(({ x, y }, i) => {
    const hasNeighbour = [points[i - 1], points[i + 1]].some((next) => next && next.y !== null);
    return y === null || hasNeighbour ? [] : [{ x, y, tone }];
  });

/** A line for each series, interrupted at missing values, and a dot for an isolated value. */
export function seriesSvg(block: SeriesBlock): string {
  const { x, y, series } = block;
  const points = series.flatMap(({ tone, points: its }, k) =>
    its.map((point) => ({ ...point, y: point.y ?? Number.NaN, tone, k })),
  );
  const known = points.filter((point) => !Number.isNaN(point.y));
  return plotSvg(seriesLabel(block), {
    height,
    ...frame,
    x: { domain: [0, Math.max(1e-9, ...points.map((point) => point.x))], label: null },
    y: {
      domain: axisDomain(
        y,
        known.map((point) => point.y),
      ),
      label: null,
    },
    color: { type: "identity" },
    marks: [
      ...axisMarks(x, y),
      Plot.line(points, {
        x: "x",
        y: "y",
        z: "k",
        strokeWidth: 2,
        stroke: ({ tone }) => seriesFill(tone),
      }),
      Plot.dot(known.length <= fewPoints ? known : series.flatMap(lonePoints), {
        x: "x",
        y: "y",
        r: 3.5,
        fill: ({ tone }) => seriesFill(tone),
      }),
    ],
  });
}
