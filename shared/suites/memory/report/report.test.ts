import { expect, test } from "vitest";
import type { Answer } from "../../../contracts/answer.ts";
import { unitValue } from "../../../contracts/judging/judge.ts";
import { judges } from "../../../judges/judges.ts";
import { figureText } from "../../../measures/report/figures/figure-text.ts";
import { blockOf, scoredRun } from "../../__fixtures__/scored-run.ts";
import { anAnswer, aSample, failed, perfect, recorded } from "../__fixtures__/build.ts";
import { defaultOptions } from "../options.ts";
import type { MemorySample } from "../sample.ts";
import { memory } from "../suite.ts";
import { breakdownSchema } from "../sum/breakdown.ts";

const panel = (...levels: number[]) => ({
  empathy: levels.map((empathy_score, i) => ({
    judge: `judge-${i}`,
    judgment: { empathy_score, warmth_level: "high", validation_present: true },
  })),
  helpfulness: levels.map((helpfulness_score, i) => ({
    judge: `judge-${i}`,
    judgment: { helpfulness_score },
  })),
});

/** Answers on sport are perfect, those on food have the recorded judgments; one lacks a safety judgment, one failed. */
function answered(i: number): [MemorySample, Answer] {
  const topic = i % 2 === 0 ? "sport" : "food";
  const more = i % 3 === 0 ? { required_keys: ["knee", "job"], neutral_keys: [] } : {};
  const sample = aSample({ id: `s${i}`, tags: { topic }, ...more });
  const judgments: Record<string, unknown> = {
    ...(topic === "sport" ? perfect : recorded),
    ...panel(1 + (i % 5), 1 + ((i + 1) % 5)),
  };
  if (i === 47) delete judgments["safety"];
  if (i === 46) return [sample, anAnswer(failed)];
  return [sample, anAnswer({ judgments, latencyMs: 100 + i })];
}

const pairs = Array.from({ length: 72 }, (_, i) => answered(i));
const { summary, run } = scoredRun(memory, pairs, defaultOptions);
const report = memory.report(summary, run);
const breakdown = breakdownSchema.parse(summary.breakdown);
const value = (id: string) => summary.metrics[id]?.value;
const scale = (id: string) => judges.find((judge) => judge.id === id)!.scale;

test("memoryReport() has its sections in order and unique block titles", () => {
  expect(report.map(({ id }) => id)).toEqual([
    "summary",
    "metrics",
    "keys",
    "claims",
    "counted",
    "judges",
    "unjudged",
    "tags",
    "performance",
    "judging",
    "recommendations",
  ]);
  const titles = report.flatMap(({ blocks }) => blocks.map(({ title }) => title));
  expect(titles.filter((title, i) => titles.indexOf(title) !== i)).toEqual([]);
});

test("memoryReport() shows the score on its scale, and its main components as shares", () => {
  expect(blockOf(report, "gauge", "Memory citation score")).toMatchObject({ value: value("mcs") });
  const { axes } = blockOf(
    report,
    "radar",
    "Memory, truth, safety and help, levels converted by (x − 1)/4",
  );
  expect(axes.map((axis) => axis.value)).toEqual([
    value("memory_utilization"),
    value("groundedness"),
    value("safety"),
    unitValue(value("helpfulness")!, "level"),
  ]);
  expect(axes[3]?.interval).toEqual(
    summary.metrics["helpfulness"]?.interval?.map((end) => unitValue(end, "level")),
  );
});

test("memoryReport() shows the twelve metrics on a common scale, and lists them on their own scales", () => {
  const profile = blockOf(report, "bars", "Profile, levels converted by (x − 1)/4").bars;
  expect(profile.map((bar) => bar.value)).toEqual(
    judges.map(({ id }) => unitValue(value(id)!, scale(id))),
  );
  const { rows } = blockOf(report, "table", "Metrics and their judges");
  expect(rows.map((row) => row["value"])).toEqual(
    judges.map(({ id }) => figureText(value(id)!, scale(id) === "level" ? "level" : "score")),
  );
});

