import { expect, test } from "vitest";
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
