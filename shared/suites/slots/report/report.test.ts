import { expect, test } from "vitest";
import type { Answer } from "../../../contracts/answer.ts";
import { blockOf, scoredRun } from "../../__fixtures__/scored-run.ts";
import { anAnswer, aSample } from "../__fixtures__/build.ts";
import { defaultOptions } from "../options.ts";
import type { SlotsSample } from "../sample.ts";
import { slots } from "../suite.ts";
import { breakdownSchema } from "../sum/breakdown.ts";
import { topicOutcomes } from "./topic-section.ts";

const expected = { basic_info: { name: "Ada" }, interests: { food: "soup" } };

const runOf = (pairs: readonly (readonly [SlotsSample, Answer])[]) =>
  scoredRun(slots, pairs, defaultOptions);

function reportOf(pairs: readonly (readonly [SlotsSample, Answer])[]) {
  const { summary, run } = runOf(pairs);
  return slots.report(summary, run);
}

const named = { basic_info: { name: "Ada" } };
const otherDish = { ...named, interests: { food: "tea" } };
const withSign = { ...expected, zodiac: { sign: "Leo" } };
/** Names are always right; one of eight sessions has a wrong dish, two have an invented sign. */
const outputs = [named, otherDish, named, withSign, named, named, named, withSign];
const many = Array.from({ length: 48 }, (_, i): [SlotsSample, Answer] => [
  aSample(expected, {
    id: `s${i}`,
    user: `u${i % 24}`,
    session: 1 + Math.floor(i / 24),
    tags: { language: i % 3 === 0 ? "de" : "en" },
  }),
  anAnswer(i === 47 ? "no slots" : JSON.stringify(outputs[i % 8]), { latencyMs: 100 + i }),
]);
const { summary, run } = runOf(many);
const report = slots.report(summary, run);
const breakdown = breakdownSchema.parse(summary.breakdown);
const value = (id: string) => summary.metrics[id]?.value;

test("slotsReport() has its sections in order and unique block titles", () => {
  expect(report.map(({ id }) => id)).toEqual([
    "summary",
    "values",
    "topics",
    "users",
    "tags",
    "outputs",
    "performance",
    "recommendations",
  ]);
  const titles = report.flatMap(({ blocks }) => blocks.map(({ title }) => title));
  expect(titles.filter((title, i) => titles.indexOf(title) !== i)).toEqual([]);
});

test("slotsReport() shows F1 on zones from 0 to 1, and its components", () => {
  const gauge = blockOf(report, "gauge", "F1");
  expect(gauge).toMatchObject({ value: value("f1"), min: 0, max: 1 });
  expect(gauge.zones.map(({ from, to, tone }) => [from, to, tone])).toEqual([
    [0, 0.5, "poor"],
    [0.5, 0.75, "fair"],
    [0.75, 0.9, "good"],
    [0.9, 1, "excellent"],
  ]);
  const radar = blockOf(report, "radar", "Slots and values");
  expect(radar.axes.map((axis) => [axis.label, axis.value])).toEqual([
    ["Precision", value("precision")],
    ["Recall", value("recall")],
    ["Value F1", value("valueF1")],
    ["Token F1", value("tokenF1")],
  ]);
});

test("slotsReport() counts slots by outcome", () => {
  // The last of 48 answers is unreadable: 47 names and 11 dishes are right, 6 dishes wrong, 11 signs extra.
  const stack = blockOf(report, "stack", "Outcomes of slots");
  expect(stack.parts.map(({ label, count }) => [label, count])).toEqual([
    ["Right value", 47 + 11],
    ["Other value", 6],
    ["Missed", 30 + 2],
    ["Extra", 11],
  ]);
  const tree = blockOf(report, "tree", "Wrong slots by topic");
  expect(tree.groups).toEqual([
    {
      label: "Missed",
      tone: "missed",
      parts: [
        {
          label: "interests",
          count: 31,
          samples: { verdict: "missed", path: "interests.*" },
        },
        {
          label: "basic_info",
          count: 1,
          samples: { verdict: "missed", path: "basic_info.*" },
        },
      ],
    },
    {
      label: "Other value",
      tone: "other",
      parts: [{ label: "interests", count: 6, samples: { verdict: "other", path: "interests.*" } }],
    },
    {
      label: "Extra",
      tone: "extra",
      parts: [{ label: "zodiac", count: 11, samples: { verdict: "extra", path: "zodiac.*" } }],
    },
  ]);
  const read = blockOf(report, "stack", "How answers were read").parts;
  expect(read.map(({ count }) => count)).toEqual([47, 0, 1, 0, 0, 0]);
});

test("slotsReport() shows topics by metric, and extra slots by topic", () => {
  const matrix = blockOf(report, "matrix", "Topics by metric");
  expect(matrix.rows.names).toEqual(["basic_info", "interests"]);
  const [f1, recall] = [matrix.columns.names.indexOf("F1"), matrix.columns.names.indexOf("Recall")];
  expect(matrix.cells.map((row) => [row[f1], row[recall]])).toEqual(
    breakdown.topics
      .slice(0, 2)
      .map(({ figures }) => [figures["f1"]?.value, figures["recall"]?.value]),
  );
  const extra = blockOf(report, "bars", "Extra slots by topic");
  expect(extra.bars).toMatchObject([{ label: "zodiac", value: 11, n: 11, tone: "extra" }]);
});

