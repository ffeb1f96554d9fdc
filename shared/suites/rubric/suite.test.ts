import { expect, test } from "vitest";
import type { Answer } from "../../contracts/answer.ts";
import { suiteFor } from "../../contracts/boards/ranking.ts";
import { scoringVersionOf } from "../../contracts/judging/scoring-version.ts";
import { anAnswer, aSample, criteria, graded, optionsWith, scored } from "./__fixtures__/build.ts";
import { judgeTasks, next } from "./ask.ts";
import { checkSample } from "./sample.ts";
import { scoreRubric } from "./score/score.ts";
import { rubric as suite } from "./suite.ts";
import type { RubricBreakdown } from "./sum/breakdown.ts";

const options = optionsWith();
const scoreOf = (answer: Answer, own = options) => scoreRubric(aSample(), answer, own);

test.each<[string, Record<string, number>, number]>([
  ["the best grades", { accurate: 4, kind: 5, errors: 0 }, 1],
  ["the worst grades", { accurate: 0, kind: 1, errors: 4 }, 0],
  ["grades between", { accurate: 1, kind: 3, errors: 1 }, (2 * 0.25 + 0.5 + 0.75) / 4],
])("an answer with %s scores the weighted mean of its values", (_, grades, wanted) => {
  expect(scoreOf(anAnswer(graded(grades)))).toMatchObject({ status: "scored", covered: true });
  expect(scoreOf(anAnswer(graded(grades))).score).toBeCloseTo(wanted, 12);
});

test("an answer is unscored if a criterion is unjudged, unless its weight is 0", () => {
  const answer = anAnswer(graded({ accurate: 4, errors: 0 }));
  const score = scoreOf(answer);
  expect(score).toMatchObject({ status: "unscored", score: null });
  expect(score.detail.metrics["kind"]).toMatchObject({ value: null, unjudged: "not_given" });
  expect(suite.sampleValues(score)).toEqual({
    rubricScore: null,
    accurate: 1,
    kind: null,
    errors: 1,
  });
  expect(suite.sampleValues(score, optionsWith({ passScore: 1 }))["passRate"]).toBeNull();
  const light = criteria.map((one) => (one.id === "kind" ? { ...one, weight: 0 } : one));
  expect(scoreOf(answer, optionsWith({}, { criteria: light })).score).toBe(1);
  expect(
    scoreOf(anAnswer({ ...graded({ accurate: 4, errors: 0 }), kind: { score: 9 } })).score,
  ).toBe(null);
});

test.each([
  [1, 0],
  [0.4375, 1],
])("sampleValues() with passScore %d has passRate %d", (passScore, passed) => {
  const score = scoreOf(anAnswer(graded({ accurate: 1, kind: 3, errors: 1 })));
  expect(score.score).toBeCloseTo(0.4375, 12);
  expect(suite.sampleValues(score, optionsWith({ passScore }))["passRate"]).toBe(passed);
  expect(suite.sampleValues(score)).not.toHaveProperty("passRate");
});

test("an empty answer scores 0, and a failed request is not covered", () => {
  const empty = scoreOf(anAnswer({}, { output: " \n" }));
  expect(empty).toMatchObject({ status: "scored", score: 0, covered: true });
  expect(empty.detail.criteria.map(({ grade }) => grade)).toEqual([0, 1, 4]);
  const failed = scoreOf(anAnswer({}, { output: null, error: { class: "timeout", message: "" } }));
  expect(failed).toMatchObject({ status: "scored", score: 0, covered: false });
  expect(failed.detail.metrics["kind"]?.unjudged).toBe("no_answer");
});

