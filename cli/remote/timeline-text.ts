import type { DatasetTimeline } from "#shared/contracts/drift/drift.ts";
import { differenceText } from "#shared/measures/report/figures/figure-text.ts";
import { suiteById } from "#shared/suites/registry.ts";
import { intervalText } from "../compare/figure-text.ts";
import { formatCount, formatValue, plainText, printable, textTable } from "../terminal/text.ts";

type Point = DatasetTimeline["histories"][number]["points"][number];

const head = [
  "version",
  "drawn",
  "run",
  "score",
  "95% interval",
  "samples",
  "anchor",
  "others",
  "",
];

/** A dataset's versions with scores, as one table per model. */
export function timelineText({ suite, versions, histories }: DatasetTimeline): string {
  if (histories.length === 0) return `${versions.length} versions, no finished run`;
  const drawn = new Map(versions.map(({ version, stream }) => [version, stream]));
  const drawnText = (version: string) => {
    const draw = drawn.get(version);
    return draw ? `${formatCount(draw.drawn)} of ${formatCount(draw.read - draw.known)}` : "–";
  };
  const parts = histories.map(({ model, metric, points }) => {
    const definition = suiteById(suite)?.metrics.find(({ id }) => id === metric);
    const format = definition?.format ?? "score";
    const change = (difference: number | null | undefined) =>
      difference == null ? "–" : plainText(differenceText(difference, format));
    const rows = points.map((point) => [
      point.datasetVersion.slice(0, 12),
      drawnText(point.datasetVersion),
      point.finishedAt.slice(0, "2026-01-01T00:00".length).replace("T", " "),
      formatValue(point.headline?.value ?? null, format),
      intervalText(point.headline?.interval ?? null, format),
      formatCount(point.headline?.n ?? 0),
      change(point.drift?.againstReference?.difference),
      change(point.drift?.traffic?.difference),
      verdictOf(point),
    ]);
    const isText = (column: number) => column === 0 || column === 2 || column === head.length - 1;
    return [`${model}, ${definition?.label ?? metric}`, ...textTable([head, ...rows], isText)];
  });
  return parts.map((lines) => lines.map(printable).join("\n")).join("\n\n");
}

/** The drift verdict of a run; the model and the traffic may have changed together. */
function verdictOf({ drift }: Point): string {
  if (drift?.isFlagged) return `drift: ${drift.attribution ?? "unclear"}`;
  if (!drift?.traffic?.isFlagged) return "";
  return drift.traffic.cause === "dataset" ? "the traffic changed" : "changed, cause unclear";
}
