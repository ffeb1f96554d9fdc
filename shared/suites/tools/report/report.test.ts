import { expect, test } from "vitest";
import { type Answer, emptyAnswer } from "../../../contracts/answer.ts";
import { hybridAnswer } from "../../../measures/hybrid.ts";
import { blockOf, scoredRun } from "../../__fixtures__/scored-run.ts";
import { bankSample } from "../__fixtures__/bank.ts";
import { pingSample } from "../__fixtures__/ping.ts";
import { defaultOptions } from "../options.ts";
import type { ToolsSample } from "../sample.ts";
import { failureClasses } from "../score/failures.ts";
import { tools } from "../suite.ts";
import { breakdownSchema } from "../sum/breakdown.ts";

const call = (name: string, n: number) => ({ name, arguments: { n } });

/** Nine of ten pings are right; hard samples also expect a pong, which always has a wrong number. */
function answered(i: number): [ToolsSample, Answer] {
  const level = (["easy", "medium", "hard"] as const)[i % 3]!;
  const tags = { domain: i % 2 === 0 ? "play" : "work" };
  const sample = pingSample(`s${i}`, level, [1], tags);
  const latencyMs = 100 + i;
  if (level === "hard") {
    const hard = { ...sample, expected_calls: [...sample.expected_calls, call("pong", 2)] };
    return [hard, { ...emptyAnswer, latencyMs, toolCalls: [call("ping", 1), call("pong", 3)] }];
  }
  const toolCalls = i % 10 === 0 ? [] : [call("ping", 1)];
  return [sample, { ...emptyAnswer, latencyMs, toolCalls, source: "on-device" }];
}

const routedOptions = { ...defaultOptions, routed: true };
const { summary, run } = scoredRun(
  tools,
  Array.from({ length: 90 }, (_, i) => answered(i)),
  routedOptions,
);
const report = tools.report(summary, run);
const breakdown = breakdownSchema.parse(summary.breakdown);
const value = (id: string) => summary.metrics[id]?.value;

test("toolsReport() has its sections in order and unique block titles", () => {
  expect(report.map(({ id }) => id)).toEqual([
    "summary",
    "levels",
    "calls",
    "functions",
    "failures",
    "sources",
    "tags",
    "performance",
    "recommendations",
  ]);
  const titles = report.flatMap(({ blocks }) => blocks.map(({ title }) => title));
  expect(titles.filter((title, i) => titles.indexOf(title) !== i)).toEqual([]);
});

test("toolsReport() links each kind of failure that occurred to its samples", () => {
  const { rows, samples } = blockOf(report, "table", "Failures");
  expect(samples?.map((filter) => filter?.pattern ?? null)).toEqual(
    rows.map(({ count }, i) => (count === 0 ? null : failureClasses[i])),
  );
  expect(samples).toContain(null);
});

test("toolsReport() distinguishes failed requests from answers without a call", () => {
  const error = { class: "timeout" as const, message: "late" };
  const three = [0, 1, 2].map((i): [ToolsSample, Answer] => [
    pingSample(`s${i}`, "easy", [1]),
    { ...emptyAnswer, error: i === 0 ? null : error },
  ]);
  const failing = scoredRun(tools, three, defaultOptions);
  const sections = tools.report(failing.summary, failing.run);
  const { parts } = blockOf(sections, "stack", "How calls were read");
  expect(parts.slice(-2)).toMatchObject([
    { label: "No call", count: 1 },
    { label: "Request failed", count: 2 },
  ]);
  expect(blockOf(sections, "note", "Failed requests").text).toContain(
    "Missing calls include those of 2 failed requests",
  );
});

test("toolsReport() shows the total on its scale, and its components", () => {
  expect(blockOf(report, "gauge", "Total")).toMatchObject({
    value: value("total"),
    format: "percent",
  });
  const { axes } = blockOf(report, "radar", "Calls, time and source");
  expect(axes.map((axis) => [axis.label, axis.value])).toEqual([
    ["Call F1", value("avgF1")],
    ["Time score", expect.closeTo(1 - value("avgTime")! / 500)],
    ["On device", value("onDeviceRatio")],
    ["Arguments by schema", value("schemaValidity")],
  ]);
  const slow = scoredRun(
    tools,
    Array.from({ length: 30 }, (_, i) => {
      const [sample, answer] = answered(i);
      return [sample, { ...answer, latencyMs: 900 + i }];
    }),
    routedOptions,
  );
  const [, time] = blockOf(
    tools.report(slow.summary, slow.run),
    "radar",
    "Calls, time and source",
  ).axes;
  expect(time).toMatchObject({ value: 0, interval: [0, expect.closeTo(0.114, 3)] });
  const irrelevant = scoredRun(tools, [[pingSample("a", "easy", []), emptyAnswer]], defaultOptions);
  const withoutCalls = tools.report(irrelevant.summary, irrelevant.run);
  expect(blockOf(withoutCalls, "radar", "Calls, time and source").axes.at(-1)).toMatchObject({
    label: "Irrelevance accuracy",
    value: 1,
  });
});

