import type { Drift } from "#shared/contracts/drift.ts";
import type { Metric } from "#shared/contracts/metric.ts";
import { differenceText } from "#shared/measures/report/figures/figure-text.ts";
import type { Ports } from "../platform/ports.ts";

/** How a run lies to its reference, and the drift that was flagged last before it. */
interface Trend {
  drift: Drift;
  last: Drift | null;
}

/** The trend of a board's run; null: it was not looked at yet. */
export async function trendOf({ drifts }: Ports, runId: string): Promise<Trend | null> {
  const record = await drifts.get(runId);
  if (record === null) return null;
  const last = await drifts.lastFlagged(record.series, record.position);
  return { drift: record.drift, last: last?.record.drift ?? null };
}

/** A trend in the few words that a badge has room for, in the format of the headline. */
export function trendText(trend: Trend | null, format: Metric["format"]): string {
  if (trend === null) return "first run";
  const { drift, last } = trend;
  const { isCovered, isFlagged, againstReference, observedAt } = drift;
  if (isFlagged && againstReference) return changeText(drift, format);
  if (!isCovered) return "coverage too low for a trend";
  if (last === null) return sinceText(drift);
  const year = new Date(observedAt).getUTCFullYear();
  const former = `${changeText(last, format)} on ${dayText(last.observedAt, year)}`;
  if (drift.rerun > 0) return `${former}, none in ${rerunsText(drift)} since`;
  return `${former}, ${drift.attribution === "dataset" ? "new dataset version" : "first run"} since`;
}

/** Of a model that has never drifted. */
function sinceText(drift: Drift): string {
  if (drift.rerun > 0) return `no drift in ${rerunsText(drift)}`;
  return drift.attribution === "dataset" ? "first run on a new dataset version" : "first run";
}

const rerunsText = ({ rerun }: Drift): string => `${rerun} re-run${rerun === 1 ? "" : "s"}`;

const changeText = ({ againstReference }: Drift, format: Metric["format"]): string =>
  `drift ${differenceText(againstReference?.difference ?? 0, format)}`;

const days = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", day: "numeric", month: "short" });
const years = new Intl.DateTimeFormat("en-GB", {
  timeZone: "UTC",
  day: "numeric",
  month: "short",
  year: "numeric",
});

/** The year is told where it is another. */
function dayText(iso: string, year: number): string {
  const date = new Date(iso);
  return (date.getUTCFullYear() === year ? days : years).format(date).replace("Sept", "Sep");
}

/** Whether a flagged drift is one that nobody wished for. */
export function isForTheWorse(trend: Trend | null, metric: Metric | undefined): boolean {
  const { isFlagged = false, againstReference = null } = trend?.drift ?? {};
  const difference = isFlagged ? (againstReference?.difference ?? 0) : 0;
  return metric?.better === "lower" ? difference > 0 : difference < 0;
}
