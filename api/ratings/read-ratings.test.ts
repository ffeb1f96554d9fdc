import { expect, it, test } from "vitest";
import { readRatings } from "./read-ratings.ts";

const rating = {
  sampleId: "knee",
  answerHash: "a".repeat(64),
  metric: "empathy",
  score: 4,
  rater: "Ada",
};

test.each([
  ["application/json", JSON.stringify([rating])],
  ["application/json", "{"],
  ["text/csv", 'sampleId,answerHash\nknee,"a'],
])("a body of %s that is not ratings is refused with the form that it needs: %s", (type, text) => {
  expect(readRatings(type, text)).toMatchObject({
    ok: false,
    error: [{ detail: expect.stringContaining('{"ratings": […]}') }],
  });
  expect(readRatings("application/json", JSON.stringify({ ratings: [rating] })).ok).toBe(true);
});

const csv = (score: string) =>
  `sampleId,answerHash,metric,score,rater\nknee,${"a".repeat(64)},empathy,${score},Ada\n`;

it("a score in CSV is a decimal number", () => {
  for (const score of ["0x1", "1e0", "0b1", "Infinity"]) {
    const detail = `score: must be a number, not "${score}"`;
    expect(readRatings("text/csv", csv(score))).toMatchObject({
      ok: false,
      error: [{ line: 2, detail }],
    });
  }
  expect(readRatings("text/csv", csv(" 4.0 "))).toMatchObject({
    ok: true,
    value: [{ rating: { score: 4 } }],
  });
  expect(readRatings("text/csv", csv(""))).toMatchObject({ ok: false });
});
