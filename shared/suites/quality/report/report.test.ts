import { expect, test } from "vitest";
import type { Answer } from "../../../contracts/answer.ts";
import { blockOf, scoredRun } from "../../__fixtures__/scored-run.ts";
import { anAnswer, aSample } from "../__fixtures__/build.ts";
import { labelOf, partIds } from "../metrics.ts";
import { defaultOptions } from "../options.ts";
import type { QualitySample } from "../sample.ts";
import { references } from "../score/references.ts";
import { quality } from "../suite.ts";
import { breakdownSchema } from "../sum/breakdown.ts";
import { componentIds } from "../sum/columns.ts";

const good =
  "Photosynthesis turns sunlight into sugar. Therefore plants grow. In conclusion, photosynthesis feeds them.";

/** Every other sample gets a good response; samples of the other domain get one word repeated 20 times or more. */
function answered(i: number): [QualitySample, Answer] {
  const domain = i % 2 === 0 ? "science" : "cooking";
  const tags = { domain, language: "en" };
  const sample = aSample("Explain photosynthesis in three sentences.", { id: `s${i}`, tags });
  const output = i % 2 === 0 ? `${good}${" Plants thrive.".repeat(i % 5)}` : "no ".repeat(20 + i);
  return [sample, anAnswer(i === 0 ? null : output, { latencyMs: 100 + i })];
}

const pairs = Array.from({ length: 48 }, (_, i) => answered(i));
const { summary, run, scored } = scoredRun(quality, pairs, defaultOptions);
const report = quality.report(summary, run);
const breakdown = breakdownSchema.parse(summary.breakdown);
const value = (id: string) => summary.metrics[id]?.value;

test("qualityReport() has its sections in order and unique block titles", () => {
  expect(report.map(({ id }) => id)).toEqual([
    "summary",
    "components",
    "spread",
    "tags",
    "responses",
    "performance",
  ]);
  const titles = report.flatMap(({ blocks }) => blocks.map(({ title }) => title));
  expect(titles.filter((title, i) => titles.indexOf(title) !== i)).toEqual([]);
});

test("qualityReport() shows overall form against the six canaries by name, and the five metrics", () => {
  const { bars, below } = blockOf(report, "bars", "Overall form and its reference lines");
  expect(bars[0]).toMatchObject({ label: "This run", value: value("overall"), n: 48 });
  const lines = references(defaultOptions);
  expect(bars.slice(1)).toMatchObject(
    lines.map((line) => ({ label: line.label, value: line.value, isReference: true })),
  );
  expect(lines).toHaveLength(6);
  expect(below).toContain("stock prompts");
  expect(blockOf(report, "bars", "The five metrics").bars.map((bar) => bar.value)).toEqual(
    partIds.map(value),
  );
  expect(blockOf(report, "radar", "Form in five metrics").axes.map((axis) => axis.value)).toEqual(
    partIds.map(value),
  );
});

test("qualityReport() states whether the run is above the best canary", () => {
  const { text } = blockOf(report, "note", "Not above the best canary");
  expect(text).toContain("“Connector salad”");
  const high = { value: 0.97, interval: [0.96, 0.98] as [number, number], n: 48, coverage: 1 };
  const above = { ...summary, metrics: { ...summary.metrics, overall: high } };
  const note = blockOf(quality.report(above, run), "note", "Above the best canary");
  expect(note.text).toContain("not that they are right");
  const other = quality.report(summary, { ...run, options: { ...defaultOptions, lengthRatio: 4 } });
  expect(JSON.stringify(other)).not.toContain("best canary");
});

test("qualityReport() has no grades, no good or bad colours, and no recommendations", () => {
  const text = JSON.stringify(report);
  expect(text).not.toMatch(/excellen|recommend|grade|fit for use|stronger model/i);
  const bars = report.flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.kind === "bars" ? block.bars : [])),
  );
  expect(new Set(bars.map(({ tone }) => tone))).toEqual(new Set(["neutral"]));
  expect(report.flatMap(({ blocks }) => blocks.map(({ kind }) => kind))).not.toContain("gauge");
  expect(quality.guide).toBeUndefined();
  expect(quality.thresholds).toBeUndefined();
});

test("qualityReport() shows the components of each metric", () => {
  for (const part of partIds.filter((id) => componentIds[id].length > 0)) {
    expect(blockOf(report, "bars", labelOf(part)).bars.map((bar) => bar.value)).toEqual(
      componentIds[part].map(value),
    );
  }
});

test("qualityReport() shows the spread of responses", () => {
  const histogram = blockOf(report, "histogram", "Overall form of responses");
  expect(histogram.bins.reduce((sum, { count }) => sum + count, 0)).toBe(48);
  expect(histogram.bins[0]).toMatchObject({ from: 0, to: 0.05 });
  expect(histogram.lines).toEqual([{ x: breakdown.spreads[0]?.median, label: "median" }]);
  const boxes = blockOf(report, "boxes", "The five metrics of responses");
  expect(boxes.groups.map(({ label, n }) => [label, n])).toEqual(
    partIds.map((id) => [labelOf(id), 48]),
  );
  const coherence = breakdown.spreads.find(({ metric }) => metric === "coherence");
  expect(boxes.groups[0]?.median).toBeCloseTo(coherence!.median, 3);
  const words = blockOf(report, "scatter", "Overall form against words");
  expect(words.points.map(({ y }) => y)).toEqual(scored.map(({ score }) => score.score));
});

test("qualityReport() compares the values of tags that vary between samples", () => {
  expect(blockOf(report, "bars", "Overall form by domain").bars).toMatchObject(
    breakdown.tags
      .filter(({ tag }) => tag === "domain")
      .map(({ name, n, figures }) => ({ label: name, n, ...figures["overall"] })),
  );
  expect(JSON.stringify(report)).not.toContain("by language");
});

test("qualityReport() counts responses by status", () => {
  const stack = blockOf(report, "stack", "Responses");
  expect(stack.parts.map(({ count }) => count)).toEqual([47, 1, 0, 0]);
});

test("qualityReport() omits charts of single responses without points", () => {
  const sections = quality.report(summary, { ...run, points: null, timeline: null });
  const kinds = sections.flatMap(({ blocks }) => blocks.map(({ kind }) => kind));
  expect(kinds).not.toEqual(expect.arrayContaining(["histogram"]));
  expect(blockOf(sections, "table", "Spread over samples, 15 of 18").rows[0]).toMatchObject({
    metric: "Overall form",
    mean: breakdown.spreads[0]?.mean,
  });
});