test("toolsReport() names levels and functions that differ from the whole", () => {
  expect(blockOf(report, "table", "Weaknesses").rows).toMatchObject([
    { part: "level hard", measure: "Call F1", value: value("hardF1")?.toFixed(3), n: 30 },
    { part: "level hard", measure: "Total", n: 30 },
  ]);
  expect(blockOf(report, "table", "Functions: strengths").rows).toMatchObject([{ part: "ping" }]);
  expect(blockOf(report, "table", "Functions: weaknesses").rows).toMatchObject([
    { part: "pong", value: 0, n: 30 },
  ]);
});

test("toolsReport() shows the share of matched calls by function", () => {
  expect(blockOf(report, "bars", "Matched calls by function").bars).toEqual(
    breakdown.functions.map(({ name, expected, matched, interval }) => ({
      label: name,
      value: matched / expected,
      interval,
      n: expected,
      tone: name === "ping" ? "above" : "below",
    })),
  );
  const [pong] = breakdown.functions;
  expect(pong).toMatchObject({ name: "pong", n: 30, expected: 30, matched: 0 });
  const [low, high] = pong!.interval!;
  expect(low).toBe(0);
  expect(high).toBeGreaterThan(0.1);
});

test("toolsReport() counts failures by class and function", () => {
  const missed = breakdown.failures.missingCall;
  expect(missed).toBe(6);
  const samples = { pattern: "missingCall", path: "ping(*" };
  expect(blockOf(report, "tree", "Failures by function").groups).toEqual([
    { label: "Missing call", tone: "missed", parts: [{ label: "ping", count: missed, samples }] },
    {
      label: "Wrong argument",
      tone: "other",
      parts: [{ label: "pong", count: 30, samples: { pattern: "wrongArgument", path: "pong(*" } }],
    },
  ]);
  const { rows } = blockOf(report, "table", "Failures");
  expect(rows.map(({ count }) => count)).toEqual([0, missed, 0, 30, 0, 0, 0]);
});

test("toolsReport() shows the spread of samples by level, and compares tags by call F1", () => {
  const boxes = blockOf(report, "boxes", "Scores of samples by level").groups;
  expect(boxes.map(({ label, n }) => [label, n])).toEqual([
    ["Easy", 30],
    ["Medium", 30],
    ["Hard", 30],
  ]);
  expect(boxes[0]!.min).toBeCloseTo(0.25 + 0.15 * (1 - 160 / 500), 1);
  expect(blockOf(report, "bars", "Call F1 by domain").bars).toMatchObject(
    breakdown.tags.map(({ name, n, figures }) => ({ label: name, n, ...figures["avgF1"] })),
  );
});

test("toolsReport() plots the total by threshold for a hybrid target", () => {
  const hybrid = { confidenceThreshold: 0.5 };
  const side = (n: number, confidence: number): Answer => ({
    ...emptyAnswer,
    latencyMs: 50,
    confidence,
    toolCalls: [call("ping", n)],
  });
  const pairs = Array.from({ length: 40 }, (_, i): [ToolsSample, Answer] => [
    pingSample(`h${i}`, "easy", [1]),
    hybridAnswer(side(i % 2, 0.4 + (i % 2) / 10), side(1, 0), hybrid),
  ]);
  const routed = scoredRun(tools, pairs, routedOptions, { hybrid });
  const sections = tools.report(routed.summary, routed.run);
  const { hybrid: table } = breakdownSchema.parse(routed.summary.breakdown);
  const curve = blockOf(sections, "line", "Total by threshold");
  expect(curve.points).toEqual(
    table!.curve.flatMap(({ threshold: x, total: y }) =>
      x === null ? [] : [expect.objectContaining({ x, y })],
    ),
  );
  expect(sections.map(({ id }) => id)).toContain("hybrid");
  const { text } = blockOf(sections, "note", "Other thresholds");
  expect(text).toContain("tokens and cost of the run are those of both");
});

