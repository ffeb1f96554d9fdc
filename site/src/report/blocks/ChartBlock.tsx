import type { Child } from "hono/jsx";
import type {
  BarsBlock,
  BoxesBlock,
  HistogramBlock,
  LineBlock,
  MatrixBlock,
  RadarBlock,
  ReportBlock,
  ScatterBlock,
  SeriesBlock,
  TreeBlock,
} from "#shared/contracts/report.ts";
import { barsSvg } from "../../charts/bars.ts";
import { boxesSvg } from "../../charts/boxes.ts";
import { histogramSvg } from "../../charts/histogram.ts";
import { lineSvg } from "../../charts/line.ts";
import { matrixSvg } from "../../charts/matrix.ts";
import { seriesSvg } from "../../charts/parts/series.ts";
import { radarSvg } from "../../charts/radar.ts";
import { scatterSvg } from "../../charts/scatter.ts";
import { namelessTiles, treeMapSvg } from "../../charts/tree-map.ts";
import { formatCount, formatValue } from "../../format/number.ts";
import { type SampleHref, sampleHref } from "../samples/sample-links.ts";
import { ChartFigure, Legend } from "./ChartFigure.tsx";
import { ChartNumbers } from "./ChartNumbers.tsx";

/** Maximum rows of the table behind dots; the rest is linked. */
const mostRows = 40;

/** Minimum span of shares: if all are in one corner, the axes would be empty. */
const leastSpan = 0.1;

/** With fewer items, areas show no more than their names. */
const fewestAreas = 5;

interface Chart {
  /** A sentence instead of a nearly empty drawing: `{ text }`. */
  svg: string | { text: string };
  above?: Child;
  below?: Child;
  caption?: Child;
  /** A column of the table that is not useful here. */
  without?: string | undefined;
}

/** The parts of a chart, or a sentence that says why there is none. */
type Draw<Block> = (block: Block, hrefOf: SampleHref) => Chart | string;

const bars: Draw<BarsBlock> = (block) => {
  if (block.bars.length === 0) return "Nothing to show: no group is large enough.";
  const hasIntervals = block.bars.some(({ interval }) => interval !== null);
  return {
    svg: barsSvg(block),
    without: hasIntervals ? undefined : "95% interval",
    below: (
      <>
        <Legend label="Colours" items={block.legend} />
        {block.below !== undefined && <p class="small soft">{block.below}</p>}
      </>
    ),
  };
};

const line: Draw<LineBlock> = (block) =>
  block.points.length === 0 ? "Nothing to show." : { svg: lineSvg(block) };

const radar: Draw<RadarBlock> = (block) => ({ svg: radarSvg(block) });

const histogram: Draw<HistogramBlock> = (block) => {
  const { x, bins, lines } = block;
  if (bins.every(({ count }) => count === 0)) return "Nothing was measured.";
  const named = lines.map(({ label, x: at }) => `${label} ${formatValue(at, x.format)}`);
  const isSparse = bins.some(({ count }) => count === 0);
  const caption = [...named, ...(isSparse ? ["empty ranges are left out"] : [])].join(", ");
  return { svg: histogramSvg(block), caption };
};

const matrix: Draw<MatrixBlock> = (block) =>
  block.cells.flat().every((value) => value === null)
    ? "Nothing was measured."
    : { svg: matrixSvg(block) };

/** A sentence for answers that all have the same value, which boxes would only repeat; null if they differ. */
function singleText({ y, groups }: BoxesBlock): string | null {
  const low = Math.min(...groups.map(({ min }) => min));
  if (low !== Math.max(...groups.map(({ max }) => max))) return null;
  const n = groups.reduce((sum, group) => sum + group.n, 0);
  return `Nothing to show: all ${formatCount(n)} answers have ${formatValue(low, y.format)}.`;
}

const boxes: Draw<BoxesBlock> = (block) => {
  if (block.groups.length === 0) return "No group is large enough.";
  const single = singleText(block);
  if (single !== null) return { svg: { text: single } };
  return {
    svg: boxesSvg(block),
    below: (
      <p class="small soft">
        Box: the middle half; thick line: the median, also in numbers; thin line: least to most.
      </p>
    ),
  };
};

