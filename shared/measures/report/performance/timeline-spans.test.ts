import { expect, test } from "vitest";
import type { Timeline } from "../../../contracts/timeline.ts";
import { timelineSpans } from "./timeline-spans.ts";

const wait = { n: 0, p50: null, p95: null, p99: null, max: null };

function timelineOf(means: readonly (number | null)[]): Timeline {
  const bins = means.map((meanLatencyMs, k) => ({
    completed: meanLatencyMs === null ? 0 : 1 + (k % 3),
    failed: k % 2,
    attempts: 5,
    meanLatencyMs,
  }));
  return { wallMs: 1000 * bins.length, binMs: 1000, bins, queueWaitMs: wait, retryWaitMs: wait };
}

test("timelineSpans() keeps the bins of a short timeline", () => {
  expect(timelineSpans(timelineOf([200, null]))).toEqual([
    { fromMs: 0, lengthMs: 1000, completed: 1, failed: 0, meanLatencyMs: 200 },
    { fromMs: 1000, lengthMs: 1000, completed: 0, failed: 1, meanLatencyMs: null },
  ]);
  expect(timelineSpans(timelineOf([]))).toEqual([]);
});

test("timelineSpans() adds up neighbours of a long one, and loses nothing", () => {
  const timeline = timelineOf(Array.from({ length: 59 }, (_, k) => (k === 4 ? null : 100 + k)));
  const spans = timelineSpans(timeline);
  expect(spans).toHaveLength(30);
  expect(spans.at(-1)).toMatchObject({ fromMs: 58_000, lengthMs: 1000 });
  expect(spans[2]).toMatchObject({ completed: 3, failed: 1, meanLatencyMs: 105 });
  for (const name of ["completed", "failed"] as const) {
    const sum = (parts: readonly Record<typeof name, number>[]) =>
      parts.reduce((all, part) => all + part[name], 0);
    expect(sum(spans)).toBe(sum(timeline.bins));
  }
});

test("timelineSpans() weighs means of latency by what was answered", () => {
  const means = Array.from({ length: 60 }, (_, k) => (k === 0 ? 100 : 400));
  expect(timelineSpans(timelineOf(means))[0]?.meanLatencyMs).toBe((100 + 2 * 400) / 3);
});
