import type { Writable } from "node:stream";
import { styleText } from "node:util";
import type { Estimate, Metric } from "#shared/contracts/metric.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { counted, formatCount, formatValue } from "./format-value.ts";
import { reportText } from "./report-text.ts";
import type { ScoredFiles } from "./score-files.ts";
import { textTable } from "./text-table.ts";

type Style = Parameters<typeof styleText>[0];
type Paint = (style: Style, text: string) => string;

const columns = ["metric", "value", "95% interval", "n", "coverage"] as const;

/**
 * The summary for a terminal: the headline, a table of what was measured, and what the suite says of
 * it in brief. Colours appear only where `stream` is a terminal that shows them.
 */
export function summaryText(suite: Suite, scored: ScoredFiles, stream: Writable): string {
  const { options } = scored;
  const reported = { options, headline: suite.headline, points: null, timeline: null };
  const paint = (style: Style, text: string) => styleText(style, text, { stream });
  const known = suite.metrics.map(
    (metric) => [metric, scored.summary.metrics[metric.id]!] as const,
  );
  const measured = known.filter(([, estimate]) => estimate.value !== null);
  const others = known.length - measured.length;
  const note = `${others} more metrics have nothing to measure here; --json lists them as null`;
  // Of a suite that gives no grades a column for them would ask for some.
  const grades = measured.map(([, { grade = "" }]) => [grade]);
  const isGraded = grades.some(([grade]) => grade !== "");
  const cells = measured.map(([metric, estimate], i) => [
    ...row(metric, estimate),
    ...(isGraded ? grades[i]! : []),
  ]);
  const [head = "", ...rows] = textTable(
    [[...columns, ...(isGraded ? ["grade"] : [])], ...cells],
    (k) => k === 0 || k === columns.length,
  );
  return [
    ...headline(suite, scored, paint),
    "",
    paint("dim", head),
    ...rows,
    ...(others === 0 ? [] : ["", paint("dim", note)]),
    ...reportText(suite.report(scored.summary, reported), paint),
  ].join("\n");
}

function headline(
  suite: Suite,
  { samples, units, malformed, missing, unscored, summary, ...scored }: ScoredFiles,
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
    ...(unscored > 0 ? [`${counted(unscored, "answer")} could not be scored`] : []),
  ];
  return [
    `${suite.label} (${suite.id} ${suite.version}): ${counts.join(", ")}`,
    `${paint("bold", `${metric.label} ${value}`)}  ${interval}`,
  ];
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
