import type { ReportSection, TableBlock } from "../../contracts/report.ts";
import type { Summary } from "../../contracts/suite.ts";
import { intervalText, tableOf } from "../../measures/report/blocks.ts";
import { breakdownSchema, type MemoryBreakdown } from "./breakdown.ts";
import type { MemoryOptions } from "./options.ts";
import {
  judgesSection,
  peopleSections,
  performanceSections,
  unjudgedSection,
} from "./report-judges.ts";
import {
  claimsSection,
  countedSection,
  keysSection,
  metricsSection,
  summarySection,
} from "./report-scores.ts";

/**
 * The report of a memory run: the citation score, the twelve metrics with their judges, memories, claims,
 * what else was counted, judges and people, what is unjudged, tags, and performance with judging apart.
 * Source: specification of the memory suite.
 * @example memoryReport(summary, { options })[0]?.id // "summary"
 */
export function memoryReport(
  { metrics, breakdown }: Summary,
  { options }: { options: MemoryOptions },
): ReportSection[] {
  const tables = breakdownSchema.parse(breakdown);
  return [
    summarySection(metrics, tables, options),
    metricsSection(metrics, tables),
    keysSection(metrics, tables),
    claimsSection(metrics, tables),
    countedSection(metrics, tables),
    judgesSection(tables),
    ...peopleSections(tables),
    unjudgedSection(metrics, tables),
    ...tagSections(tables),
    ...performanceSections(metrics),
  ];
}

function tagSections({ tags }: MemoryBreakdown): ReportSection[] {
  // A tag with one value tells no groups apart.
  const names = [...new Set(tags.map(({ tag }) => tag))].filter(
    (name) => tags.filter(({ tag }) => tag === name).length > 1,
  );
  if (names.length === 0) return [];
  const blocks = names.flatMap((tag) =>
    tableOf(
      tag,
      [
        ["name", tag, "text"],
        ["mcs", "Memory citation score", "percent"],
        ["interval", "95% interval", "text"],
        ["memory_utilization", "Memory F1", "score"],
        ["groundedness", "Groundedness", "score"],
        ["safety", "Safety", "score"],
        ["helpfulness", "Helpfulness", "level"],
        ["n", "Answers", "count"],
      ],
      tags
        .filter((group) => group.tag === tag)
        .map(({ name, n, figures }): TableBlock["rows"][number] => ({
          ...Object.fromEntries(Object.entries(figures).map(([id, { value }]) => [id, value])),
          ...{ name, n, interval: intervalText(figures["mcs"]?.interval ?? null) },
        })),
    ),
  );
  return [{ id: "tags", title: "By tag", intro: "What the dataset says of its samples.", blocks }];
}
