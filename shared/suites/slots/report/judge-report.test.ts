import { expect, test } from "vitest";
import type { Answer } from "../../../contracts/answer.ts";
import type { Json } from "../../../contracts/json.ts";
import type { ScoredSample } from "../../../contracts/suite.ts";
import { callOf } from "../../../measures/performance/call-totals.ts";
import { anAnswer, aRecord, aSample, judgmentsOf } from "../__fixtures__/build.ts";
import { defaultOptions, type SlotsOptions } from "../options.ts";
import type { SlotsDetail } from "../score/score.ts";
import { slots } from "../suite.ts";
import { breakdownSchema, type SlotsBreakdown } from "../sum/breakdown.ts";

const elsewhere = { points: null, timeline: null };
const expected = { basic_info: { name: "Ada", age: 36 } };
const both = '{"basic_info": {"name": "Ada", "age": 37}}';
const judging: SlotsOptions = { ...defaultOptions, judge: "judge-a" };
const failed = aRecord(null, { unjudged: { reason: "judge_failed", message: "429" } });

function scored(seq: number, answer: Answer, options = judging): ScoredSample<SlotsDetail> {
  const sample = aSample(expected, { id: `s${seq}`, user: `u${seq % 3}`, session: seq });
  const { id, tags } = slots.sampleHead(sample);
  const score = slots.score(sample, answer, options);
  return { seq, id, tags, call: callOf(answer), score };
}

const given = (name: Parameters<typeof judgmentsOf>[0][string], age: typeof name) =>
  anAnswer(both, { judgments: judgmentsOf({ "basic_info.name": name, "basic_info.age": age }) });
const cached = aRecord(0.5, { isCached: true, isSelfPreference: true, costUsd: 1 });
const paid = aRecord(0.5, { costUsd: 0.002, isSimulated: true });
const answers = [
  given(1, 0.5),
  given([cached], [paid]),
  given(1, [failed]),
  anAnswer("{}"),
  anAnswer(null, { error: { class: "timeout", message: "" } }),
  anAnswer('{"basic_info": {"name": "Ada"}}', { judgments: judgmentsOf({ "basic_info.name": 1 }) }),
];
const judged = answers.map((answer, seq) => scored(seq, answer));
const unjudged = answers.map(({ judgments: _, ...answer }, seq) =>
  scored(seq, answer, defaultOptions),
);

const stateOf = (pieces: readonly ScoredSample<SlotsDetail>[]) =>
  pieces.reduce(slots.aggregate.add, slots.aggregate.empty(defaultOptions));

function summaryOf(pieces: readonly ScoredSample<SlotsDetail>[], options = judging) {
  const run = { runId: "run-1", options, prices: null, wallMs: null };
  const summary = slots.aggregate.finish(stateOf(pieces), run);
  return { ...summary, tables: summary.breakdown as unknown as SlotsBreakdown };
}

const sectionOf = (summary: ReturnType<typeof summaryOf>) =>
  slots.report(summary, { ...elsewhere, options: judging }).find(({ id }) => id === "judge");

const judgingIds = slots.metrics.map(({ id }) => id).filter((id) => /judge/i.test(id));

test("the judge score is the mean over the expected slots of judged sessions", () => {
  const { metrics, tables } = summaryOf(judged);
  // 1 + 0.5, 0.5 + 0.5, –, 0 + 0, 0 + 0, 1 + 0, over ten slots; one of the five had no answer.
  expect(metrics["judgeScore"]).toMatchObject({ value: 0.35, n: 5, coverage: 4 / 6 });
  const [low, high] = metrics["judgeScore"]!.interval!;
  expect(0 <= low && low < 0.35 && 0.35 < high && high <= 1).toBe(true);
  expect(metrics["unjudgedRate"]).toMatchObject({ value: 1 / 7, n: 6, coverage: 1 });
  expect(tables.unjudged).toEqual([{ reason: "judge_failed", count: 1, share: 1 / 7 }]);
});

test("the cost of judging is separate; cached and simulated judgments cost nothing", () => {
  const { metrics, tables } = summaryOf(judged);
  const value = (id: string) => metrics[id]?.value;
  expect([value("judgeRequests"), value("judgeInputTokens"), value("judgeOutputTokens")]).toEqual([
    6, 600, 60,
  ]);
  expect(value("judgeCachedRate")).toBeCloseTo(1 / 7, 12);
  // One call without a price makes the sum unknown.
  expect(value("judgeCostUsd")).toBeNull();
  expect(summaryOf([judged[1]!]).metrics["judgeCostUsd"]?.value).toBe(0);
  expect([value("inputTokens"), value("costUsd")]).toEqual([null, null]);
  expect(tables.judges).toMatchObject([
    { metric: "slot_accuracy", judge: "judge-a", asked: 7, judged: 6, cached: 1, mean: 0.75 },
  ]);
});