test("toolsReport() reads old breakdowns whose functions have no interval", () => {
  const old = {
    ...breakdown,
    functions: breakdown.functions.map(({ n: _, interval: __, ...counts }) => counts),
  };
  const sections = tools.report({ ...summary, breakdown: JSON.parse(JSON.stringify(old)) }, run);
  expect(blockOf(sections, "note", "Functions: strengths and weaknesses").text).toContain(
    "20 samples",
  );
});

test("toolsReport() stays under 60 kB with many functions and tags", () => {
  const wide = Array.from({ length: 60 }, (_, i): [ToolsSample, Answer] => {
    const names = Array.from({ length: 5 }, (__, k) => `function_number_${5 * i + k}`);
    const sample = pingSample(`w${i}`, "hard", [], { [`tag ${i % 9}`]: `value ${i}` });
    return [{ ...sample, expected_calls: names.map((name) => call(name, 1)) }, emptyAnswer];
  });
  const large = scoredRun(tools, wide, defaultOptions);
  expect(JSON.stringify(tools.report(large.summary, large.run)).length).toBeLessThan(60_000);
});

const slow = (i: number): [ToolsSample, Answer] => [
  pingSample(`c${i}`, (["easy", "medium", "hard"] as const)[i % 3]!, [1]),
  { ...emptyAnswer, latencyMs: 900, toolCalls: [call("ping", 1)] },
];
const cloud = scoredRun(
  tools,
  Array.from({ length: 60 }, (_, i) => slow(i)),
  routedOptions,
);

test("toolsReport() states which parts of the total a slow cloud run could not reach, and why", () => {
  const sections = tools.report(cloud.summary, cloud.run);
  const { rows } = blockOf(sections, "table", "Components of the total");
  expect(rows).toEqual([
    { part: "Calls", earned: expect.closeTo(0.6), most: 0.6, by: "call F1 1.000" },
    { part: "Time", earned: 0, most: 0.15, by: "mean latency 900\u202fms" },
    { part: "Source", earned: 0, most: 0.25, by: "0.0% of answers from the device" },
  ]);
  const { text } = blockOf(sections, "note", "Not reachable");
  expect(text).toMatch(
    /^With these latencies and sources even perfect calls would have scored 60\.0%\./,
  );
  expect(text).toContain("15.0% for time (mean latency 900\u202fms;");
  expect(text).toContain("25.0% for source (0.0% of answers from the device)");
  expect(text).toContain("no calls could have made the total Good (75.0%) or Excellent (90.0%)");
  const note = blockOf(sections, "note", "Recommendation");
  expect(note.text).toContain("fit for use with spot checks");
  expect(note.text).toContain("the total can be at most 60.0%");
});

test("toolsReport() shows components that add up to the total, and no limit if there is none", () => {
  const { rows } = blockOf(report, "table", "Components of the total");
  const earned = rows.reduce((sum, row) => sum + Number(row["earned"]), 0);
  expect(earned).toBeCloseTo(value("total")!, 9);
  const near = Array.from({ length: 30 }, (_, i): [ToolsSample, Answer] => {
    const [sample, answer] = slow(i);
    return [sample, { ...answer, latencyMs: 1, source: "on-device" }];
  });
  const local = scoredRun(tools, near, routedOptions);
  const titles = tools
    .report(local.summary, local.run)
    .flatMap(({ blocks }) => blocks.map(({ title }) => title));
  expect(titles).not.toContain("Not reachable");
});

const plain = scoredRun(
  tools,
  Array.from({ length: 60 }, (_, i) => slow(i)),
  defaultOptions,
);

test("toolsReport() of a plain endpoint ranks by call F1, and shows the total without a grade", () => {
  const sections = tools.report(plain.summary, plain.run);
  expect(sections[0]?.intro).toContain("A single endpoint ranks by call F1");
  expect(blockOf(sections, "gauge", "Call F1")).toMatchObject({ value: 1, format: "score" });
  expect(blockOf(sections, "table", "Components of the total").rows).toHaveLength(3);
  const glance = JSON.stringify(blockOf(sections, "table", "At a glance").rows);
  expect(glance).toContain("Call F1");
  expect(glance).not.toContain("Total");
  const titles = sections.flatMap(({ blocks }) => blocks.map(({ title }) => title));
  expect(titles).not.toContain("Not reachable");
  expect(blockOf(sections, "note", "Recommendation").text).not.toContain("at most");
});

