import type { Writable } from "node:stream";
import { styleText } from "node:util";
import type { Estimate, Metric } from "#shared/contracts/metric.ts";
import {
  type AdviceBlock,
  type GaugeBlock,
  isPrinted,
  type ReportBlock,
  type ReportSection,
  type TableBlock,
} from "#shared/contracts/report.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { counted } from "#shared/contracts/text/counted.ts";
import { emptyText, formatCount, formatValue, printable, textTable } from "../terminal/text.ts";
import type { ScoredFiles } from "./score-files.ts";

const columns = ["metric", "value", "95% interval", "n", "coverage"] as const;

/** Longer cells, such as paths, are truncated. */
const MAX_CELL = 60;

type Style = Parameters<typeof styleText>[0];

/** Metrics that every board has in addition to the suite's board metrics. */
const everywhere = ["passRate", "latencyP95", "costPer1kUsd"];

interface Extent {
  /** Whether to print all metrics and a brief report instead of board metrics and causes of lost points. */
  isWhole: boolean;
}

/**
 * The summary for a terminal: the headline, a table of metrics, and causes of lost points, or a brief version of the
 * suite's report. Colours appear only if `stream` is a terminal that shows them.
 */
export function summaryText(
  suite: Suite,
  scored: ScoredFiles,
  stream: Writable,
  { isWhole }: Extent,
): string {
  const { options } = scored;
  const reported = { options, headline: suite.headline, points: null, timeline: null };
  const paint = (style: Style, text: string) => styleText(style, text, { stream });
  const known = suite.metrics.map(
    (metric) => [metric, scored.summary.metrics[metric.id]!] as const,
  );
  const measured = known.filter(([, estimate]) => estimate.value !== null);
  const main = [...suite.boardMetrics, ...everywhere].filter((id) => id !== suite.headline);
  const shown = isWhole ? measured : measured.filter(([{ id }]) => main.includes(id));
  const others = known.length - measured.length;
  const note = isWhole
    ? `${others} more metrics do not apply here; --json lists them as null`
    : `--all prints ${measured.length} metrics, the errors and what to change`;
  const sections = suite.report(scored.summary, reported);
  const cells = shown.map(([metric, estimate]) => row(metric, estimate));
  const [head = "", ...rows] = textTable([[...columns], ...cells], (k) => k === 0);
  return [
    ...headline(suite, scored, paint),
    "",
    paint("dim", head),
    ...rows,
    ...(isWhole ? [] : lossLines(sections)),
    ...(isWhole && others === 0 ? [] : ["", paint("dim", note)]),
    ...(isWhole ? reportText(sections, paint) : []),
  ].join("\n");
}

function row(metric: Metric, estimate: Estimate): string[] {
  return [
    metric.label,
    formatValue(estimate.value, metric.format),
    intervalText(estimate, metric),
    formatCount(estimate.n),
    formatValue(estimate.coverage, "percent"),
  ];
}

function intervalText({ interval }: Estimate, { format }: Metric): string {
  return interval === null ? "" : interval.map((end) => formatValue(end, format)).join(" – ");
}

type Paint = (style: Style, text: string) => string;

function headline(
  suite: Suite,
  { samples, units, malformed, missing, empty, unscored, summary, ...scored }: ScoredFiles,
  paint: Paint,
) {
  const metric = suite.metrics.find(({ id }) => id === suite.headline)!;
  const estimate = summary.metrics[suite.headline]!;
  const value = formatValue(estimate.value, metric.format);
  const interval =
    estimate.interval === null
      ? `no interval below two ${units === "clusters" ? "sources" : "samples"}`
      : `95% interval ${intervalText(estimate, metric)}`;
  const warnings = scored.warnings.count + scored.answerWarnings.count;
  const counts = [
    counted(samples, "sample"),
    ...(malformed.count > 0 ? [`${formatCount(malformed.count)} malformed, left out`] : []),
    ...(warnings > 0 ? [counted(warnings, "warning")] : []),
    ...(missing > 0 ? [`${counted(missing, "answer")} missing, scored 0`] : []),
    ...(empty > 0 ? [emptyText(empty)] : []),
    ...(unscored > 0 ? [`${counted(unscored, "answer")} could not be scored`] : []),
  ];
  return [
    `${suite.label} (${suite.id} ${suite.version}): ${counts.join(", ")}`,
    `${paint("bold", `${metric.label} ${value}`)}  ${interval}`,
  ];
}

