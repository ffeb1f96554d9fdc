import { expect, test } from "vitest";
import { emptyAnswer } from "../../../contracts/answer.ts";
import type { ScoredSample } from "../../../contracts/suite.ts";
import { callOf } from "../../../measures/performance/call-totals.ts";
import { slotsMetrics } from "../metrics.ts";
import { defaultOptions } from "../options.ts";
import { type SlotsSample, sampleHead } from "../sample.ts";
import { type SlotsDetail, scoreSlots } from "../score/score.ts";
import type { SlotsBreakdown } from "./breakdown.ts";
import { addScored, noState } from "./state.ts";
import { summarize } from "./summarize.ts";

const sample = (user: string, session: number, expected: SlotsSample["expected"]): SlotsSample => ({
  id: `${user}-${session}`,
  user,
  session,
  expected,
  tags: {},
  turns: [{ role: "user", content: "hello" }],
  topics: { basic_info: ["name", "age"], interests: ["hobby"] },
});

const sessions = ["ana", "ben", "cleo"].flatMap((user) =>
  [1, 2].map((session) =>
    sample(user, session, { basic_info: { name: user, age: 30 }, interests: { hobby: ["chess"] } }),
  ),
);

/** Stores everything, then everything but the hobby, then a wrong name, and so on. */
const outputs = [
  { basic_info: { name: "ana", age: 30 }, interests: { hobby: "chess" } },
  { basic_info: { name: "ana", age: 30 } },
  { basic_info: { name: "bob", age: 30 }, interests: { hobby: "chess" } },
  { basic_info: { name: "ben" }, secrets: { pin: "1234" } },
  null,
  {},
];

const scored = sessions.map((one, seq): ScoredSample<SlotsDetail> => {
  const output = outputs[seq];
  const answer =
    output === null
      ? { ...emptyAnswer, error: { class: "timeout" as const, message: "late" } }
      : { ...emptyAnswer, output: JSON.stringify(output), latencyMs: 100 * (seq + 1) };
  const call = callOf(answer);
  const { id, tags } = sampleHead(one);
  return { seq, id, tags, call, score: scoreSlots(one, answer, defaultOptions) };
});

const run = { runId: "run-1", options: defaultOptions, prices: null, wallMs: 1_000 };
const summaryOf = (pieces: readonly ScoredSample<SlotsDetail>[]) =>
  summarize(pieces.reduce(addScored, noState()), run);

test("summarize() computes the micro and macro figures that were counted by hand", () => {
  const { metrics } = summaryOf(scored);
  // 18 expected slots: 3 + 2 + 3 + 1 are stored, and one extra slot.
  expect(metrics["recall"]?.value).toBeCloseTo(9 / 18, 12);
  expect(metrics["precision"]?.value).toBeCloseTo(9 / 10, 12);
  expect(metrics["f1"]?.value).toBeCloseTo(18 / 28, 12);
  expect(metrics["exactMatchCoverage"]?.value).toBeCloseTo(8 / 18, 12);
  expect(metrics["extraSlots"]?.value).toBe(1);
  const f1s = [1, 0.8, 1, (2 * (1 / 2) * (1 / 3)) / (1 / 2 + 1 / 3), 0, 0];
  expect(metrics["f1Macro"]?.value).toBeCloseTo(f1s.reduce((a, b) => a + b) / 6, 12);
  expect(metrics["f1"]).toMatchObject({ n: 6, coverage: 5 / 6 });
  expect(metrics["latencyTotal"]).toMatchObject({ value: 1_600, n: 5 });
  // Sorted 100, 200, 300, 400, 600: element max(int(0.95 · 5) − 1, 0) = 3.
  expect(metrics["p95Source"]?.value).toBe(400);
});

test("summarize() returns every metric of the catalogue, null without answers", () => {
  for (const { metrics } of [summaryOf(scored), summaryOf([])]) {
    expect(Object.keys(metrics)).toEqual(slotsMetrics.map(({ id }) => id));
  }
  expect(summaryOf([]).metrics["f1"]?.value).toBeNull();
});

test("summarize() resamples users and counts them as units", () => {
  const { units } = summaryOf(scored).breakdown as SlotsBreakdown;
  expect(units).toEqual({ kind: "clusters", count: 3 });
});

test("summarize() lists topics by F1, easiest first, and figures by user and session", () => {
  const { topics, users, sessions: numbered } = summaryOf(scored).breakdown as SlotsBreakdown;
  expect(topics.map(({ name, figures }) => [name, figures["recall"]?.value])).toEqual([
    ["basic_info", expect.closeTo(7 / 12, 12)],
    ["interests", expect.closeTo(2 / 6, 12)],
    ["secrets", 0],
  ]);
  expect(topics[2]?.figures["extraSlots"]?.value).toBe(1);
  expect(users.map(({ name, n }) => [name, n])).toEqual([
    ["ana", 2],
    ["ben", 2],
    ["cleo", 2],
  ]);
  expect(numbered.map(({ name, n }) => [name, n])).toEqual([
    ["1", 3],
    ["2", 3],
  ]);
});

test.each([
  ["rows", 1],
  ["blocks", 1_112],
])(
  "summarize() counts the slots of a topic once in a run kept as %s, whatever the number of repeats",
  (_, copies) => {
    const all = Array.from({ length: copies }, (__, copy) =>
      scored.map((one) => ({ ...one, id: `${one.id} ${copy}` })),
    ).flat();
    const asked = [0, 1, 2].flatMap(() => all).map((one, seq) => ({ ...one, seq }));
    const options = { ...defaultOptions, repeats: 3 };
    const { metrics, breakdown } = summarize(asked.reduce(addScored, noState()), {
      ...run,
      options,
    });
    const counts = (id: string) =>
      (breakdown as SlotsBreakdown).topics.map(({ figures }) => figures[id]?.value);
    expect(counts("extraSlots")).toEqual([0, 0, copies]);
    expect(counts("expectedSlots")).toEqual([12 * copies, 6 * copies, 0]);
    expect(metrics["extraSlots"]?.value).toBe(copies);
  },
);