test("toolsReport() explains how to rank by the total if a plain run has answers from two sources", () => {
  const mixed = scoredRun(
    tools,
    Array.from({ length: 30 }, (_, i) => answered(i)),
    defaultOptions,
  );
  const { text } = blockOf(
    tools.report(mixed.summary, mixed.run),
    "note",
    "Answers from two sources",
  );
  expect(text).toContain("routed: true");
  const titlesOf = (one: Pick<typeof mixed, "summary" | "run">) =>
    tools.report(one.summary, one.run).flatMap(({ blocks }) => blocks.map(({ title }) => title));
  expect(titlesOf({ summary, run })).not.toContain("Answers from two sources");
  expect(titlesOf(plain)).not.toContain("Answers from two sources");
});

test("toolsReport() shows turns only for samples with several turns", () => {
  expect(report.some(({ id }) => id === "turns")).toBe(false);
  expect(summary.metrics["conversationRate"]).toMatchObject({ value: null, n: 0 });
  const step = { latencyMs: 100, inputTokens: 10, outputTokens: 2, output: null };
  const calling = (name: string, args: object) => [
    { ...step, toolCalls: [{ name, arguments: args }] },
  ];
  const balance = calling("balance", { owner: "ada" });
  const transfer = calling("transfer", { from: "ada", to: "bob", amount: 30 });
  const close = calling("close", { owner: "cleo" });
  const silent = [{ ...step, toolCalls: [] }];
  const answered = (turns: NonNullable<Answer["turns"]>, i: number): [ToolsSample, Answer] => [
    bankSample({ id: `bank-${i}` }),
    { ...emptyAnswer, turns, latencyMs: 300 },
  ];
  const all = [
    [balance, transfer, close],
    [balance, silent, close],
    [balance, transfer, close],
    [silent],
  ];
  const ranked = { ...defaultOptions, rankBy: "conversations" as const };
  const long = scoredRun(tools, all.map(answered), ranked);
  expect(long.summary.metrics).toMatchObject({
    conversationRate: { value: 0.5, n: 4 },
    turnRate: { value: expect.closeTo(7 / 12, 12) },
    stateRate: { value: expect.closeTo(8 / 12, 12) },
  });
  const shown = tools.report(long.summary, { ...long.run, headline: "conversationRate" });
  expect(blockOf(shown, "table", "By turn")).toMatchObject({
    rows: [
      { turn: 1, n: 4, rate: 0.75, requests: 1, latencyP50: expect.closeTo(100, 0) },
      { turn: 2, n: 4, rate: 0.5, requests: 0.75 },
      { turn: 3, n: 4, rate: 0.5, outputTokens: 2 },
    ],
  });
  expect(blockOf(shown, "table", "What was wrong with turns")).toMatchObject({
    rows: expect.arrayContaining([
      { failure: "no call", count: 1 },
      { failure: "wrong state", count: 1 },
    ]),
  });
  expect(shown[0]?.intro).toMatch(/ranks by conversations/);
});

test("toolsReport() shows the cost of each turn if the run has prices", () => {
  const calls = [{ name: "balance", arguments: { owner: "ada" } }];
  const used = { latencyMs: 100, inputTokens: 1_000, outputTokens: 100, output: null };
  const cached = { cachedTokens: 800, reasoningTokens: 50 };
  const turns = [[{ ...used, toolCalls: calls }], [{ ...used, ...cached, toolCalls: calls }]];
  const sums = { inputTokens: 2_000, outputTokens: 200, ...cached };
  const answered = [0, 1].map((i): [ToolsSample, Answer] => [
    bankSample({ id: `bank-${i}` }),
    { ...emptyAnswer, turns, ...sums },
  ]);
  const prices = { inputPerMillion: 2, outputPerMillion: 10 };
  const apart = { ...prices, cachedPerMillion: 0.5, reasoningPerMillion: 4 };
  const paid = scoredRun(tools, answered, defaultOptions, { prices: apart });
  const { rows, columns } = blockOf(tools.report(paid.summary, paid.run), "table", "By turn");
  expect(columns.at(-1)).toEqual({ id: "costUsd", label: "Mean cost", format: "usd" });
  const costs = rows.map(({ costUsd }) => costUsd);
  expect(costs).toEqual([expect.closeTo(0.003, 12), expect.closeTo(0.0015, 12), null]);
  // Both conversations have both turns.
  expect(paid.summary.metrics["costUsd"]?.value).toBeCloseTo(2 * (0.003 + 0.0015), 12);
  const free = scoredRun(tools, answered, defaultOptions);
  const without = blockOf(tools.report(free.summary, free.run), "table", "By turn").columns;
  expect(without.map(({ id }) => id)).not.toContain("costUsd");
});
