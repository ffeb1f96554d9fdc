import { expect, test } from "vitest";
import { anAnswer, aSample, detailOf } from "../__fixtures__/build.ts";
import { qualityMetricIds, qualityMetrics } from "../metrics.ts";
import { defaultOptions } from "../options.ts";
import { languageOf, lengthFit, sampleValues, scoreQuality } from "./score.ts";

const timeout = { class: "timeout", message: "no answer" } as const;
const zeros = Object.fromEntries(qualityMetricIds.map((id) => [id, 0]));

test.each([
  ["empty", anAnswer(null), true],
  ["empty", anAnswer(" \n"), true],
  ["empty", anAnswer("… 😀 \ud800"), true],
  ["refused", anAnswer("I can't.", { refusal: "I can't." }), true],
  ["error", anAnswer(null, { error: timeout }), false],
  ["error", anAnswer("Cats purr", { error: timeout }), false],
] as const)(
  "scoreQuality() returns 0 for all metrics if the status is %s",
  (status, answer, covered) => {
    for (const prompt of ["", "Hm?", "Explain cats."]) {
      const score = scoreQuality(aSample(prompt), answer, defaultOptions);
      expect(score).toMatchObject({ status: "scored", score: 0, covered, detail: { status } });
      expect(sampleValues(score)).toEqual(zeros);
    }
  },
);

test("scoreQuality() ignores thoughts within a response", () => {
  const prompt = "Explain why cats purr.";
  const text = "Cats purr when they are content. However, some purr when they are ill.";
  const thought = `${text} <think>Is it so? Dogs bark, and birds sing.</think>`;
  const [plain, read] = [text, thought].map((one) =>
    sampleValues(scoreQuality(aSample(prompt), anAnswer(one), defaultOptions)),
  );
  expect(read).toEqual(plain);
});

// Examples of the specification.
test("scoreQuality() gives coherent sentences a clearly higher coherence than a list of facts", () => {
  const coherent = "The weather is nice. However, it might rain. Therefore, bring an umbrella.";
  const listed = "Cats are animals. Pizza is food. Cars are vehicles.";
  const [high, low] = [coherent, listed].map((text) => detailOf("", text).coherence.score);
  expect(Math.abs(high! - 0.8)).toBeLessThanOrEqual(0.2);
  expect(Math.abs(low! - 0.3)).toBeLessThanOrEqual(0.2);
  expect(high! - low!).toBeGreaterThan(0.4);
});

test.each([
  [
    "Machine learning is a subset of artificial intelligence that enables computers to learn from data.",
    0.9,
  ],
  ["The weather is nice today.", 0.1],
] as const)(
  "scoreQuality() gives %j, as an explanation of machine learning, a completeness of about %f",
  (text, about) => {
    const { score } = detailOf("Explain machine learning.", text).completeness;
    expect(Math.abs(score - about)).toBeLessThanOrEqual(0.1);
  },
);

test("scoreQuality() rates 8 words as nearly ideal for a prompt of 3 words", () => {
  const text = "AI is artificial intelligence that simulates human thinking.";
  expect(detailOf("What is AI?", text).length).toEqual({
    score: 1 - Math.log(8 / 7.5),
    promptWords: 3,
    responseWords: 8,
    idealWords: 7.5,
  });
});

test("scoreQuality() can reach 1", () => {
  const prompt = "Photosynthesis converts sunlight chemically";
  const text =
    "Photosynthesis consequently converts sunlight chemically, ultimately nourishing vegetation, sustaining ecosystems";
  const { overall, ...detail } = detailOf(prompt, text);
  expect(overall).toBe(1);
  expect(detail).toMatchObject({ status: "answered", truncated: false, language: "supported" });
});

test("scoreQuality() uses the weights and length ratio of the options", () => {
  const none = { coherence: 0, completeness: 0, length: 0, structure: 0, vocabulary: 0 };
  const weights = { ...none, length: 1 };
  expect(detailOf("One two", "One two", { weights, lengthRatio: 1 }).overall).toBe(1);
  expect(detailOf("One two", "Cats", { weights: { ...none, vocabulary: 1 } }).overall).toBe(2 / 3);
});

test("scoreQuality() flags truncated and non-Latin responses, and keeps people's ratings", () => {
  const sample = aSample("机器学习是什么？", {
    human: { scores: { overall: [4] }, answerHash: null },
  });
  const answer = anAnswer("机器学习是人工智能的一个分支。", {
    finishReason: "length",
    rated: true,
  });
  const { score, detail } = scoreQuality(sample, answer, defaultOptions);
  expect(detail).toMatchObject({
    truncated: true,
    language: "unsupported",
    human: { overall: [4] },
  });
  expect(score).toBeGreaterThan(0);
});

test("sampleValues() returns the headline, then the five metrics", () => {
  const score = scoreQuality(aSample("Explain cats."), anAnswer("Cats purr."), defaultOptions);
  const values = sampleValues(score);
  expect(Object.keys(values)).toEqual([...qualityMetricIds]);
  expect(values).toMatchObject({ overall: score.score, length: score.detail.length.score });
});

test("qualityMetrics starts with the headline and includes every share in a detail", () => {
  const ids = qualityMetrics.map(({ id }) => id);
  const { coherence, completeness, structure, vocabulary } = detailOf("Cats?", "Cats.");
  const shares = [
    ...qualityMetricIds,
    ...Object.keys(coherence).slice(1, 4),
    ...Object.keys(completeness).slice(1, 4),
    ...Object.keys(structure).slice(1, 4),
    ...Object.keys(vocabulary).slice(1, 4),
  ];
  expect(ids.slice(0, shares.length)).toEqual(shares);
  expect(new Set(ids).size).toBe(ids.length);
});

test.each([
  ["", "supported"],
  ["42 😀", "supported"],
  ["Zażółć gęślą jaźń", "supported"],
  ["да no", "supported"],
  ["да n", "unsupported"],
  ["机器学习 AI", "unsupported"],
])("languageOf(%j) is %s", (text, language) => {
  expect(languageOf(text)).toBe(language);
});

test.each([
  [4, 10, 2.5, 1],
  [3, 8, 2.5, 1 - Math.log(8 / 7.5)],
  [4, 5, 2.5, 1 - Math.log(2)],
  [4, 100, 2.5, 0],
  [4, 4, 1, 1],
  [0, 10, 2.5, 0],
  [4, 0, 2.5, 0],
])("lengthFit(%i, %i, %f) is %f", (prompt, response, ratio, score) => {
  expect(lengthFit(prompt, response, ratio).score).toBeCloseTo(score, 12);
});
