import { describe, expect, it } from "vitest";
import { emptyAnswer } from "../answer.ts";
import { answerHash, labelsOf, ratingSchema, readLabels } from "./rating.ts";

const hash = answerHash({ output: "Hi.", refusal: null });

describe("readLabels()", () => {
  it.each([
    [{ empathy: 4 }, { answerHash: null, scores: { empathy: 4 } }],
    [
      { answer: "Hi.", empathy: 4 },
      { answerHash: hash, scores: { empathy: 4 } },
    ],
    [
      { answerHash: hash, empathy: 4 },
      { answerHash: hash, scores: { empathy: 4 } },
    ],
    [
      { answer: "Hi.", answerHash: hash },
      { answerHash: hash, scores: {} },
    ],
  ])("reads %j", (human, value) => {
    expect(readLabels(human)).toEqual({ ok: true, value });
  });

  it.each([
    [[], "human must be an object of ratings by metric"],
    [{ answer: 1 }, "human.answer must be a text"],
    [{ answerHash: "abc" }, "human.answerHash must be 64 hex digits (SHA-256)"],
    [{ answer: "Ho.", answerHash: hash }, "human.answerHash is not that of human.answer"],
  ])("refuses %j", (human, error) => {
    expect(readLabels(human)).toEqual({ ok: false, error });
  });
});

describe("labelsOf()", () => {
  const scores = { empathy: 4 };
  const answer = { ...emptyAnswer, output: "Hi." };

  it("returns ratings only for the answer whose hash they contain", () => {
    expect(labelsOf({ scores, answerHash: hash }, answer)).toBe(scores);
    expect(labelsOf({ scores, answerHash: hash }, { ...answer, output: "Ho." })).toBeUndefined();
    expect(labelsOf(undefined, answer)).toBeUndefined();
  });

  it("returns ratings without a hash only for an answer that was submitted as the rated one", () => {
    expect(labelsOf({ scores, answerHash: null }, answer)).toBeUndefined();
    expect(labelsOf({ scores, answerHash: null }, { ...answer, rated: true })).toBe(scores);
  });
});

it("answerHash() is the SHA-256 of the raw content, else of the refusal", () => {
  // printf 'Hi.' | sha256sum
  expect(hash).toBe("17f4444f3932f8a1c554c7cdea92208dbecb03b0173a2b6a79cc2310a05c5fad");
  expect(answerHash({ output: null, refusal: "Hi." })).toBe(hash);
  expect(answerHash({ output: null, refusal: null })).toMatch(/^e3b0c44298fc/);
});

it("ratingSchema requires a rater's name and rejects unknown fields", () => {
  const rating = { sampleId: "a", answerHash: hash, metric: "empathy", score: 4, rater: " Ada " };
  expect(ratingSchema.parse(rating).rater).toBe("Ada");
  expect(ratingSchema.safeParse({ ...rating, rater: " " }).success).toBe(false);
  expect(ratingSchema.safeParse({ ...rating, more: 1 }).success).toBe(false);
});
