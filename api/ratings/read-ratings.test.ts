import { expect, it, test } from "vitest";
import { readRatings } from "./read-ratings.ts";

const read = (type: string, text: string) => readRatings(type, new TextEncoder().encode(text));

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
])(
  "readRatings() refuses a body of %s that has no ratings and states the expected form: %s",
  (type, text) => {
    expect(read(type, text)).toMatchObject({
      ok: false,
      error: [{ detail: expect.stringContaining('{"ratings": […]}') }],
    });
    expect(read("application/json", JSON.stringify({ ratings: [rating] })).ok).toBe(true);
  },
);

const csv = (score: string) =>
  `sampleId,answerHash,metric,score,rater\nknee,${"a".repeat(64)},empathy,${score},Ada\n`;

it("readRatings() accepts only decimal scores in CSV", () => {
  for (const score of ["0x1", "1e0", "0b1", "Infinity"]) {
    const detail = `score: must be a number, not "${score}"`;
    expect(read("text/csv", csv(score))).toMatchObject({
      ok: false,
      error: [{ line: 2, detail }],
    });
  }
  expect(read("text/csv", csv(" 4.0 "))).toMatchObject({
    ok: true,
    value: [{ rating: { score: 4 } }],
  });
  expect(read("text/csv", csv(""))).toMatchObject({ ok: false });
});

it("readRatings() refuses too many or too deep lines before all are in memory", () => {
  const line = `${JSON.stringify(rating)}\n`;
  const refused = { ok: false, error: [{ detail: expect.stringMatching(/at once, not more/) }] };
  expect(read("application/x-ndjson", line.repeat(20_000))).toMatchObject(refused);
  expect(read("text/csv", `score\n${"1\n".repeat(20_000)}`)).toMatchObject(refused);
  const deep = "[".repeat(100_000) + "]".repeat(100_000);
  expect(read("application/x-ndjson", deep)).toMatchObject({ ok: false, error: [{ line: 1 }] });
});

it("readRatings() refuses a body that is not UTF-8, because names of raters would change", () => {
  const latin = Buffer.from(csv("4").replace("Ada", "Zoé"), "latin1");
  for (const type of ["text/csv", "application/x-ndjson", "application/json"]) {
    const detail = "the body is not UTF-8 text: save it in UTF-8";
    expect(readRatings(type, latin)).toEqual({ ok: false, error: [{ detail }] });
  }
});
