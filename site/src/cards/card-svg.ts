import type { Estimate } from "#shared/contracts/metric.ts";
import { type IntervalScale, namedTicks, positionOn } from "../charts/parts/interval-scale.ts";
import { cardSize } from "../data/paths.ts";
import { fitText, textPath, textWidth, type Weight } from "./text-paths.ts";

/** A picture of a result, shown where its page is shared. */
export interface Card {
  /** What it is about, above the title. */
  topic: string;
  title: string;
  /** A single row is drawn large; of several, the first ones are lines of a table. */
  rows: readonly CardRow[];
  /** Cautions for readers, such as `simulated model`. */
  marks: readonly string[];
  foot: string;
}

export interface CardRow {
  /** For example `#1` or `#1 of 4`; empty without a rank. */
  rank: string;
  label: string;
  /** The score and its interval, as printed. */
  value: string;
  interval: string;
  estimate: Pick<Estimate, "value" | "interval">;
  scale: IntervalScale;
  ticks: readonly string[];
  /** Other scores on the same scale. */
  others?: readonly number[];
}

const colors = {
  paper: "#fdfcfa",
  ink: "#1b1d1f",
  soft: "#555a62",
  line: "#ddd8ce",
  accent: "#0b4a8f",
  warn: "#a06a00",
  warnPaper: "#fdf1d3",
};

const LEFT = 72;
const RIGHT = cardSize.width - LEFT;
const mostRows = 5;

interface TextStyle {
  size: number;
  weight?: Weight;
  color?: string;
  /** The text ends at `x`. */
  isRight?: boolean;
}

function text(words: string, x: number, y: number, style: TextStyle): string {
  const { color = colors.ink, isRight = false } = style;
  const start = isRight ? x - textWidth(words, style) : x;
  return `<path fill="${color}" d="${textPath(words, start, y, style)}"/>`;
}

/** A score on an axis that starts at `x`: a dot on the line of its interval. */
function intervalLine(row: CardRow, x: number, y: number, width: number, size: number): string {
  const { estimate, scale, others = [] } = row;
  const at = (value: number) => x + positionOn(scale, value, width, size);
  const grid = namedTicks(scale)
    .map((tick) => `M${at(tick)} ${y - 2 * size}v${4 * size}`)
    .join("");
  const dots = others.map(
    (value) => `<circle cx="${at(value)}" cy="${y}" r="${size / 2}" fill="${colors.line}"/>`,
  );
  const ends = estimate.interval;
  const line =
    ends &&
    `M${at(ends[0])} ${y}H${at(ends[1])}M${at(ends[0])} ${y - size}v${2 * size}M${at(ends[1])} ${y - size}v${2 * size}`;
  return [
    `<path stroke="${colors.line}" stroke-width="2" d="${grid}"/>`,
    ...dots,
    line ? `<path stroke="${colors.accent}" stroke-width="${size / 2}" d="${line}"/>` : "",
    estimate.value === null
      ? ""
      : `<circle cx="${at(estimate.value)}" cy="${y}" r="${size}" fill="${colors.accent}"/>`,
  ].join("");
}

function largeRow(row: CardRow): string {
  const valueStyle = { size: 112, weight: 600 as const };
  const interval = row.interval === "" ? "no interval" : `95% interval ${row.interval}`;
  const width = RIGHT - LEFT;
  const named = namedTicks(row.scale);
  const tickAt = (i: number) => LEFT + positionOn(row.scale, named[i] ?? 0, width, 16);
  const ticks = row.ticks.map((tick, i) => {
    const half = textWidth(tick, { size: 24 }) / 2;
    return text(tick, tickAt(i) - half, 532, { size: 24, color: colors.soft });
  });
  const after = LEFT + textWidth(row.value, valueStyle) + 28;
  return [
    text(row.value, LEFT, 380, valueStyle),
    text(row.label, after, 336, { size: 32, weight: 600 }),
    text(interval, after, 378, { size: 30, color: colors.soft }),
    text(row.rank, RIGHT, 380, { size: 64, weight: 600, color: colors.accent, isRight: true }),
    intervalLine(row, LEFT, 456, width, 16),
    ...ticks,
  ].join("");
}

/** Columns of a card's table: ends of ranks and values, starts of names and lines, px. */
const columns = { name: 152, figure: 800, line: 832 };

function tableRow(row: CardRow, i: number): string {
  const y = 268 + i * 62;
  const style = { size: 32, weight: 600 as const };
  const figure = [row.value, row.interval].filter(Boolean).join("  ");
  const figureStyle = { size: 28, color: colors.soft, isRight: true };
  const room = columns.figure - columns.name - textWidth(figure, figureStyle) - 24;
  return [
    text(row.rank, LEFT, y, { ...style, color: colors.accent }),
    text(fitText(row.label, room, style), columns.name, y, style),
    text(figure, columns.figure, y, figureStyle),
    intervalLine(row, columns.line, y - 10, RIGHT - columns.line, 9),
  ].join("");
}

/** Marks in a row that ends at the right edge. */
function pills(marks: readonly string[]): string {
  let end = RIGHT;
  return marks
    .map((mark) => {
      const style = { size: 26, weight: 600 as const };
      const width = textWidth(mark, style) + 36;
      const x = end - width;
      end = x - 12;
      return `<rect x="${x}" y="52" width="${width}" height="48" rx="24" fill="${colors.warnPaper}" stroke="${colors.warn}" stroke-width="2" stroke-dasharray="6 4"/>${text(mark, x + 18, 85, style)}`;
    })
    .join("");
}

/**
 * A card as SVG without text elements, so that drawing it needs no fonts.
 * @example cardSvg({ topic: "Structured extraction: stock", title: "Sim Large", rows: [row], marks: [], foot: "…" })
 */
export function cardSvg({ topic, title, rows, marks, foot }: Card): string {
  const { width, height } = cardSize;
  const titleStyle = { size: 60, weight: 600 as const };
  const [first] = rows;
  const figures =
    rows.length === 1 && first ? largeRow(first) : rows.slice(0, mostRows).map(tableRow).join("");
  const body = [
    `<path stroke="${colors.accent}" stroke-width="5" d="M${LEFT} 76h64M${LEFT} 62v28M${LEFT + 64} 62v28"/>`,
    `<circle cx="${LEFT + 38}" cy="76" r="11" fill="${colors.accent}"/>`,
    text("Assay", LEFT + 84, 89, { size: 38, weight: 600 }),
    pills(marks),
    text(fitText(topic, RIGHT - LEFT, { size: 30 }), LEFT, 148, { size: 30, color: colors.soft }),
    text(fitText(title, RIGHT - LEFT, titleStyle), LEFT, 212, titleStyle),
    figures,
    text(fitText(foot, RIGHT - LEFT, { size: 26 }), LEFT, 590, { size: 26, color: colors.soft }),
  ].join("");
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><rect width="${width}" height="${height}" fill="${colors.paper}"/><g fill="none">${body}</g></svg>`;
}
