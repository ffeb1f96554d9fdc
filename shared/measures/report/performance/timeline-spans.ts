import type { Timeline } from "../../../contracts/timeline.ts";

/** As many as a chart shows apart, and a table behind it can list. */
const mostSpans = 30;

type Bin = Timeline["bins"][number];

/** A part of a run's time with what happened in it. */
export interface TimelineSpan extends Omit<Bin, "attempts"> {
  /** From the run's start. */
  fromMs: number;
  lengthMs: number;
}

/**
 * The bins of a timeline in order, neighbours added up until there are at most thirty. Means of latency are
 * weighed by what was answered. Linear.
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
