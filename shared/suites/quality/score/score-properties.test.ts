import fc from "fast-check";
import { expect, test } from "vitest";
import { anAnswer, aSample } from "../__fixtures__/build.ts";
import { defaultOptions } from "../options.ts";
import { scoreQuality } from "./score.ts";

const pieces = [
  "However, ",
  "it ",
  "this ",
  "Cats ",
  "purr",
  "explain ",
  "e.g. ",
  "3.5",
  "what ",
  "then ",

  ". ",
  "... ",
  "? ",
  "!? ",
  "\n\n",
  "’s ",
  "Привет ",
  "机器 ",
  "😀",
  "\ud800",
  "_",
  "'",
  "e\u0301",
];
const text = fc.oneof(
  fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((parts) => parts.join("")),
  fc.string({ unit: "binary", maxLength: 200 }),
);

/** All shares in a detail. */
const sharesOf = (score: ReturnType<typeof scoreQuality>) => {
  const { overall, coherence, completeness, length, structure, vocabulary } = score.detail;
  return [
    score.score,
    overall,
    length.score,
    coherence.score,
    coherence.connector,
    coherence.pronoun,
    coherence.topic,
    completeness.score,
    completeness.keyword,
    completeness.question,
    completeness.task,
    structure.score,
    structure.paragraph,
    structure.introduction,
    structure.conclusion,
    vocabulary.score,
    vocabulary.diversity,
    vocabulary.sophistication,
    vocabulary.repetition,
  ];
};

test("scoreQuality() is within 0 and 1 and JSON-serializable for any prompt and response", () => {
  fc.assert(
    fc.property(text, text, (prompt, response) => {
      const score = scoreQuality(aSample(prompt), anAnswer(response), defaultOptions);
      for (const share of sharesOf(score)) {
        expect(share).toBeGreaterThanOrEqual(0);
        expect(share).toBeLessThanOrEqual(1);
      }
      expect(JSON.parse(JSON.stringify(score))).toEqual(score);
    }),
    { numRuns: 500 },
  );
});

test("scoreQuality() ignores kinds of apostrophes and surrounding whitespace", () => {
  fc.assert(
    fc.property(text, text, (prompt, response) => {
      const of = (output: string) =>
        scoreQuality(aSample(prompt), anAnswer(output), defaultOptions).score;
      expect(of(` ${response.replaceAll("’", "'")}\n`)).toBe(of(response));
    }),
  );
});

/** Texts that would take hours with backtracking expressions or linear searches. */
const long: Record<string, string> = {
  "distinct words": Array.from({ length: 100_000 }, (_, i) => `word${i.toString(36)}x`).join(" "),
  "distinct sentences": Array.from({ length: 20_000 }, (_, i) => `Word${i.toString(36)}x.`).join(
    " ",
  ),
  questions: "What is it? ".repeat(20_000),
  tasks: "explain ".repeat(20_000),
  "one run of marks": `${"!".repeat(1_000_000)}x`,
  "dots and blanks": `.${" ".repeat(1_000_000)}x`,
  "one word": "ayize".repeat(100_000),
  "one word of apostrophes": "a'".repeat(200_000),
  "half a connector": `on the other${" ".repeat(1_000_000)}x`,
  "blank lines": "x\n   ".repeat(50_000),
  "no Latin": "机器学习。".repeat(50_000),
};

test.each(Object.entries(long))("scoreQuality() finishes on %s", (_, text) => {
  const { score } = scoreQuality(aSample(text), anAnswer(text), defaultOptions);
  expect(score).toBeGreaterThanOrEqual(0);
  expect(score).toBeLessThanOrEqual(1);
});
