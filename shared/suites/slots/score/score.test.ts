import fc from "fast-check";
import { expect, test } from "vitest";
import type { Share } from "../../../contracts/runs/run-scores.ts";
import { anAnswer, aSample } from "../__fixtures__/build.ts";
import { defaultOptions } from "../options.ts";
import { sampleValues, scoreSlots } from "./score.ts";
import { noSlots } from "./slot-counts.ts";

const sample = aSample({ basic_info: { name: "Ada", age: 36 }, interests: { food: ["tea"] } });
const scored = (output: string, options = defaultOptions) =>
  scoreSlots(sample, anAnswer(output), options);

test("scoreSlots() counts slots in total and by topic", () => {
  const { score, covered, detail } = scored(
    '{"basic_info": {"name": "ADA", "age": "37"}, "pets": {"dog": ["Rex", "Bo"]}}',
  );
  expect([score, covered]).toEqual([2 / 3, true]);
  expect(detail).toMatchObject({
    status: "answered",
    parse: "clean",
    truncated: false,
    hiddenSlots: 0,
    tp: 2,
    fp: 1,
    fn: 1,
    exact: 1,
    extraSlots: 1,
    extraValues: 2,
    bleuSum: 1,
    topics: [
      { topic: "basic_info", listed: true, tp: 2, fp: 0, fn: 0, exact: 1 },
      { topic: "interests", listed: true, tp: 0, fp: 0, fn: 1 },
      { topic: "pets", listed: false, tp: 0, fp: 1, fn: 0, extraValues: 2 },
    ],
    fields: [
      { topic: "basic_info", field: "name", outcome: "exact", expected: ["Ada"] },
      { field: "age", outcome: "other", expected: ["36"], predicted: ["37"] },
      { field: "food", outcome: "missed", predicted: [] },
      { topic: "pets", field: "dog", outcome: "extra", expected: [], predicted: ["Rex", "Bo"] },
    ],
  });
});

test("scoreSlots() reproduces the numbers of the example in methodology.md", () => {
  const example = aSample({
    basic_info: { location: "Bristol", occupation: "clinical trials manager" },
    interests: { hobbies: ["singing", "chess"] },
    mental_state: { mood: "content" },
  });
  const stored = {
    basic_info: { location: "Bristol", occupation: "trials manager" },
    interests: { hobbies: ["Chess", "Singing!"], food: ["oysters", "ramen"] },
  };
  const { detail } = scoreSlots(example, anAnswer(JSON.stringify(stored)), defaultOptions);
  expect(detail).toMatchObject({
    precision: 0.75,
    recall: 0.75,
    f1: 0.75,
    valueF1: 0.5,
    exactMatchCoverage: 0.5,
    tokenPrecision: 1,
    tokenRecall: 5 / 7,
    extraSlots: 1,
    extraValues: 2,
    tokenF1: expect.closeTo(0.8333, 4),
    bleu1: expect.closeTo(0.6516, 4),
  });
});

test("scoreSlots() reads lines in the format lines only", () => {
  const lines = "basic_info::name::Ada\nbasic_info::age::36\ninterests::food::tea";
  expect(scored(lines, { ...defaultOptions, format: "lines" }).score).toBe(1);
  expect(scored(lines).score).toBe(0);
});

test("scoreSlots() counts all slots of a failed request as missed and not covered", () => {
  const error = { class: "timeout", message: "no answer" } as const;
  const { detail, ...score } = scoreSlots(sample, anAnswer(null, { error }), defaultOptions);
  expect(score).toEqual({ status: "scored", score: 0, covered: false });
  expect(detail).toMatchObject({ status: "error", tp: 0, fp: 0, fn: 3, expectedTokens: 3 });
});

test("scoreSlots() is 0 if nothing is expected, and counts stored slots as extra", () => {
  const nothing = aSample({});
  expect(scoreSlots(nothing, anAnswer("{}"), defaultOptions)).toMatchObject({
    status: "scored",
    score: 0,
    detail: { ...noSlots(), topics: [], fields: [] },
  });
  expect(scoreSlots(nothing, anAnswer('{"a": {"b": 1}}'), defaultOptions).detail.fp).toBe(1);
});