test("slotsReport() compares users, sessions and tags by their F1", () => {
  const f1 = ({ figures }: (typeof breakdown.users)[number]) => figures["f1"]!.value;
  const usersByF1 = [...breakdown.users].sort((a, b) => f1(a) - f1(b));
  for (const [title, parts] of [
    ["F1 by user, the lowest 8 of 24", usersByF1.slice(0, 8)],
    ["F1 by session", breakdown.sessions],
    ["F1 by language", breakdown.tags],
  ] as const) {
    expect(blockOf(report, "bars", title).bars).toMatchObject(
      parts.map(({ name, n, figures }) => {
        const { value = null, interval = null } = figures["f1"] ?? {};
        return { label: name, n, value, interval: n < 20 ? null : interval };
      }),
    );
  }
  expect(blockOf(report, "bars", "F1 by language").below).toMatch(/fewer than 20 samples/);
  expect(breakdown.tags.map(({ tag, name, n }) => [tag, name, n])).toEqual([
    ["language", "de", 16],
    ["language", "en", 32],
  ]);
  expect(breakdown.sessions.map(({ name, n }) => [name, n])).toEqual([
    ["1", 24],
    ["2", 24],
  ]);
});

test("slotsReport() names notable topics with 20 sessions or more", () => {
  const strengths = blockOf(report, "table", "Strengths");
  expect(strengths.rows).toMatchObject([
    { part: "topic basic_info", measure: "Value F1", n: 47 + 1 },
    { part: "topic basic_info", measure: "F1", n: 47 + 1 },
  ]);
  expect(blockOf(report, "note", "Easiest and hardest").text).not.toContain("chance");
  const rows = blockOf(report, "table", "Weaknesses").rows;
  expect(rows.filter(({ measure }) => measure === "F1")).toMatchObject([
    {
      part: "topic interests",
      value: breakdown.topics[1]?.figures["f1"]?.value.toFixed(3),
    },
  ]);
  expect(blockOf(report, "note", "How parts were picked").text).toMatch(
    /^Of \d+ values of 5 parts of 20 samples or more \(F1, Value F1\)/,
  );
});

test("slotsReport() never calls an invented topic the hardest", () => {
  const output = { basic_info: { name: "Ada" }, zodiac: { sign: "Leo" } };
  const note = blockOf(
    reportOf([[aSample(expected), anAnswer(JSON.stringify(output))]]),
    "note",
    "Easiest and hardest",
  );
  expect(note.text).toBe(
    "Easiest: basic_info (F1 1.000, n = 1). Hardest: interests (F1 0.000, n = 1). With fewer than 20 samples, this may be chance.",
  );
});

test("slotsReport() stays under 60 kB with many topics, users and tags", () => {
  const names = Array.from({ length: 60 }, (_, i) => `topic number ${i}`);
  const topics = Object.fromEntries(names.map((name) => [name, { a: "x" }]));
  const wide = names.map((name, i): [SlotsSample, Answer] => [
    aSample(topics, { id: name, user: name, tags: { [`tag ${i % 9}`]: name } }),
    anAnswer(JSON.stringify({ [name]: { b: "y" } })),
  ]);
  expect(JSON.stringify(reportOf(wide)).length).toBeLessThan(60_000);
});

test("summarize() sums latencies without rounding errors", () => {
  // 15 latencies: 15,801 / 15 · 15 is 15801.000000000002.
  const times = Array.from({ length: 15 }, (_, i) => (i === 0 ? 1_801 : 1_000));
  const pairs = times.map(
    (latencyMs, i) => [aSample(expected, { id: `s${i}` }), anAnswer("{}", { latencyMs })] as const,
  );
  const { metrics } = runOf(pairs).summary;
  expect(metrics["latencyTotal"]).toMatchObject({ value: 15_801, n: 15 });
});

test("slotsReport() grades its measures and bases the recommendation on the lowest deciding grade", () => {
  const { rows } = blockOf(report, "table", "At a glance");
  expect(rows.map((row) => [row["measure"], row["value"], row["n"]])).toEqual([
    ...["f1", "precision", "recall", "valueF1", "tokenF1"].map((id) => [
      expect.any(String),
      value(id)?.toFixed(3),
      48,
    ]),
    ["Latency p95", expect.stringContaining("\u202fms"), 48],
    ["Success rate", "100.0%", 48],
  ]);
  const note = blockOf(report, "note", "Recommendation");
  expect(note.text).toMatch(
    /^By this project's reading aid: use it only where .* The lowest grade of F1, Precision, Recall and Value F1 is “/,
  );
  expect(note.text).toContain("Weakest part: topic interests, F1 ");
});

test("slotsReport() says whether the structured-output mode was ignored", () => {
  const inMode = (count: number) =>
    many.map(([sample, answer], i): [SlotsSample, Answer] => [
      sample,
      { ...answer, structuredMode: i < count ? "json_schema_strict" : "none" },
    ]);
  const said = (count: number) => blockOf(reportOf(inMode(count)), "note", "Structured output");
  // Two of eight answers have a topic outside the schema; the last answer, which is not JSON, replaces one of them.
  expect(said(48).text).toBe("json_schema_strict (48): ignored: 12 answers break the schema.");
  expect(said(3).text).toBe(
    "json_schema_strict (3): asked for: no answer breaks the schema; none (45): not asked for.",
  );
});

test("topicOutcomes() counts no missed slot if all slots are stored but repeats are missing", () => {
  const figures = { expectedSlots: 20.526, recall: 1, exactMatchCoverage: 1, extraSlots: 0 };
  const estimates = Object.entries(figures).map(([id, of]) => [id, { value: of, interval: null }]);
  const topic = { name: "food", n: 39, figures: Object.fromEntries(estimates) };
  expect(topicOutcomes(topic)).toEqual({ exact: 21, other: 0, missed: 0, extra: 0 });
});
