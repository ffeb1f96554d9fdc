import { expect, test } from "vitest";
import { addPoint, noPoints, pointsOf } from "../../../measures/performance/run-points.ts";
import { blockIn, run } from "../__fixtures__/reported.ts";
import { aSyntheticSample } from "../__fixtures__/synthetic.ts";
import { extraction } from "../suite.ts";
import { addAnswer, noAnswers } from "../sum/state.ts";
import { summarize } from "../sum/summarize.ts";
import { extractionReport } from "./report.ts";

const many = Array.from({ length: 400 }, (_, seq) => {
  const one = aSyntheticSample(seq);
  return { ...one, call: { ...one.call, confidence: (seq % 10) / 10 } };
});
const tally = noPoints();
for (const { seq, id, score, call } of many) {
  const answer = { ...call, refusal: null };
  addPoint(tally, { seq, id, repeat: 0, answer, score }, () => extraction.features!(score));
}
const wait = { n: 400, p50: 1, p95: 2, p99: 3, max: 4 };
const timed = {
  ...run,
  wallMs: 60_000,
  points: pointsOf(tally),
  timeline: {
    wallMs: 60_000,
    binMs: 1000,
    queueWaitMs: wait,
    retryWaitMs: wait,
    bins: Array.from({ length: 60 }, (_, k) => ({
      completed: 6 + (k % 3),
      failed: k % 2,
      attempts: 8,
      meanLatencyMs: 400 + k,
    })),
  },
};
const large = extractionReport(summarize(many.reduce(addAnswer, noAnswers()), timed), timed);

test("extractionReport() adds sections on tags and calibration if there are any", () => {
  expect(large.map(({ id }) => id).slice(-4)).toEqual([
    "complexity",
    "calibration",
    "tags",
    "recommendations",
  ]);
});

test("extractionReport() cuts long tables and states the number of rows", () => {
  const { blocks } = large.find(({ id }) => id === "paths")!;
  const [table, note] = blocks;
  expect(table?.kind === "table" && table.rows).toHaveLength(15);
  expect(note?.kind === "note" && note.text).toMatch(/^The first 15 of 60;/);
});

test("extractionReport() picks strengths and weaknesses with 20 samples or more", () => {
  const rows = ["Strengths", "Weaknesses"].flatMap((title) => blockIn(large, "table", title).rows);
  expect(rows.length).toBeGreaterThan(0);
  for (const { n } of rows) expect(n).toBeGreaterThanOrEqual(20);
});

test("extractionReport() plots single answers if the run has points", () => {
  const titles = ["Latency against EQS", "Partial F1 against fields of the schema"];
  for (const title of titles) {
    const { title: shown, points } = blockIn(large, "scatter", title);
    expect(shown).toBe(`${title}, 300 random answers of 400`);
    expect(points).toHaveLength(300);
  }
  const { groups } = blockIn(large, "boxes", "Spread of partial F1 by complexity");
  expect(groups.map(({ label }) => label)).toEqual(["simple", "medium", "complex"]);
  expect(groups.reduce((sum, { n }) => sum + n, 0)).toBe(300);
});

test("extractionReport() plots latencies with percentiles, and throughput over time", () => {
  const { bins, lines } = blockIn(large, "histogram", "Latency of answers");
  expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(400);
  expect(lines.map(({ label }) => label)).toEqual(["p50", "p95", "p99"]);
  expect(blockIn(large, "series", "Throughput over time").series).toHaveLength(2);
});

test("extractionReport() plots partial F1 by confidence next to perfect calibration", () => {
  const { series } = blockIn(large, "series", "Partial F1 by confidence");
  const [answers, perfect] = series;
  expect(answers?.points).toHaveLength(12);
  expect(perfect?.points.every(({ x, y }) => x === y)).toBe(true);
});

test("extractionReport() shows each value of a tag with its interval", () => {
  const { bars } = blockIn(large, "bars", "EQS by language");
  expect(bars.map(({ label, n }) => [label, n])).toEqual(
    ["de", "en", "fr", "ja"].map((name) => [name, 100]),
  );
  for (const { interval } of bars) expect(interval).not.toBeNull();
});

test("extractionReport() stays under 120 kB for a large run", () => {
  expect(JSON.stringify(large).length).toBeLessThan(120_000);
});

test("extractionReport() has unique block titles, and a cell for each column in each row", () => {
  const blocks = large.flatMap((section) => section.blocks);
  expect(new Set(blocks.map(({ title }) => title)).size).toBe(blocks.length);
  for (const block of blocks) {
    if (block.kind !== "table") continue;
    const ids = block.columns.map(({ id }) => id);
    for (const row of block.rows) {
      const hidden = ["metric", "letter"].filter((id) => id in row && !ids.includes(id));
      expect(Object.keys(row).sort()).toEqual([...ids, ...hidden].sort());
    }
  }
});
