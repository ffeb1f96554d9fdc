import type { NoteBlock, ReportBlock, SeriesBlock } from "../../../contracts/report.ts";
import type { Timeline } from "../../../contracts/runs/timeline.ts";
import { note, tableOf } from "../charts/blocks.ts";

/** Units of time, each with the longest run for which it is used. */
const timeUnits = [
  { upToMs: 180_000, unitMs: 1000, label: "Seconds" },
  { upToMs: 10_800_000, unitMs: 60_000, label: "Minutes" },
  { upToMs: Number.POSITIVE_INFINITY, unitMs: 3_600_000, label: "Hours" },
] as const;

/**
 * A run over time: answers and failures per second and the mean latency of answered requests, each at the middle of
 * its bin, and waits that are not part of the latency. A sentence replaces the charts without a timeline or with a
 * single bin.
 * @example timelineBlocks(null)[0]?.kind // "note"
 */
export function timelineBlocks(timeline: Timeline | null): ReportBlock[] {
  if (timeline === null)
    return [notShown("times are not known: the answers were made elsewhere, or in batches.")];
  return [
    ...(timeline.bins.length < 2
      ? [notShown("the run was too short.")]
      : [throughput(timeline), ...latency(timeline)]),
    ...waits(timeline),
  ];
}

const notShown = (why: string): NoteBlock => note("Throughput over time", `Not shown: ${why}`);

/** A value for each span, at its middle. */
function over(timeline: Timeline, of: (span: TimelineSpan) => number | null) {
  const { unitMs, label } = timeUnits.find(({ upToMs }) => timeline.wallMs <= upToMs)!;
  return {
    x: { label: `${label} since the start`, format: "count" } as const,
    points: timelineSpans(timeline).map((span) => ({
      x: (span.fromMs + span.lengthMs / 2) / unitMs,
      y: of(span),
    })),
  };
}

function throughput(timeline: Timeline): SeriesBlock {
  const aSecond = (count: number, span: TimelineSpan) => (count * 1000) / span.lengthMs;
  const { x, points } = over(timeline, (span) => aSecond(span.completed, span));
  const failed = over(timeline, (span) => aSecond(span.failed, span)).points;
  const anyFailed = timeline.bins.some((bin) => bin.failed > 0);
  return {
    kind: "series",
    title: "Throughput over time",
    x,
    y: { label: "Answers per second", format: "count" },
    series: [
      { label: "Answered", tone: "read", points },
      ...(anyFailed ? [{ label: "Failed", tone: "failed" as const, points: failed }] : []),
    ],
  };
}

/** Empty without answers: an axis without a line would suggest 0. */
function latency(timeline: Timeline): SeriesBlock[] {
  if (timeline.bins.every(({ meanLatencyMs }) => meanLatencyMs === null)) return [];
  const { x, points } = over(timeline, ({ meanLatencyMs }) => meanLatencyMs);
  return [
    {
      kind: "series",
      title: "Mean latency over time",
      x,
      y: { label: "Mean latency", format: "ms" },
      series: [{ label: "Mean latency", tone: "neutral", points }],
    },
  ];
}

function waits({ queueWaitMs, retryWaitMs }: Timeline): ReportBlock[] {
  const rows = [
    { wait: "In the queue", ...queueWaitMs },
    { wait: "Between attempts", ...retryWaitMs },
  ].filter(({ n }) => n > 0);
  if (rows.length === 0) return [];
  return tableOf(
    "Waits in addition to latency",
    [
      ["wait", "Wait", "text"],
      ["p50", "p50", "ms"],
      ["p95", "p95", "ms"],
      ["p99", "p99", "ms"],
      ["max", "max", "ms"],
      ["n", "Samples", "count"],
    ],
    rows,
  );
}

/** Maximum number of spans: as many as a chart can show and its table can list. */
const mostSpans = 30;

type Bin = Timeline["bins"][number];

/** A span of a run's time with its counts. */
interface TimelineSpan extends Omit<Bin, "attempts"> {
  /** From the run's start. */
  fromMs: number;
  lengthMs: number;
}

/**
 * The bins of a timeline in order, merged until there are at most thirty. Mean latencies are weighted by the number
 * of answers. Linear.
 * @example timelineSpans(timeline)[0]?.fromMs // 0
 */
export function timelineSpans({ binMs, bins }: Timeline): TimelineSpan[] {
  const together = Math.max(1, Math.ceil(bins.length / mostSpans));
  return Array.from({ length: Math.ceil(bins.length / together) }, (_, k) => {
    const its = bins.slice(k * together, (k + 1) * together);
    const timed = its.filter(({ meanLatencyMs }) => meanLatencyMs !== null);
    const answered = total(timed, ({ completed }) => completed);
    const latency = total(timed, ({ meanLatencyMs, completed }) => meanLatencyMs! * completed);
    return {
      fromMs: k * together * binMs,
      lengthMs: its.length * binMs,
      completed: total(its, ({ completed }) => completed),
      failed: total(its, ({ failed }) => failed),
      meanLatencyMs: answered === 0 ? null : latency / answered,
    };
  });
}

const total = (bins: readonly Bin[], of: (bin: Bin) => number): number =>
  bins.reduce((sum, bin) => sum + of(bin), 0);