test("judgments do not change any other figure, count or section", () => {
  const [with_, without] = [summaryOf(judged), summaryOf(unjudged, defaultOptions)];
  const isOther = ([id]: [string, unknown]) => !judgingIds.includes(id);
  expect(Object.entries(with_.metrics).filter(isOther)).toEqual(
    Object.entries(without.metrics).filter(isOther),
  );
  const { judges: _, panels: __, unjudged: ___, ...tables } = with_.tables;
  expect(without.tables).toEqual({ ...tables, judges: [], panels: [], unjudged: [] });
  const others = (summary: typeof with_) =>
    slots.report(summary, { ...elsewhere, options: judging }).filter(
      // Recommendations may be about the judges.
      ({ id }) => id !== "judge" && id !== "recommendations",
    );
  expect(others(with_)).toEqual(others(without));
});

test("a run without judgments has no judge score and no judge section", () => {
  for (const summary of [summaryOf(unjudged, defaultOptions), summaryOf([])]) {
    expect(judgingIds).toHaveLength(8);
    for (const id of judgingIds) {
      expect([id, summary.metrics[id]]).toEqual([
        id,
        { value: null, interval: null, n: 0, coverage: 0 },
      ]);
    }
    expect(sectionOf(summary)).toBeUndefined();
  }
});

test("the section lists the judges, warnings about them, and the unjudged slots", () => {
  const summary = summaryOf(judged);
  const section = sectionOf(summary);
  expect(JSON.parse(JSON.stringify(section))).toEqual(section);
  const titles = section?.blocks.map(({ title }) => title);
  expect(titles).toEqual([
    "Judge score",
    "Unjudged slots",
    "Simulated judges",
    "Self-preference",
    "Judges by metric",
    "Calls, tokens and cost",
  ]);
  const text = JSON.stringify(section);
  expect(text).toContain("14.3% of the expected slots that were stored have no judgment");
  expect(text).toContain("Calls to the judge failed (1)");
  expect(text).toContain("judge-a comes from the same maker as the model");
});

test("the section also appears if all judges failed or nothing was stored", () => {
  const none = summaryOf([scored(0, given([failed], [failed]))]);
  expect(none.metrics["judgeScore"]).toMatchObject({ value: null, n: 0, coverage: 0 });
  expect(JSON.stringify(sectionOf(none))).toContain("100.0% of the expected slots");
  const nobody = summaryOf([scored(0, anAnswer(both))]);
  expect(JSON.stringify(sectionOf(nobody))).toContain("No judgment was given (2)");
  const missed = summaryOf([scored(0, anAnswer("{}"))]);
  expect(missed.metrics["judgeScore"]).toMatchObject({ value: 0, n: 1, coverage: 1 });
  expect(sectionOf(missed)?.blocks[0]?.title).toBe("Judge score");
});

test("the section has no table of calls and cost for judgments made elsewhere", () => {
  const free = aRecord(1, { requests: 0, inputTokens: 0, outputTokens: 0 });
  const summary = summaryOf([scored(0, given([free], [free]))]);
  expect(summary.metrics["judgeScore"]?.value).toBe(1);
  expect(sectionOf(summary)?.blocks.map(({ title }) => title)).toEqual([
    "Judge score",
    "Judges by metric",
  ]);
});

test("a panel's agreement is computed over slots", () => {
  const panel = (a: number, b: number) => [aRecord(a), aRecord(b, { judge: "judge-b" })];
  const agreed = [given(panel(1, 1), panel(0.25, 0.25)), given(panel(0, 0), panel(0.5, 0.5))];
  const summary = summaryOf(agreed.map((answer, seq) => scored(seq, answer)));
  expect(summary.tables.panels).toMatchObject([
    { metric: "slot_accuracy", answers: 4, ratings: 8, alpha: { value: 1 } },
  ]);
  const table = sectionOf(summary)?.blocks.find(({ title }) => title === "Agreement of the panel");
  expect(table).toMatchObject({
    columns: expect.arrayContaining([{ id: "answers", label: "Slots", format: "count" }]),
    rows: [{ metric: "Slot accuracy", alpha: 1, answers: 4, ratings: 8 }],
  });
  const torn = summaryOf([scored(0, given(panel(1, 0), panel(0, 1)))]);
  expect(torn.tables.panels[0]?.alpha.value).toBeLessThan(0);
});

test("the shares of all samples add up to the judge score in the summary", () => {
  const shares = judged.flatMap(({ score }) => {
    const share = slots.sampleValues(score)["judgeScore"] ?? null;
    return share === null || typeof share === "number" ? [] : [share];
  });
  const total = (side: "of" | "over") => shares.reduce((sum, share) => sum + share[side], 0);
  expect(shares).toHaveLength(5);
  const { value } = summaryOf(judged).metrics["judgeScore"]!;
  expect(total("of") / total("over")).toBeCloseTo(value!, 12);
});

test("a breakdown stored before judges existed can still be reported", () => {
  const { metrics, tables } = summaryOf(unjudged, defaultOptions);
  const { judges: _, panels: __, unjudged: ___, ...old } = tables;
  const breakdown = old as unknown as Json;
  expect(breakdownSchema.parse(breakdown)).toEqual(tables);
  const ids = slots
    .report({ metrics, breakdown }, { ...elsewhere, options: defaultOptions })
    .map(({ id }) => id);
  expect(ids).toEqual([
    "summary",
    "values",
    "topics",
    "users",
    "outputs",
    "performance",
    "recommendations",
  ]);
});
