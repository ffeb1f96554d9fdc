import type * as Plot from "@observablehq/plot";
import type { SampleFilter, ScatterBlock } from "#shared/contracts/report.ts";
import { formatCount, formatValue } from "../format/number.ts";
import { axisDomain, axisMarks, frame, logTicks } from "./parts/axis-marks.ts";
import { type ChartLink, type Linked, plotSvg, withLinks } from "./parts/plot-svg.ts";
import { toneFill } from "./parts/tone.ts";

const height = 280;
/** More dots than this overlap, so they are smaller and lighter. */
const manyPoints = 60;

function scatterLabel({ title, x, y, points }: ScatterBlock): string {
  const ends = (values: number[], format: ScatterBlock["x"]["format"]) =>
    values.length === 0
      ? "nothing measured"
      : `${formatValue(Math.min(...values), format)} to ${formatValue(Math.max(...values), format)}`;
  const across = ends(
    points.map((point) => point.x),
    x.format,
  );
  const up = ends(
    points.map((point) => point.y),
    y.format,
  );
  return `${title}: ${formatCount(points.length)} dots, ${x.label} ${across}, ${y.label} ${up}`;
}

function scaleOfX({ x, points }: ScatterBlock) {
  const values = points.map((point) => point.x);
  const low = Math.min(...values);
  const high = Math.max(...values);
  if (x.scale === "linear" || !(low > 0)) {
    return { scale: { domain: axisDomain(x, values) }, ticks: {} };
  }
  const domain = [low / 1.1, high * 1.1] as [number, number];
  return { scale: { type: "log" as const, domain }, ticks: { x: logTicks(...domain) } };
}

/** A dot for each item with both values; it links to its samples if they have an address. */
export function scatterSvg(
  block: ScatterBlock,
  hrefOf: ChartLink["hrefOf"] = () => undefined,
): string {
  const links: Linked[] = [];
  return withLinks(scatterDrawing(block, links), { links, height, hrefOf });
}

/** Adds the position of each dot to `links`. */
function scatterDrawing(block: ScatterBlock, links: Linked[]): string {
  const { x, y, points, legend } = block;
  const { scale, ticks } = scaleOfX(block);
  const byTone = Map.groupBy(points, ({ tone }) => tone);
  const isDense = points.length > manyPoints;
  return plotSvg(scatterLabel(block), {
    height,
    ...frame,
    x: { ...scale, label: null },
    y: {
      domain: axisDomain(
        y,
        points.map((point) => point.y),
      ),
      label: null,
    },
    marks: [
      ...axisMarks(x, y, ticks),
      ...[...byTone].map(([tone, its]) =>
        dots(its, {
          linkAt: (point, shape) => links.push({ samples: samplesOf(point, block), shape }),
          radius: isDense ? 2.5 : 4,
          opacity: isDense ? 0.6 : 0.9,
          stroke: legend.length === 0 ? "var(--accent)" : toneFill(tone),
        }),
      ),
    ],
  });
}

const svg = "http://www.w3.org/2000/svg";

interface Look {
  radius: number;
  stroke: string;
  opacity: number;
  linkAt(point: Point, shape: string): void;
}

type Point = ScatterBlock["points"][number];

/** The samples behind a dot. */
export const samplesOf = (
  { samples, label }: Point,
  { areSamples }: ScatterBlock,
): SampleFilter | undefined => (areSamples ? { sample: label } : samples);

const tenth = (value: number): number => Math.round(value * 10) / 10;

/**
 * Dots of one colour as one path of points with round ends: hundreds of circles would be most of a report's
 * bytes. The plot's domains must be given, since this mark has no channels to infer them from.
 */
const dots =
  (points: readonly Point[], { radius, stroke, opacity, linkAt }: Look): Plot.RenderFunction =>
  (_index, { x, y }, _values, _dimensions, { document }) => {
    const path = document.createElementNS(svg, "path");
    const at = (point: Point) => {
      const place = `M${tenth(Number(x?.(point.x)))},${tenth(Number(y?.(point.y)))}h0`;
      linkAt(point, `<path d="${place}"/>`);
      return place;
    };
    path.setAttribute("d", points.map(at).join(""));
    path.setAttribute("stroke", stroke);
    path.setAttribute("stroke-opacity", String(opacity));
    path.setAttribute("stroke-width", String(2 * radius));
    path.setAttribute("stroke-linecap", "round");
    return path;
  };