test("a skipped criterion is not asked and does not affect score or coverage", () => {
  const sample = aSample({ skip: ["kind", "of another rubric"] });
  const answer = anAnswer(graded({ accurate: 4, kind: 1, errors: 0 }));
  expect(judgeTasks(sample, answer, options).map(({ name }) => name)).toEqual([
    "accurate",
    "errors",
  ]);
  expect(scoreRubric(sample, answer, options)).toMatchObject({ status: "scored", score: 1 });
  let state = suite.aggregate.empty(options);
  for (const [seq, skip] of [["kind"], ["kind"], []].entries()) {
    const of = anAnswer(graded({ accurate: 4, ...(seq === 2 && { kind: 3 }), errors: 0 }));
    state = suite.aggregate.add(state, scored(seq, of, options, { skip }));
  }
  const run = { runId: "r", options, prices: null, wallMs: null };
  const { metrics } = suite.aggregate.finish(state, run);
  expect(metrics["kind"]).toMatchObject({ value: 0.5, n: 1, coverage: 1 });
  expect(metrics["unjudgedRate"]?.value).toBe(0);
  expect(metrics["rubricScore"]).toMatchObject({ n: 3, coverage: 1 });
});

test("a sample's value is the mean over its judged repeats", () => {
  const best = anAnswer(graded({ accurate: 4, kind: 5, errors: 0 }));
  const worst = anAnswer(graded({ accurate: 0, kind: 1, errors: 4 }));
  const own = optionsWith({ repeats: 2 });
  const state = [best, anAnswer({}), worst, worst].reduce((sum, answer, seq) => {
    const one = scored(seq, answer, own);
    return suite.aggregate.add(sum, { ...one, id: seq < 2 ? "a" : "b" });
  }, suite.aggregate.empty(own));
  const run = { runId: "r", options: own, prices: null, wallMs: null };
  const { metrics } = suite.aggregate.finish(state, run);
  expect(metrics["rubricScore"]).toMatchObject({ value: 0.5, n: 2, coverage: 0.75 });
  expect(metrics["kind"]).toMatchObject({ value: 0.5, n: 2, coverage: 0.75 });
});

test("next() inserts the query into the template, and judges see only the query", () => {
  const sample = aSample({ query: "What is {query} and $&?", context: "A tap." });
  const own = optionsWith({ userPrompt: "Q: {query}!", systemPrompt: "Be kind." });
  const step = next({ samples: [sample], options: own, repeat: 0 }, []);
  expect(step).toMatchObject({
    request: {
      messages: [
        { role: "system", content: "Be kind." },
        { role: "user", content: "A tap.\n\nQ: What is {query} and $&?!" },
      ],
    },
  });
  expect(judgeTasks(sample, anAnswer({}), own)[0]?.material).toMatchObject({ query: sample.query });
  expect(suite.prompt(own)).toEqual({ system: "Be kind.", user: "Q: {query}!" });
  // Hashes of prompts without a template stay as they are.
  expect(suite.prompt(options)).toEqual({ system: null });
  expect(() => optionsWith({ userPrompt: "No place for it" })).toThrow("must contain {query}");
});

test("people's grades become values if they are for this answer and on the scale", () => {
  const answer = anAnswer(graded({ accurate: 4, kind: 5, errors: 0 }));
  const human = { accurate: [1, 1], errors: 4, kind: 9, other: 3 };
  const humanOf = (grades: object) =>
    scoreRubric(aSample({ human: grades }), answer, options).detail.human;
  expect(humanOf({ ...human, answer: answer.output })).toEqual({ accurate: 0.25, errors: 0 });
  expect(humanOf({ ...human, answer: "Another." })).toEqual({});
});

test.each<[string, Record<string, unknown>, string]>([
  ["an unknown field", { refrence: "x" }, 'unknown field "refrence"'],
  ["no query", { query: "" }, "query must be a non-empty string"],
  ["a context of numbers", { context: 5 }, "context must be a string"],
  ["a turn without a role", { history: [{ content: "Hi" }] }, "history must be a list"],
  ["a skip field that is not a list", { skip: "kind" }, "skip must be a list of at most 20"],
  ["a grade in words", { human: { kind: "very" } }, "human.kind must be a number"],
  [
    "a text that is too long",
    { reference: "x".repeat(200_001) },
    "reference has 200001 characters",
  ],
])("checkSample() refuses a row with %s", (_, more, error) => {
  const checked = checkSample({ id: "a", query: "Why?", ...more });
  expect(checked).toEqual({ ok: false, error: expect.stringContaining(error) });
});

