import type { Writable } from "node:stream";
import { styleText } from "node:util";
import { ownMetrics } from "#shared/contracts/judging/own-metrics.ts";
import type { Metric } from "#shared/contracts/metric.ts";
import type { Run } from "#shared/contracts/run.ts";
import { passMetrics } from "#shared/measures/passes/pass-metrics.ts";
import { isUnanswered } from "#shared/measures/report/run/is-unanswered.ts";
import { intervalText } from "../compare/figure-text.ts";
import { modelName } from "../remote/runs-text.ts";
import { formatCount, formatValue, printable, textTable } from "../terminal/text.ts";
import type { LimitOutcome } from "./limit.ts";

const head = ["model", "metric", "value", "95% interval", "samples", "wanted", "outcome"];
const numbers = ["value", "95% interval", "samples"];

/** A table of the metrics with limits, then of the metrics that a run's options define; empty without metrics. */
export function figuresText(
  checked: readonly { run: Run; outcomes: readonly LimitOutcome[] }[],
  shown: readonly Metric[] = [],
  stream?: Writable,
): string {
  const rows = checked.flatMap(({ run, outcomes }) => {
    const named = [...definedMetrics(run), ...shown].map((one) => [one.id, one] as const);
    const others = [...new Map(named).values()].filter(({ id }) =>
      outcomes.every(({ limit }) => limit.metric.id !== id),
    );
    return [
      ...outcomes.map((outcome) => rowOf(run, outcome.limit.metric, outcome)),
      ...others.map((metric) => rowOf(run, metric, null)),
    ];
  });
  if (rows.length === 0) return "";
  const hasLimits = checked.some(({ outcomes }) => outcomes.length > 0);
  const columns = hasLimits ? head.length : head.length - 2;
  const table = [head, ...rows].map((row) => row.slice(0, columns));
  const lines = textTable(table, (column) => !numbers.includes(head[column]!));
  return lines.map((line) => painted(printable(line).trimEnd(), stream)).join("\n");
}

/** The metrics that a run's options define: criteria of its rubric, and the pass rate if there is a pass score. */
function definedMetrics({ judging, options }: Run): readonly Metric[] {
  const own = ownMetrics(judging);
  const hasPasses = own.length > 0 && typeof options["passScore"] === "number";
  return [...passMetrics.filter(({ id }) => hasPasses && id === "passRate"), ...own];
}

/** A row with its outcome in colour if the stream is a terminal. */
const painted = (line: string, stream?: Writable): string =>
  stream === undefined
    ? line
    : line.replace(/(not )?met$/, (word, not?: string) =>
        styleText(not ? "red" : "green", word, { stream }),
      );

function rowOf(run: Run, metric: Metric, outcome: LimitOutcome | null): string[] {
  const { label, format, better } = metric;
  const isSilent = isUnanswered(run);
  const estimate = (isSilent ? null : run.metrics?.[metric.id]) ?? null;
  const sign = better === "higher" ? "≥" : "≤";
  return [
    modelName(run),
    label,
    formatValue(estimate?.value ?? null, format),
    intervalText(estimate?.interval ?? null, format) || formatValue(null, format),
    formatCount(estimate?.n ?? 0),
    outcome === null ? "" : `${sign} ${formatValue(outcome.limit.value, format)}`,
    outcome === null ? "" : isSilent ? "nothing answered" : outcome.isMet ? "met" : "not met",
  ];
}