test("sampleValues() returns shares that sum to the micro figures", () => {
  const values = sampleValues(scored('{"basic_info": {"name": "Ada", "age": "37 B", "x": "y"}}'));
  expect(Object.keys(values)[0]).toBe("f1");
  expect(values).toEqual({
    f1: { of: 4, over: 6 },
    precision: { of: 2, over: 3 },
    recall: { of: 2, over: 3 },
    valueF1: { of: 2, over: 6 },
    exactMatchCoverage: { of: 1, over: 3 },
    tokenF1: { of: 2, over: 6 },
    bleu1: { of: 1, over: 3 },
    f1Macro: 2 / 3,
    judgeScore: null,
  });
});

test("sampleValues() are 0 for sessions that store nothing; a session that expects nothing does not change sums", () => {
  const [none, nothing] = [sample, aSample({})].map((one) =>
    sampleValues(scoreSlots(one, anAnswer("{}"), defaultOptions)),
  );
  for (const metric of ["f1", "precision", "recall", "valueF1", "tokenF1", "bleu1"] as const) {
    const [one, other] = [none![metric] as Share, nothing![metric] as Share];
    expect(other.of / other.over).toBe(0);
    expect((one.of + other.of) / (one.over + other.over)).toBe(0);
    expect(3 + other.over / 2).toBe(3);
  }
});

test("sampleValues() are null for an unscored answer", () => {
  const lost = { status: "unscored", score: null, covered: false, detail: null } as const;
  const values = sampleValues(lost as unknown as Parameters<typeof sampleValues>[0]);
  expect(new Set(Object.values(values))).toEqual(new Set([null]));
});

const slots = (count: number, topics: number) =>
  JSON.stringify(
    Object.fromEntries(
      Array.from({ length: topics }, (_, i) => [
        `topic-${i}`,
        Object.fromEntries(Array.from({ length: count / topics }, (_, j) => [`f${j}`, "x"])),
      ]),
    ),
  );

test.each([
  ["40,000 slots in one topic", slots(40_000, 1), 40_000],
  ["40,000 topics", slots(40_000, 40_000), 40_000],
  ["40,000 values", JSON.stringify({ a: { b: Array(40_000).fill("x") } }), 1],
  ["a value of 5 MB", JSON.stringify({ a: { b: "😀".repeat(2_500_000) } }), 1],
  ["a topic of 1 MB", JSON.stringify({ ["😀".repeat(500_000)]: { b: "x" } }), 1],
])("scoreSlots() counts all of %s but keeps a small detail", (_, output, extraSlots) => {
  const { detail } = scored(output);
  expect(detail.extraSlots).toBe(extraSlots);
  expect(detail.topics.reduce((sum, { fp }) => sum + fp, 0)).toBe(extraSlots);
  expect(detail.topics.length).toBeLessThanOrEqual(23);
  expect(detail.fields.length + detail.hiddenSlots).toBe(extraSlots + 3);
  expect(JSON.stringify(detail).length).toBeLessThan(50_000);
  expect(JSON.stringify(detail)).not.toMatch(/\\ud[89a-f]/);
});

test("scoreSlots() counts all of 100,000 words in one slot", () => {
  const words = Array.from({ length: 100_000 }, (_, i) => `w${i % 1000}`).join(" ");
  const { detail } = scored(JSON.stringify({ interests: { food: `tea ${words}` } }));
  expect(detail).toMatchObject({ tp: 1, predictedTokens: 100_001, sharedTokens: 1 });
  expect(detail.bleuSum).toBeCloseTo(1 / 100_001, 12);
});

test.each([
  "",
  "{}",
  "[]",
  "null",
  "{",
  "5",
  '"a"',
  "\ud800",
  "[".repeat(20_000),
  "::".repeat(1e6),
  "a::b::(".repeat(1e5),
  "a::b::c\n".repeat(1e5),
  '{"a":'.repeat(20_000),
  "x ".repeat(1e5),
  '{"__proto__": {"__proto__": 1}}',
  '{"a": {"b": 1e999}}',
  '{"basic_info": []}',
])("scoreSlots() scores invalid output %# within 0 and 1 in either format", (output) => {
  for (const format of ["json", "lines"] as const) {
    const { status, score } = scored(output, { ...defaultOptions, format });
    expect(status).toBe("scored");
    expect(score).toBeGreaterThanOrEqual(0);
    expect(score).toBeLessThanOrEqual(1);
  }
});

test("scoreSlots() returns a JSON-serializable detail for any JSON", () => {
  fc.assert(
    fc.property(fc.json(), (output) => {
      const { score, detail } = scored(output);
      expect(JSON.parse(JSON.stringify(detail))).toEqual(detail);
      expect(score).toBe(detail.f1);
    }),
  );
});
