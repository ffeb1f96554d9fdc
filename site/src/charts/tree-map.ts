import * as Plot from "@observablehq/plot";
import { hierarchy, treemap } from "d3-hierarchy";
import type { SampleFilter, Tone, TreeBlock } from "#shared/contracts/report.ts";
import { formatCount } from "../format/number.ts";
import { escapeXml } from "../format/xml.ts";
import { margins } from "./parts/axis-marks.ts";
import { type ChartLink, chartWidth, plotSvg, withLinks } from "./parts/plot-svg.ts";
import { toneFill } from "./parts/tone.ts";
import { charactersIn, wrapLabel } from "./parts/wrap-label.ts";

const height = 260;
/** Line height of 12 px text. */
const lineHeight = 15;

interface Node {
  label: string;
  tone: Tone;
  count: number;
  samples?: SampleFilter;
  parts: Node[];
}

type Tile = ReturnType<typeof tilesOf>[number];

function tilesOf({ groups }: TreeBlock) {
  const root: Node = {
    label: "",
    tone: "neutral",
    count: 0,
    parts: groups.map(({ label, tone, parts }) => ({
      label,
      tone,
      count: 0,
      parts: parts.map((part) => ({ ...part, tone, parts: [] })),
    })),
  };
  const tree = hierarchy(root, ({ parts }) => parts)
    .sum(({ count }) => count)
    .sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
  const laid = treemap<Node>().size([chartWidth, height]).paddingInner(2).round(true)(tree);
  return laid
    .leaves()
    .filter(({ depth, value }) => depth === 2 && (value ?? 0) > 0)
    .map(({ data, x0, x1, y0, y1 }) => ({ ...data, x0, x1, y0, y1 }));
}

function treeLabel({ title, unit, groups }: TreeBlock): string {
  const shown = groups.flatMap(({ parts }) =>
    parts.filter(({ count }) => count > 0).map(({ label, count }) => ({ label, count })),
  );
  const largest = shown
    .toSorted((a, b) => b.count - a.count)
    .slice(0, 8)
    .map(({ label, count }) => `${label} ${formatCount(count)}`);
  const total = shown.reduce((sum, { count }) => sum + count, 0);
  return `${title}, ${formatCount(total)} ${unit}: ${largest.join("; ")}`;
}

/** A tile's name and count, if both fit; the table below has all of them. */
function tileText({ label, count, x0, x1, y0, y1 }: Tile): string {
  const perLine = charactersIn(x1 - x0 - 8);
  const lines = Math.floor((y1 - y0 - 6) / lineHeight);
  const number = formatCount(count);
  const name = number.length <= perLine ? wrapLabel(label, perLine, lines - 1) : null;
  return name === null ? "" : `${name}\n${number}`;
}

/** Tiles of a tree map that are too small for their name. */
export const namelessTiles = (block: TreeBlock): number =>
  tilesOf(block).filter((tile) => tileText(tile) === "").length;

/** Counts as areas in the colours of their groups; an area links to its samples if they have an address. */
export function treeMapSvg(
  block: TreeBlock,
  hrefOf: ChartLink["hrefOf"] = () => undefined,
): string {
  const tiles = tilesOf(block);
  const links = tiles.map(({ samples, label, x0, x1, y0, y1 }) => ({
    samples,
    shape: `<path d="M${x0},${y0}H${x1}V${y1}H${x0}z"><title>${escapeXml(label)}</title></path>`,
  }));
  return withLinks(treeDrawing(block, tiles), { links, height, hrefOf });
}

function treeDrawing(block: TreeBlock, tiles: readonly Tile[]): string {
  return plotSvg(treeLabel(block), {
    height,
    ...margins(0, 0, 0, 0),
    x: { domain: [0, chartWidth], axis: null },
    y: { domain: [height, 0], axis: null },
    color: { type: "identity" },
    marks: [
      Plot.rect(tiles, {
        x1: "x0",
        x2: "x1",
        y1: "y0",
        y2: "y1",
        fill: ({ tone }) => toneFill(tone),
      }),
      // Tones differ in lightness, so the text has its own background.
      Plot.text(tiles, {
        x: "x0",
        y: "y0",
        dx: 4,
        dy: 4,
        textAnchor: "start",
        lineAnchor: "top",
        text: tileText,
        className: "tile",
        lineHeight: 1.25,
        stroke: "var(--paper)",
        strokeWidth: 5,
        fill: "var(--ink)",
      }),
    ],
  });
}
