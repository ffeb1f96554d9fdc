import type { Comparison, MetricComparison } from "#shared/contracts/comparison.ts";
import type { Metric } from "#shared/contracts/metric.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { printable } from "../printable.ts";
import { counted, formatValue } from "../score/format-value.ts";
import type { TextPart } from "./text-part.ts";

/** Samples listed that differ most; --json has more. */
const MAX_DIFFERING = 5;

/** Ids longer than this are cut. */
const MAX_ID = 40;

const metricOf = ({ metrics }: Suite, id: string) => metrics.find((metric) => metric.id === id);

/** The other metrics by run, those that differ from the best of their column marked. */
export function otherMetricsText(
  suite: Suite,
  [headline, ...others]: readonly MetricComparison[],
): TextPart | null {
  if (headline === undefined || others.length === 0) return null;
  const known = others.map((one) => ({ one, metric: metricOf(suite, one.metric)! }));
  const head = ["run", ...known.map(({ one, metric }) => headOf(one, metric, headline.samples))];
  const rows = headline.standings.map(({ run }) => [
    run,
    ...known.map(({ one, metric }) => cellOf(one, run, metric)),
  ]);
  const lower = known.filter(({ one }) => one.better === "lower").map(({ metric }) => metric.label);
  const lowerNote = lower.length === 0 ? [] : [`Lower is better: ${lower.join(", ")}.`];
  return {
    title: "Other metrics on the compared samples",
    table: { head, rows, isText: (k) => k === 0, mayBreak: true },
    notes: [
      "* differs from the best of its column, p < 0.05 after Holm; ** p < 0.01.",
      ...lowerNote,
    ],
  };
}

/** With room for the mark, so that the figures of a column stand below one another. */
function headOf({ samples }: MetricComparison, { label }: Metric, common: number): string {
  return `${label}${samples === common ? "" : `, ${counted(samples, "sample")}`}  `;
}

function cellOf({ standings, pairs }: MetricComparison, run: string, metric: Metric): string {
  const best = standings[0]!.run;
  const pair = pairs.find(({ a, b }) => (a === best && b === run) || (a === run && b === best));
  const level = pair?.significantAt ?? null;
  const mark = level === null ? "" : level === 0.01 ? "**" : "*";
  const value = standings.find((one) => one.run === run)?.value ?? null;
  return `${formatValue(value, metric.format)}${mark.padEnd(2)}`;
}

/** The best by figures of whole runs or files; `wholes` says what these are. */
export function bestText(
  suite: Suite,
  { bestBy, frontiers }: Comparison,
  wholes: string,
): TextPart {
  const perCost = `${suite.headline}PerCost`;
  const headline = metricOf(suite, suite.headline)!.label;
  const rows = bestBy.map(({ metric: id, value, runs }) => {
    const metric = metricOf(suite, id);
    const label = id === perCost ? `${headline} per USD of 1,000 answers` : (metric?.label ?? id);
    return [label, formatValue(value, metric?.format ?? "count"), someOf(runs)];
  });
  const frontier = (what: string, runs: readonly string[] | null, needed: string) =>
    `${headline} against ${what}: ${runs === null ? `not known without ${needed}` : runs.join(", ")}`;
  return {
    title: "Best by metric, and Pareto frontiers",
    table: { head: ["metric", "value", "best"], rows, isText: (k) => k !== 1 },
    notes: [
      wholes,
      frontier("p95 latency", frontiers.latency, "latencyMs"),
      frontier("cost", frontiers.cost, "prices and tokens"),
    ],
  };
}

/** A list of names that may be long, its first ones. */
function someOf(names: readonly string[]): string {
  const more = names.length - 3;
  return more <= 0 ? names.join(", ") : `${names.slice(0, 3).join(", ")} and ${more} more`;
}

/** The samples on which headline scores lie furthest apart. */
export function differingText(suite: Suite, { differing, runs }: Comparison): TextPart | null {
  if (differing.length === 0) return null;
  const { label, format } = metricOf(suite, suite.headline)!;
  const rows = differing
    .slice(0, MAX_DIFFERING)
    .map(({ id, scores }) => [shortId(id), ...scores.map((score) => formatValue(score, format))]);
  return {
    title: `Samples that differ most in ${label}`,
    table: {
      head: ["sample", ...runs.map(({ run }) => run)],
      rows,
      isText: (k) => k === 0,
      mayBreak: true,
    },
    notes: [],
  };
}

function shortId(id: string): string {
  const shown = printable(id);
  return shown.length > MAX_ID ? `${shown.slice(0, MAX_ID - 1)}…` : shown;
}
