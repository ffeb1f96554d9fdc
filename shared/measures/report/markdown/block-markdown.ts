import type { AdviceBlock, ReportBlock } from "../../../contracts/report.ts";
import { figureText, intervalText, tickText } from "../figures/figure-text.ts";
import { chartTable } from "./chart-table.ts";
import { changeWords, fencedText, markdownTable, markdownText } from "./markdown-text.ts";

/**
 * A block of a report as Markdown paragraphs, under its title as a heading of `level`: its table if it has figures,
 * else its text. An empty block says so.
 * @example blockMarkdown(block, 3)[0] // "### Outcomes"
 */
export function blockMarkdown(block: ReportBlock, level: number): string[] {
  return [`${"#".repeat(level)} ${markdownText(block.title)}`, ...partsOf(block)];
}

function partsOf(block: ReportBlock): string[] {
  if (block.kind === "note") return [markdownText(block.text)];
  if (block.kind === "advice") return adviceList(block);
  if (block.kind === "text") {
    return [fencedText(block.text), ...(block.left > 0 ? [more(block.left, "character")] : [])];
  }
  const table = chartTable(block);
  if (table.rows.length === 0) return ["Nothing to show."];
  return [markdownTable(table), ...beneath(block).map(markdownText)];
}

/** Information that a chart's table does not contain. */
function beneath(block: ReportBlock): string[] {
  switch (block.kind) {
    case "gauge": {
      const zones = block.zones.map(
        ({ from, to, label }) =>
          `${label} ${tickText(from, block.format)}–${tickText(to, block.format)}`,
      );
      return zones.length === 0 ? [] : [`Zones: ${zones.join(", ")}.`];
    }
    case "line":
      return marked(block.marks, block.x.format, block.y.format);
    case "histogram":
      return block.lines.map(({ label, x }) => `${label}: ${figureText(x, block.x.format)}.`);
    case "scatter": {
      const left = block.points.length - chartTable(block).rows.length;
      return left > 0 ? [more(left, "dot")] : [];
    }
    case "fields":
      return block.left > 0 ? [more(block.left, "field")] : [];
    case "bars":
    case "table":
      return block.below === undefined ? [] : [block.below];
    default:
      return [];
  }
}

type Format = Parameters<typeof figureText>[1];

const marked = (
  marks: readonly { x: number; y: number; label: string }[],
  x: Format,
  y: Format,
): string[] =>
  marks.map(({ label, ...at }) => `${label}: ${figureText(at.y, y)} at ${figureText(at.x, x)}.`);

function more(count: number, what: string): string {
  const words = count === 1 ? `${what} is` : `${what}s are`;
  return `${figureText(count, "count")} more ${words} not shown.`;
}

function adviceList({ items }: AdviceBlock): string[] {
  if (items.length === 0) return ["No recommendations."];
  const lines = items.map((item, i) => {
    const { finding, change, action, cell, value, format, interval, n } = item;
    const ends = interval === null ? "" : `, 95% interval ${intervalText(interval, format)}`;
    const basis = `Based on: ${cell} ${figureText(value, format) ?? "–"}${ends}, n = ${figureText(n, "count")}.`;
    return `${i + 1}. **${markdownText(finding)}** ${changeWords[change]}: ${markdownText(action)} ${markdownText(basis)}`;
  });
  return [lines.join("\n")];
}
