import type { ReportSection, StackBlock, TableBlock, Tone } from "../../../contracts/report.ts";
import { judges } from "../../../judges/judges.ts";
import { tableOf } from "../../../measures/report/blocks.ts";
import { figureText, intervalText } from "../../../measures/report/figure-text.ts";
import type { MemoryBreakdown } from "../sum/breakdown.ts";
import { judgedLabel, type ReportFacts } from "./report-facts.ts";

/** By rank, the best first; of a second one on it is no longer good. */
const labelTones = [
  "excellent",
  "fair",
  "poor",
  "veryPoor",
  "kind2",
  "kind5",
] as const satisfies readonly Tone[];

/**
 * Whatever else judges count and name: contradictions, validation, warmth; of every metric that has any.
 * Source: docs/spec/memory.md, the twelve metrics.
 * @example countedSection(facts).id // "counted"
 */
export function countedSection({ metrics, breakdown: { labels } }: ReportFacts): ReportSection {
  const named = new Map<string, MemoryBreakdown["labels"]>();
  for (const row of labels) {
    const key = `${row.name} ${row.metric}`;
    named.set(key, [...(named.get(key) ?? []), row]);
  }
  const stacks = [...named.values()].map((rows): StackBlock => {
    const { name, metric } = rows[0]!;
    return {
      kind: "stack",
      title: `${judgedLabel(metric)}: ${name}`,
      unit: "answers",
      parts: rows.map(({ label: word, count }, i) => ({
        label: word,
        count,
        definition: `The judge calls the ${name} ${word}.`,
        tone: labelTones[Math.min(i, labelTones.length - 1)]!,
      })),
    };
  });
  return {
    id: "counted",
    title: "Contradictions, validation, warmth",
    intro: "What judges count in answers, beside their grades.",
    blocks: [...stacks, ...tableOf("Counted in answers", countedColumns, countedRows(metrics))],
  };
}

const countedColumns: Parameters<typeof tableOf>[1] = [
  ["label", "What", "text"],
  ["value", "Value", "figure"],
  ["interval", "95% interval", "figure"],
  ["n", "Samples judged", "count"],
];

/** Units differ from row to row, so values are printed as text. */
function countedRows(metrics: ReportFacts["metrics"]): TableBlock["rows"] {
  const shown = new Set(["memory_utilization", "groundedness"]);
  return judges.flatMap(({ id, figures: [, ...more] }) =>
    more
      .filter(({ metric }) => !shown.has(id) || metric.format === "count")
      .map(({ metric }) => {
        const { value = null, interval = null, n = 0 } = metrics[metric.id] ?? {};
        return {
          label: metric.label,
          n,
          value: figureText(value, metric.format),
          interval: intervalText(interval, metric.format),
        };
      }),
  );
}
