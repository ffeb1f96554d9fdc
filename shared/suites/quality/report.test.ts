import { expect, test } from "vitest";
import type { Answer } from "../../contracts/answer.ts";
import { blockOf, scoredRun } from "../__fixtures__/scored-run.ts";
import { anAnswer, aSample } from "./__fixtures__/build.ts";
import { breakdownSchema } from "./breakdown.ts";
import { componentIds } from "./columns.ts";
import { partIds, qualityMetricIds } from "./metric-ids.ts";
import { labelOf } from "./metrics.ts";
import { defaultOptions } from "./options.ts";
import type { QualitySample } from "./sample.ts";
import { quality } from "./suite.ts";

const good =
  "Photosynthesis turns sunlight into sugar. Therefore plants grow. In conclusion, photosynthesis feeds them.";

/** Half of the samples get a good response, those of the other domain a poor one, twenty words on end. */
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

test("qualityReport() has its sections in order, and blocks of different titles", () => {
  expect(report.map(({ id }) => id)).toEqual([
    ...["summary", "components", "spread", "tags", "responses", "performance", "recommendations"],
  ]);
  const titles = report.flatMap(({ blocks }) => blocks.map(({ title }) => title));
  expect(titles.filter((title, i) => titles.indexOf(title) !== i)).toEqual([]);
});

test("qualityReport() shows overall quality on its scale, and the five metrics", () => {
  expect(blockOf(report, "gauge", "Overall quality")).toMatchObject({ value: value("overall") });
  expect(blockOf(report, "bars", "Quality").bars.map((bar) => bar.value)).toEqual(
    qualityMetricIds.map(value),
  );
  expect(blockOf(report, "radar", "The five metrics").axes.map((axis) => axis.value)).toEqual(
    partIds.map(value),
  );
});

test("qualityReport() shows what each metric is made of", () => {
  for (const part of partIds.filter((id) => componentIds[id].length > 0)) {
    expect(blockOf(report, "bars", labelOf(part)).bars.map((bar) => bar.value)).toEqual(
      componentIds[part].map(value),
    );
  }
});

test("qualityReport() shows how responses differ", () => {
  const histogram = blockOf(report, "histogram", "Overall quality of responses");
  expect(histogram.bins.reduce((sum, { count }) => sum + count, 0)).toBe(48);
  expect(histogram.bins[0]).toMatchObject({ from: 0, to: 0.05 });
  expect(histogram.lines).toEqual([{ x: breakdown.spreads[0]?.median, label: "median" }]);
  const boxes = blockOf(report, "boxes", "The five metrics of responses");
  expect(boxes.groups.map(({ label, n }) => [label, n])).toEqual(
    partIds.map((id) => [labelOf(id), 48]),
  );
  const coherence = breakdown.spreads.find(({ metric }) => metric === "coherence");
  expect(boxes.groups[0]?.median).toBeCloseTo(coherence!.median, 3);
  const words = blockOf(report, "scatter", "Overall quality against words");
  expect(words.points.map(({ y }) => y)).toEqual(scored.map(({ score }) => score.score));
});

test("qualityReport() compares values of tags that tell samples apart", () => {
  expect(blockOf(report, "bars", "Overall quality by domain").bars).toMatchObject(
    breakdown.tags
      .filter(({ tag }) => tag === "domain")
      .map(({ name, n, figures }) => ({ label: name, n, ...figures["overall"] })),
  );
  expect(blockOf(report, "table", "Weaknesses").rows).toMatchObject([{ part: "domain cooking" }]);
  expect(JSON.stringify(report)).not.toContain("by language");
});

test("qualityReport() counts what came back", () => {
  const stack = blockOf(report, "stack", "Responses");
  expect(stack.parts.map(({ count }) => count)).toEqual([47, 1, 0, 0]);
});

test("qualityReport() without points has its tables, and no charts of single responses", () => {
  const sections = quality.report(summary, { ...run, points: null, timeline: null });
  const kinds = sections.flatMap(({ blocks }) => blocks.map(({ kind }) => kind));
  expect(kinds).not.toEqual(expect.arrayContaining(["histogram"]));
  expect(blockOf(sections, "table", "Spread over samples, 15 of 18").rows[0]).toMatchObject({
    ...{ metric: "Overall quality", mean: breakdown.spreads[0]?.mean },
  });
});