test("passRate does not count unjudged answers", () => {
  const passing = optionsWith({ passScore: 1 });
  let state = suite.aggregate.empty(passing);
  for (const [seq, answer] of [
    anAnswer(graded({ accurate: 4, kind: 5, errors: 0 })),
    anAnswer({}),
    anAnswer({}, { output: null, error: { class: "timeout", message: "" } }),
  ].entries()) {
    state = suite.aggregate.add(state, scored(seq, answer, passing));
  }
  const run = { runId: "r", options: passing, prices: null, wallMs: null };
  const { metrics } = suite.aggregate.finish(state, run);
  expect(metrics["passRate"]).toMatchObject({ value: 0.5, n: 2, coverage: 2 / 3 });
});

test("the summary has the values and grades of each criterion on its own scale", () => {
  const answers = [
    anAnswer(graded({ accurate: 4, kind: 5, errors: 0 })),
    anAnswer(graded({ accurate: 1, kind: 3, errors: 2 }, "nowhere said")),
    anAnswer(graded({ accurate: 4, errors: 4 })),
    anAnswer({}, { output: null, error: { class: "timeout", message: "" } }),
  ];
  let state = suite.aggregate.empty(options);
  for (const [seq, answer] of answers.entries()) {
    state = suite.aggregate.add(state, scored(seq, answer, options, { tags: { topic: "tap" } }));
  }
  const run = { runId: "r", options, prices: null, wallMs: null };
  const { metrics, breakdown } = suite.aggregate.finish(JSON.parse(JSON.stringify(state)), run);
  expect(Object.keys(metrics)).toEqual(suiteFor(suite, options).metrics.map(({ id }) => id));
  expect(metrics["accurate"]).toMatchObject({ value: (1 + 0.25 + 1) / 3, n: 3, coverage: 0.75 });
  expect(metrics["kind"]).toMatchObject({ value: 0.75, n: 2, coverage: 0.5 });
  // The third answer is unscored; the fourth scores 0 and is not covered.
  expect(metrics["rubricScore"]).toMatchObject({ n: 3, coverage: 0.5 });
  expect(metrics["rubricScore"]?.value).toBeCloseTo((1 + (0.5 + 0.5 + 0.5) / 4 + 0) / 3);
  expect(metrics["unjudgedRate"]?.value).toBeCloseTo(4 / 12);
  expect(metrics["unsupportedEvidence"]?.value).toBe(3);
  const { criteria: rows, unscored, unjudged } = breakdown as RubricBreakdown;
  expect(unscored).toBe(1);
  expect(rows.map(({ metric, label, share, mean }) => [metric, label, share, mean])).toEqual([
    ["accurate", "Accurate", 0.5, 3],
    ["kind", "Kindness", 0.25, 4],
    ["errors", "Errors", 0.25, 2],
  ]);
  expect(rows[0]?.levels).toEqual([
    { grade: 0, count: 0 },
    { grade: 1, count: 1 },
    { grade: 4, count: 2 },
  ]);
  expect(rows[2]?.levels.map(({ grade }) => grade)).toEqual([4, 3, 2, 1, 0]);
  expect(rows[2]?.interval?.[0]).toBeLessThan(rows[2]!.interval![1]);
  expect(unjudged).toContainEqual({ metric: "kind", reason: "not_given", count: 1, share: 0.25 });
  const report = suite.report(
    { metrics, breakdown },
    { options, headline: "rubricScore", points: null, timeline: null },
  );
  const text = JSON.stringify(report);
  for (const part of [
    "Kindness",
    "Answers by grade, of 0, 1, 4",
    "Mean grade",
    "Unscored answers",
  ]) {
    expect(text).toContain(part);
  }
});