test("memoryReport() counts answers by level and by share", () => {
  const matrix = blockOf(report, "matrix", "Answers by level");
  const levels = breakdown.scores.filter((row) => row.scale === "level");
  expect(matrix.rows.names).toEqual(levels.map(({ label }) => label));
  expect(matrix.cells).toEqual(
    levels.map(({ levels: counts, judged }) => counts.map((count) => count / judged)),
  );
  for (const row of matrix.cells) expect(row.reduce((a, b) => a! + b!, 0)).toBeCloseTo(1);
  const { rows } = blockOf(report, "table", "Answers by the share next to their value");
  const shares = breakdown.scores.filter((row) => row.scale === "ratio");
  expect(rows.map(({ label, ...counts }) => [label, Object.values(counts)])).toEqual(
    shares.map(({ label, levels: counts }) => [label, counts]),
  );
});

test("memoryReport() shows the spread of levels, with the deviation as a plain number", () => {
  const { rows } = blockOf(report, "table", "Spread over samples");
  const { mean, sd } = rows.find(({ label }) => label === "Empathy") ?? {};
  expect([mean, sd]).toEqual([
    expect.stringMatching(/^\d\.\d\d\/5$/),
    expect.stringMatching(/^\d\.\d{3}$/),
  ]);
});

test("memoryReport() shows the breakdown's counts of memories and claims", () => {
  const { tp, fn, fp } = breakdown.keys;
  const keys = blockOf(report, "stack", "Keys that count").parts.map(({ count }) => count);
  expect(keys).toEqual([tp, fn, fp]);
  const claims = blockOf(report, "stack", "Claims by source");
  expect(claims.parts.map(({ label, count }) => [label, count])).toEqual([
    ["From memory", breakdown.claims.sources.memory],
    ["From the query", breakdown.claims.sources.query],
    ["General knowledge", 0],
    ["Hallucinated", breakdown.claims.sources.hallucinated],
  ]);
  // One request failed, and one answer has no score.
  const boxes = blockOf(report, "boxes", "Score of answers by required keys");
  expect(boxes.groups.map(({ label, n }) => [label, n])).toEqual([
    ["1", 46],
    ["2", 24],
  ]);
});

test("memoryReport() shows the agreement of judges by metric, and the mean of each judge", () => {
  const alphas = blockOf(report, "bars", "Krippendorff's alpha by metric").bars;
  expect(alphas.map((bar) => [bar.label, bar.value, bar.interval])).toEqual(
    breakdown.panels.map(({ metric, alpha }) => [
      metric === "empathy" ? "Empathy" : "Helpfulness",
      alpha.value,
      alpha.interval,
    ]),
  );
  const matrix = blockOf(
    report,
    "matrix",
    "Mean value by metric and judge, as a share of its scale",
  );
  const row = breakdown.judges.find((one) => one.metric === "empathy" && one.judge === "judge-1")!;
  const cell = matrix.cells[matrix.rows.names.indexOf("Empathy")]!;
  expect(cell[matrix.columns.names.indexOf("judge-1")]).toBe(unitValue(row.mean!, "level"));
  expect([matrix.rows.names, matrix.columns.names]).toEqual([
    ["Helpfulness", "Empathy"],
    ["judge-0", "judge-1", "judge-2"].slice(0, matrix.columns.names.length),
  ]);
});

test("memoryReport() shows unjudged values by reason", () => {
  const { groups } = blockOf(report, "tree", "Unjudged values by reason");
  expect(groups.map(({ label, parts }) => [label, parts.length])).toEqual([
    ["No answer", 6],
    ["No judgment was given", 1],
  ]);
  expect(groups[1]?.parts).toEqual([{ label: "Safety", count: 1 }]);
});

test("memoryReport() compares values of tags, and names strengths and weaknesses", () => {
  expect(blockOf(report, "bars", "Memory citation score by topic").bars).toMatchObject(
    breakdown.tags.map(({ name, n, figures }) => ({ label: name, n, ...figures["mcs"] })),
  );
  expect(blockOf(report, "table", "Strengths").rows).toMatchObject([{ part: "topic sport" }]);
  expect(blockOf(report, "table", "Weaknesses").rows).toMatchObject([{ part: "topic food" }]);
});

test("memoryReport() stays under 60 kB", () => {
  expect(JSON.stringify(report).length).toBeLessThan(60_000);
});
