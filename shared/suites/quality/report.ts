import type { Estimate } from "../../contracts/metric.ts";
import type { BarsBlock, ReportSection, TableBlock, Tone } from "../../contracts/report.ts";
import type { Summary } from "../../contracts/suite.ts";
import { brief, intervalText, tableOf } from "../../measures/report/blocks.ts";
import { ratesBlocks, timesBlocks } from "../../measures/report/performance-blocks.ts";
import { tellingTags } from "../../measures/report/telling-tags.ts";
import { breakdownSchema, type QualityBreakdown } from "./breakdown.ts";
import { componentIds } from "./columns.ts";
import { humanSections } from "./human-section.ts";
import { partIds, qualityMetricIds } from "./metric-ids.ts";
import { labelOf, qualityMetrics } from "./metrics.ts";
import type { QualityOptions } from "./options.ts";

type Metrics = Readonly<Record<string, Estimate>>;

/**
 * The report of a quality run: the five metrics, what each is made of, how samples spread, tags, what people
 * gave, what came back, and performance.
 * Source: specification of the quality suite.
 * @example qualityReport(summary, { options })[0]?.id // "summary"
 */
export function qualityReport(
  { metrics, breakdown }: Summary,
  { options }: { options: QualityOptions },
): ReportSection[] {
  const tables = breakdownSchema.parse(breakdown);
  return [
    summarySection(metrics, options),
    componentSection(metrics),
    spreadSection(tables),
    ...tagSections(tables),
    ...humanSections(tables),
    responseSection(metrics, tables),
    performanceSection(metrics),
  ];
}

function summarySection(metrics: Metrics, { weights }: QualityOptions): ReportSection {
  const formula = partIds.map((id) => `${weights[id]} · ${labelOf(id).toLowerCase()}`).join(" + ");
  return {
    id: "summary",
    title: "Five metrics",
    intro: `Each follows from the text of a response alone. Overall = ${formula}.`,
    blocks: brief([bars("Quality", metrics, qualityMetricIds)]),
  };
}

function componentSection(metrics: Metrics): ReportSection {
  const parts = partIds.filter((id) => componentIds[id].length > 0);
  return {
    id: "components",
    title: "What they are made of",
    intro: "Each metric but length is the mean of three components.",
    blocks: parts.map((part) => bars(labelOf(part), metrics, componentIds[part])),
  };
}

function spreadSection({ spreads }: QualityBreakdown): ReportSection {
  return {
    id: "spread",
    title: "How responses differ",
    intro: "Values of single samples, repeats averaged.",
    blocks: tableOf(
      "Spread over samples",
      [
        ["metric", "Metric", "text"],
        ["mean", "Mean", "score"],
        ["min", "Min", "score"],
        ["median", "Median", "score"],
        ["max", "Max", "score"],
        ["sd", "SD", "score"],
      ],
      spreads.map(({ metric, ...values }) => ({ metric: labelOf(metric), ...values })),
    ),
  };
}

function tagSections({ tags }: QualityBreakdown): ReportSection[] {
  const byTag = tellingTags(tags);
  if (byTag.length === 0) return [];
  return [
    {
      id: "tags",
      title: "By tag",
      intro: "What the dataset says of its samples.",
      blocks: byTag.flatMap(([tag, groups]) => tagTable(tag, groups)),
    },
  ];
}

function tagTable(tag: string, groups: QualityBreakdown["tags"]) {
  return tableOf(
    tag,
    [
      ["name", tag, "text"],
      ["overall", "Overall", "score"],
      ["interval", "95% interval", "text"],
      ...partIds.map((id) => [id, labelOf(id), "score"] as [string, string, "score"]),
      ["n", "Answers", "count"],
    ],
    groups.map(({ name, n, figures }): TableBlock["rows"][number] => ({
      ...{ name, n, interval: intervalText(figures["overall"]?.interval ?? null) },
      ...Object.fromEntries(qualityMetricIds.map((id) => [id, figures[id]?.value ?? null])),
    })),
  );
}

/** What came back, in the order of the page. */
const statuses = [
  ["status answered", "Answered", "good"],
  ["status empty", "Without a word", "missed"],
  ["status refused", "Refused", "missed"],
  ["status error", "Request failed", "missed"],
] as const satisfies readonly (readonly [string, string, Tone])[];

function responseSection(metrics: Metrics, { counts }: QualityBreakdown): ReportSection {
  const rows = ["responseWords", "truncatedRate", "unsupportedRate"].map((id) => {
    const value = metrics[id]?.value ?? null;
    const shown =
      id === "responseWords" ? value?.toFixed(0) : `${((value ?? 0) * 100).toFixed(1)}%`;
    return { measure: labelOf(id), value: value === null ? null : (shown ?? null) };
  });
  return {
    id: "responses",
    title: "What came back",
    intro: "A response without a word scores 0 in everything.",
    blocks: [
      {
        ...{ kind: "stack", title: "Responses", unit: "responses" },
        parts: statuses.map(([name, label, tone]) => ({
          ...{ label, count: counts[name] ?? 0, tone, definition: `${label}.` },
        })),
      },
      ...tableOf(
        "Length, cut-offs and language",
        [
          ["measure", "Measure", "text"],
          ["value", "Value", "text"],
        ],
        rows,
      ),
    ],
  };
}

function performanceSection(metrics: Metrics): ReportSection {
  return {
    id: "performance",
    title: "Performance",
    intro: "Times of answered requests, in milliseconds. None of it is part of the scores.",
    blocks: [...timesBlocks(metrics), ...ratesBlocks(metrics, qualityMetrics)],
  };
}

function bars(title: string, metrics: Metrics, ids: readonly string[]): BarsBlock {
  return {
    ...{ kind: "bars", title, format: "score" },
    bars: ids.map((id) => {
      const { value = null, interval = null, n = 0 } = metrics[id] ?? {};
      return { label: labelOf(id), value, interval, n, tone: toneOf(value) };
    }),
  };
}

function toneOf(value: number | null): Tone {
  if (value === null) return "neutral";
  if (value >= 0.85) return "excellent";
  if (value >= 0.7) return "good";
  return value >= 0.5 ? "fair" : "poor";
}