test("the report warns if the score is based only on empty answers", () => {
  const unscoredText = (...answers: Answer[]) => {
    let state = suite.aggregate.empty(options);
    for (const [seq, answer] of answers.entries()) {
      state = suite.aggregate.add(state, scored(seq, answer, options));
    }
    const run = { runId: "r", options, prices: null, wallMs: null };
    const summary = suite.aggregate.finish(state, run);
    const shown = { options, headline: "rubricScore", points: null, timeline: null };
    const blocks = suite.report(summary, shown).flatMap((section) => section.blocks);
    const note = blocks.find(({ title }) => title === "Unscored answers");
    return note?.kind === "note" ? note.text : "";
  };
  const [empty, unjudged] = [anAnswer({}, { output: "" }), anAnswer({})];
  const judged = anAnswer(graded({ accurate: 0, kind: 1, errors: 4 }));
  expect(unscoredText(empty, unjudged)).toMatch(
    /^No answer was judged: the score counts only empty answers .* 1 of 2 answers have no score/,
  );
  expect(unscoredText(empty, unjudged, judged)).toMatch(/^1 of 3 answers have no score/);
});

const versionOf = (given: Record<string, unknown>, rubric = {}) =>
  scoringVersionOf(suite, optionsWith(given, rubric));
const changed = (more: object) => [{ ...criteria[0], ...more }, ...criteria.slice(1)];

test.each<[string, object]>([
  ["weight", { weight: 3 }],
  ["question", { question: "Is it true?" }],
  [
    "level",
    {
      levels: [
        { score: 0, means: "No." },
        { score: 4, means: "Yes." },
      ],
    },
  ],
  ["example", { examples: [] }],
  ["direction", { better: "lower" }],
])("the scoring version changes with a criterion's %s", (_, more) => {
  expect(versionOf({}, { criteria: changed(more) })).not.toBe(versionOf({}));
});

test("the scoring version ignores key order and explicit defaults", () => {
  const reversed = criteria.map((one) => Object.fromEntries(Object.entries(one).reverse()));
  expect(versionOf({}, { criteria: reversed })).toBe(versionOf({}));
  const written = criteria.map((one) => ({ better: "higher", weight: 1, ...one }));
  expect(versionOf({}, { criteria: written })).toBe(versionOf({}));
  expect(versionOf({ temperature: 1 })).toBe(versionOf({}));
});

test("withOptions() returns the judges and metrics of the run's rubric", () => {
  const own = suiteFor(suite, { rubric: options.rubric });
  expect(own.judging?.judges.map(({ id }) => id)).toEqual(["accurate", "kind", "errors"]);
  expect(own.judging?.needed).toEqual(["accurate", "kind", "errors"]);
  expect(own.boardMetrics.slice(0, 3)).toEqual(["accurate", "kind", "errors"]);
  expect(suiteFor(suite, {}).metrics).toEqual(suite.metrics);
});

test("showSample() shows judgments with grades, and marks judges' quotations", () => {
  const answer = anAnswer(graded({ accurate: 1, kind: 3 }));
  const sample = aSample({ context: "A tap.", reference: "Replace the washer." });
  const score = scoreRubric(sample, answer, options);
  const blocks = suite.showSample({ sample, answer, score });
  expect(blocks.map(({ title }) => title)).toEqual([
    "Context",
    "Query",
    "Reference",
    "Answer",
    "Judgments",
  ]);
  const [, , , text, table] = blocks;
  expect(text?.kind === "text" && text.marks.map(({ label }) => label)).toEqual(["Accurate"]);
  expect(table?.kind === "table" && table.rows.map(({ grade, said: why }) => [grade, why])).toEqual(
    [
      ["1 (best: 4)", "accurate: 1"],
      ["3 (best: 5)", "kind: 3"],
      [null, "No judgment was given"],
    ],
  );
  const rows = suite.fieldTable.rows({ sample, answer, score });
  expect(rows.map(({ criterion, grade, score: value }) => [criterion, grade, value])).toEqual([
    ["accurate", 1, 0.25],
    ["kind", 3, 0.5],
    ["errors", null, null],
  ]);
});