const series: Draw<SeriesBlock> = (block) => {
  const [first] = block.series;
  if (!first || first.points.length === 0) return "Nothing to show.";
  const lines = block.series.map(({ tone, label }) => ({
    tone: tone === "neutral" ? ("accent" as const) : tone,
    label,
  }));
  return {
    svg: seriesSvg(block),
    below: lines.length > 1 && <Legend label="Lines" items={lines} />,
  };
};

const isShare = ({ format }: ScatterBlock["y"]): boolean =>
  format === "score" || format === "percent";

/** A sentence for dots that are all at one spot; null if they are spread. */
export function crowdedText({ x, y, points }: ScatterBlock): string | null {
  if (!isShare(x) || !isShare(y)) return null;
  const ends = (values: readonly number[]) => [Math.min(...values), Math.max(...values)] as const;
  const [across, up] = [ends(points.map((dot) => dot.x)), ends(points.map((dot) => dot.y))];
  if (across[1] - across[0] > leastSpan || up[1] - up[0] > leastSpan) return null;
  const within = ([low, high]: readonly [number, number], axis: ScatterBlock["y"]) =>
    `${axis.label} ${formatValue(low, axis.format)} to ${formatValue(high, axis.format)}`;
  return `Nothing to show: all ${formatCount(points.length)} dots lie close together, at ${within(across, x)} and ${within(up, y)}.`;
}

const scatter: Draw<ScatterBlock> = (block, hrefOf) => {
  const { points, legend } = block;
  if (points.length === 0) return "No answer has both values.";
  const crowded = crowdedText(block);
  return {
    svg: crowded === null ? scatterSvg(block, hrefOf) : { text: crowded },
    below: crowded === null && <Legend label="Colours" items={legend} />,
    caption: points.length > mostRows && (
      <>
        The first {mostRows} of {formatCount(points.length)} dots; the other{" "}
        {formatCount(points.length - mostRows)} are not listed here; see{" "}
        <a href="#samples">all samples</a>.
      </>
    ),
  };
};

const tree: Draw<TreeBlock> = (block, hrefOf) => {
  const { unit, groups } = block;
  const counts = groups.flatMap(({ parts }) => parts.map(({ count }) => count));
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return `No ${unit}.`;
  const [only, ...others] = groups.flatMap(({ parts }) => parts.filter(({ count }) => count > 0));
  if (only && others.length === 0) {
    return { svg: { text: `All ${formatCount(total)} ${unit}: “${only.label}”.` } };
  }
  if (total < fewestAreas) {
    return { svg: { text: `Too few to draw: ${formatCount(total)} ${unit}.` } };
  }
  const nameless = namelessTiles(block);
  return {
    svg: treeMapSvg(block, hrefOf),
    above: (
      <p class="small soft">
        {formatCount(total)} {unit}; areas are counts
      </p>
    ),
    below: (
      <>
        <Legend label="Groups" items={groups} />
        {nameless > 0 && (
          <p class="small soft">
            {formatCount(nameless)} {nameless === 1 ? "area is" : "areas are"} too small for a name;
            see the table.
          </p>
        )}
      </>
    ),
  };
};

const drawings = { bars, line, radar, histogram, matrix, boxes, series, scatter, tree };

type ChartOf<Kind> = Extract<ReportBlock, { kind: Kind }>;

/** A chart of a report with the numbers behind it, or a sentence if there is nothing to draw. */
export const ChartBlock = ({ block }: { block: ChartOf<keyof typeof drawings> }) => {
  const { title } = block;
  const drawn = (drawings[block.kind] as Draw<typeof block>)(block, sampleHref);
  if (typeof drawn === "string") return <ChartFigure title={title} svg={{ text: drawn }} />;
  const { caption, without, ...figure } = drawn;
  return (
    <ChartFigure title={title} {...figure}>
      {caption && <caption>{caption}</caption>}
      <ChartNumbers block={block} without={without} />
    </ChartFigure>
  );
};