/** The causes of most lost points. */
function lossLines(sections: readonly ReportSection[]): string[] {
  const losses = sections.flatMap(({ losses = [] }) => losses).filter(({ count }) => count > 0);
  if (losses.length === 0) return [];
  const texts = losses.map(
    ({ label, count, unit }) =>
      `${label} (${formatCount(count)} ${count === 1 ? unit.replace(/s$/, "") : unit})`,
  );
  return ["", printable(`Loses points on: ${texts.join(", ")}`)];
}

/** A brief version of a suite's report, with an empty line before each block. */
function reportText(
  sections: readonly ReportSection[],
  paint: (style: "bold" | "dim", text: string) => string,
): string[] {
  const blocks = sections.flatMap((section) => section.blocks).filter(({ brief }) => brief);
  return blocks.flatMap((block) => {
    const [title, ...lines] = blockLines(block);
    if (title === undefined) return [];
    return [
      "",
      paint("bold", title),
      ...lines.map((line, k) => (k > 0 || block.kind !== "table" ? line : paint("dim", line))),
    ];
  });
}

/** The title and lines of a block, without large charts, which are only for pages. */
function blockLines(block: ReportBlock): string[] {
  switch (block.kind) {
    case "gauge":
      return [`${block.title} ${zoneText(block)}`];
    case "note":
      return [block.title, printable(block.text)];
    case "table":
      return block.rows.length === 0 ? [] : [block.title, ...tableLines(block)];
    case "stack":
      return [block.title, ...block.parts.map(({ label, count }) => `${label} ${count}`)];
    case "line":
      return [
        block.title,
        ...block.marks.map(
          ({ label, x, y }) =>
            `${label}: ${formatValue(y, block.y.format)} at ${formatValue(x, block.x.format)}`,
        ),
      ];
    case "bars":
      return [
        block.title,
        ...block.bars.map(({ label, value }) => `${label} ${formatValue(value, block.format)}`),
      ];
    case "radar":
      return [
        block.title,
        ...block.axes.map(({ label, value }) => `${label} ${formatValue(value, "score")}`),
      ];
    case "advice":
      return [block.title, ...block.items.flatMap(adviceLines)];
    default:
      return [];
  }
}

function zoneText({ value, zones, format }: GaugeBlock): string {
  const zone = zones.findLast(({ from }) => value !== null && value >= from);
  return `${formatValue(value, format)}${zone === undefined ? "" : `: ${zone.label}`}`;
}

/** A table of a report for a terminal. */
export function tableLines({ columns, rows }: TableBlock): string[] {
  const cells = rows.map((row) =>
    columns.map(({ id, format }) => cellText(row[id] ?? null, format)),
  );
  const head = columns.map(({ label }) => label.toLowerCase());
  return textTable([head, ...cells], (k) => /^(text|grade)$/.test(columns[k]?.format ?? ""));
}

function cellText(
  value: string | number | null,
  format: TableBlock["columns"][number]["format"],
): string {
  const text =
    typeof value === "number" && !isPrinted(format)
      ? formatValue(value, format)
      : `${value ?? "–"}`;
  const shown = printable(text);
  return shown.length > MAX_CELL ? `${shown.slice(0, MAX_CELL - 1)}…` : shown;
}

function adviceLines({ finding, change, action }: AdviceBlock["items"][number]): string[] {
  return [`- ${printable(finding)}`, `  ${change}: ${printable(action)}`];
}
