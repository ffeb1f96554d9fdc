import { expect, test } from "vitest";
import type { Timeline } from "../../../contracts/runs/timeline.ts";
import { timelineBlocks, timelineSpans } from "./timeline-blocks.ts";

const noWait = { n: 0, p50: null, p95: null, p99: null, max: null };
const bin = (completed: number, failed: number, meanLatencyMs: number | null) => ({
  completed,
  failed,
  attempts: completed + failed,
  meanLatencyMs,
});
const timeline: Timeline = {
  wallMs: 4000,
  binMs: 2000,
  bins: [bin(10, 0, 200), bin(4, 2, null)],
  queueWaitMs: noWait,
  retryWaitMs: noWait,
};

test("timelineBlocks() draws answers and failures per second, and the mean latency", () => {
  expect(timelineBlocks(timeline)).toMatchObject([
    {
      title: "Throughput over time",
      x: { label: "Seconds since the start" },
      series: [
        {
          label: "Answered",
          points: [
            { x: 1, y: 5 },
            { x: 3, y: 2 },
          ],
        },
        {
          label: "Failed",
          points: [
            { x: 1, y: 0 },
            { x: 3, y: 1 },
          ],
        },
      ],
    },
    {
      title: "Mean latency over time",
      series: [
        {
          points: [
            { x: 1, y: 200 },
            { x: 3, y: null },
          ],
        },
      ],
    },
  ]);
});

test.each([
  [60_000, "Seconds since the start"],
  [3_600_000, "Minutes since the start"],
  [86_400_000, "Hours since the start"],
])("timelineBlocks() counts a run of %i ms in %s", (wallMs, label) => {
  expect(timelineBlocks({ ...timeline, wallMs, binMs: wallMs / 2 })[0]).toMatchObject({
    x: { label },
  });
});

test("timelineBlocks() has no line of failures without any, and no chart of a single bin", () => {
  const calm = timelineBlocks({ ...timeline, bins: [bin(1, 0, 5), bin(1, 0, 5)] });
  expect(calm[0]).toMatchObject({ series: [{ label: "Answered" }] });
  expect(timelineBlocks({ ...timeline, bins: [bin(1, 1, 5)] })).toMatchObject([
    { kind: "note", text: "Not shown: the run was too short." },
  ]);
  expect(timelineBlocks(null)).toMatchObject([
    { kind: "note", text: expect.stringContaining("times are not known") },
  ]);
});

test("timelineBlocks() draws no latency without answers", () => {
  const lost = timelineBlocks({ ...timeline, bins: [bin(0, 4, null), bin(0, 4, null)] });
  expect(lost.map(({ title }) => title)).toEqual(["Throughput over time"]);
});

test("timelineBlocks() lists known waits", () => {
  const queueWaitMs = { n: 7, p50: 1, p95: 2, p99: 3, max: 4 };
  const blocks = timelineBlocks({ ...timeline, bins: [], queueWaitMs });
  expect(blocks.slice(1)).toMatchObject([
    { kind: "table", rows: [{ wait: "In the queue", p50: 1, p95: 2, p99: 3, max: 4, n: 7 }] },
  ]);
});

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

test("timelineSpans() merges neighbouring bins of a long timeline without losing counts", () => {
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

test("timelineSpans() weights mean latencies by the number of answers", () => {
  const means = Array.from({ length: 60 }, (_, k) => (k === 0 ? 100 : 400));
  expect(timelineSpans(timelineOf(means))[0]?.meanLatencyMs).toBe((100 + 2 * 400) / 3);
});
