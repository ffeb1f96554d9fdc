import type { CanaryReport, CanaryResult } from "#shared/contracts/canary.ts";
import type { Estimate } from "#shared/contracts/metric.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { intervalText } from "../compare/figure-text.ts";
import { printable } from "../printable.ts";
import { formatCount, formatValue } from "../score/format-value.ts";
import { textTable } from "../score/text-table.ts";

const verdicts: Record<CanaryResult["verdict"], string> = {
  within: "within",
  broken: "BROKEN",
  unbounded: "told only",
  unmeasured: "not measured",
};

const SIMULATED =
  "These judges are simulated: this tests the machinery and says nothing of real judges.";

/** As bounds are declared: a percentage would have to be worked out to be compared. */
const FORMAT = "score";

const textColumns = ["canary", "bound", "verdict", "measured"];

/** What canaries earned against their bounds, as a table. */
export function canariesText(suite: Suite, report: CanaryReport): string {
  const head = ["canary", "earned", "95% interval", "bound", "verdict", "samples", "measured"];
  const rows = report.canaries.map((canary) => [
    canary.id,
    formatValue(canary.headline?.value ?? null, FORMAT),
    intervalText(canary.headline?.interval ?? null, FORMAT),
    boundText(canary.bound, report.canaries),
    verdicts[canary.verdict],
    samplesText(canary.headline),
    canary.finishedAt?.slice(0, "2026-01-01".length) ?? "",
  ]);
  const { label } = suite.metrics.find(({ id }) => id === suite.headline)!;
  const lines = [
    `Canaries of ${suite.id}: ${label} by judges of scoring version ${report.scoringVersion}`,
    ...(report.simulated ? [SIMULATED] : []),
    "",
    ...textTable([head, ...rows], (k) => textColumns.includes(head[k]!)),
  ];
  return lines.map(printable).join("\n");
}

/** @example boundText({ most: 0.45 }, []) // "at most 0.45" */
function boundText(bound: CanaryResult["bound"], canaries: readonly CanaryResult[]): string {
  if (bound === null) return "none";
  if ("most" in bound) return `at most ${plain(bound.most)}`;
  const base = canaries.find(({ id }) => id === bound.over)?.headline?.value ?? null;
  const most = base === null ? "" : ` = ${plain(base + bound.margin)}`;
  return `at most ${bound.over} + ${plain(bound.margin)}${most}`;
}

/** As many decimals as a score is shown with, but for zeros at the end. */
const plain = (value: number): string => `${Number(value.toFixed(3))}`;

/** Those that the value rests on, and of how many where some could not be judged. */
function samplesText(headline: Estimate | null): string {
  if (headline === null) return "";
  const { n, coverage } = headline;
  const all = coverage > 0 ? Math.round(n / coverage) : n;
  return all === n ? formatCount(n) : `${formatCount(n)} of ${formatCount(all)}`;
}
